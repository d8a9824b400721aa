// The handshake: the SDK's client that makes it, and the server's description of
// itself.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// clientName is the name of this client in handshakes.
const clientName = "mcpgen"

// errProbe is the error of a probe that was not answered in time.
var errProbe = errors.New("the server did not answer the probe for newer protocol revisions")

// errSlowProbe is the error of a handshake with an older revision although the probe was
// answered, but late.
var errSlowProbe = errors.New("the server answered the probe for newer protocol revisions late")

// newClient returns a client that declares what the program answers. The handlers are
// empty: since 2026-07-28 the SDK subscribes to the notifications that have one.
func (o *opener) newClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: clientName, Version: o.Version}, &mcp.ClientOptions{
		Capabilities:               o.handlers.capabilities(),
		Logger:                     slog.New(slog.DiscardHandler), // the errors have the same text
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) {},
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) {},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {},
	})
}

// shakeHands has the SDK shake hands. If that fails, the connection is closed.
func (o *opener) shakeHands(ctx context.Context, conn *wire.Conn, a attempt) (*mcp.ClientSession, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	begun := time.Now()
	if a.budget > 0 {
		defer o.boundProbe(ctx, conn, a.budget, cancel)()
	}
	// A write into a full pipe does not heed a context.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	sdk, err := o.newClient().Connect(ctx, conn.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: a.protocol})
	if err == nil && ctx.Err() != nil {
		go sdk.Close() // the connection below is closed, so this ends
		err = ctx.Err()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, explained(err, conn)
	}
	deadline, bounded := ctx.Deadline()
	agreed := sdk.InitializeResult().ProtocolVersion
	err = o.spoken(agreed)
	switch {
	case agreed >= modern || !speaksModern(conn.Discovered()):
	case !bounded || time.Until(deadline) > time.Since(begun):
		err = errSlowProbe // there is time to start it again
	default:
		o.warn(hint.With(fmt.Errorf("it starts too slowly to be asked again for a newer revision of the protocol, so it speaks %s", agreed),
			"raise timeout.start", "set protocol: "+agreed))
	}
	if err != nil {
		_ = conn.Close()
		go sdk.Close() // the connection below is closed, so this ends
	}
	return sdk, err
}

// explained returns the error of a failed handshake in terms of what the server sent. The
// SDK names its Go types.
func explained(err error, conn *wire.Conn) error {
	rpc, refused := errors.AsType[*runtime.RPCError](rpcOf(err))
	if result := conn.Handshake(); !refused && result != nil {
		if why := misfit(wire.MethodInitialize, result, new(mcp.InitializeResult)); why != nil {
			return why
		}
		if v := jsontext.Text(jsontext.Member(result, "protocolVersion")); !slices.Contains(endpoint.Revisions(), v) {
			return foreign(v)
		}
		return err
	}
	if !refused {
		return err
	}
	said := jsontext.Member(rpc.Data, "supported")
	if found := conn.Discovered(); found != nil {
		if why := misfit(wire.MethodDiscover, found, new(mcp.DiscoverResult)); why != nil {
			return fmt.Errorf("%v; %w", rpc, why)
		}
		said = jsontext.Member(found, "supportedVersions")
	} else if rpc.Code != mcp.CodeUnsupportedProtocolVersion {
		return err
	}
	all, common := revisionsIn(said)
	if len(all) == 0 || common != "" {
		return err
	}
	return fmt.Errorf("%v; %w", rpc, foreign(all...))
}

// revisionsIn returns the revisions in an array of a server, and the newest of them that
// mcpgen speaks; common is "" if mcpgen speaks no revision in the array.
func revisionsIn(said json.RawMessage) (all []string, common string) {
	jsontext.Each(said, func(item []byte) { all = append(all, jsontext.Text(item)) })
	for _, v := range endpoint.Revisions() {
		if common == "" && slices.Contains(all, v) {
			common = v
		}
	}
	return all, common
}

// misfit returns which member of a result does not have the type that the protocol wants;
// nil if it finds no such member. Into is the SDK's struct.
func misfit(method string, result json.RawMessage, into any) error {
	at, is, want := "", kindOf(result), "an object"
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(result, into))
	switch {
	case is != want:
	case ok:
		at, is, want = ": /"+strings.ReplaceAll(wrong.Field, ".", "/"), kindNamed(wrong.Value), kindNamed(wrong.Type.Kind().String())
	case method == wire.MethodInitialize && jsontext.Present(jsontext.Member(result, "protocolVersion")) == nil:
		at, is, want = ": /protocolVersion", "nothing", "a string"
	default:
		return nil
	}
	return hint.With(fmt.Errorf("the result of %s%s is %s, not %s", method, at, is, want), "fix the server, or report the bug to its author")
}

// kindNamed returns the JSON type for a type as encoding/json names it.
func kindNamed(name string) string {
	switch name, _, _ = strings.Cut(name, " "); name {
	case "struct", "map", "ptr", "object":
		return "an object"
	case "slice", "array":
		return "an array"
	case "bool":
		return "a boolean"
	case "string":
		return "a string"
	}
	return "a number"
}

// foreign returns the error of a server that speaks only revisions that mcpgen does not.
func foreign(revisions ...string) error {
	steps := []string{"update the server", "update mcpgen"}
	if slices.Max(revisions) > modern {
		slices.Reverse(steps)
	}
	for i, v := range revisions {
		revisions[i] = safetext.Words(v, 40)
	}
	noun := "revision"
	if len(revisions) > 1 {
		noun = "revisions"
	}
	return hint.With(fmt.Errorf("the server speaks %s %s of the protocol, mcpgen %s", noun, safetext.List(revisions, 5), strings.Join(endpoint.Revisions(), ", ")), steps...)
}

// boundProbe ends the probe after its budget: the same process then gets initialize.
// A process that has sent nothing after two thirds of the start timeout may be stuck
// because of the probe: it is ended, and a new process has the remaining time. A
// process that a package runner may still be installing is never ended for that.
func (o *opener) boundProbe(ctx context.Context, conn *wire.Conn, budget time.Duration, cancel context.CancelCauseFunc) (stop func()) {
	left := endpoint.DefaultStart
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	probeTimer := time.AfterFunc(min(budget, left/3), func() {
		conn.RefuseProbe(errProbe)
	})
	end := time.AfterFunc(left*2/3, func() {
		if o.runner == nil && !conn.HasAnswered() {
			cancel(errProbe)
		}
	})
	return func() {
		probeTimer.Stop()
		end.Stop()
	}
}

// speaksModern reports whether the result of a probe has a revision that this client
// speaks without initialize.
func speaksModern(discovered json.RawMessage) (is bool) {
	jsontext.Each(jsontext.Member(discovered, "supportedVersions"), func(item []byte) {
		v := jsontext.Text(item)
		is = is || v >= modern && slices.Contains(mcp.SupportedProtocolVersions(), v)
	})
	return is
}

// spoken returns an error if the agreed revision is not the configured one.
func (o *opener) spoken(protocol string) error {
	if o.server.Protocol == "" || protocol == o.server.Protocol {
		return nil
	}
	return hint.With(fmt.Errorf("the server speaks revision %s of the protocol, but its configuration sets protocol: %s", safetext.Words(protocol, 40), o.server.Protocol),
		"set protocol to a revision that the server speaks, or remove protocol")
}

// handshakeResult holds what a server reports about itself in the handshake.
type handshakeResult struct {
	identity     json.RawMessage // serverInfo; nil if absent
	capabilities json.RawMessage
	instructions string
	name         string // of identity, fit to be shown
	version      string
}

// parseHandshake reads the result of initialize or server/discover. A member of the
// wrong type counts as absent.
func parseHandshake(raw json.RawMessage) handshakeResult {
	h := handshakeResult{
		identity:     jsontext.Present(jsontext.Member(raw, "serverInfo")),
		capabilities: jsontext.Present(jsontext.Member(raw, "capabilities")),
		instructions: jsontext.Text(jsontext.Member(raw, "instructions")),
	}
	if info := jsontext.Present(jsontext.Member(jsontext.Member(raw, "_meta"), mcp.MetaKeyServerInfo)); info != nil {
		h.identity = info
	}
	h.name, h.version = shown(h.identity, "name"), shown(h.identity, "version")
	return h
}

func shown(raw json.RawMessage, member string) string {
	return safetext.Words(jsontext.Text(jsontext.Member(raw, member)), 200)
}

// has reports whether the server declares a capability or an extension. The name of
// an extension has a slash.
func (h *handshakeResult) has(capability string) bool {
	in := h.capabilities
	if strings.Contains(capability, "/") {
		in = jsontext.Member(in, "extensions")
	}
	return jsontext.Present(jsontext.Member(in, capability)) != nil
}
