// Package apps holds the pages that tools bring along (the protocol's Apps extension,
// SEP-1865) against what was locked. Hosts show such a page to people, in the middle of
// a conversation that they trust; so the page that comes has to be the one that
// somebody looked at.
//
// Package live has it in force by itself.
package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/extension"
)

// page is one page of a server.
type page struct{ server, uri string }

// Middleware refuses to read a page of a server that one of the manifests is of, but for
// the pages that were locked, with the bytes that were locked, and with what they asked
// of hosts then. The error is a [runtime.ErrDrift]. All other requests pass, and so do
// the pages of servers without a manifest.
func Middleware(manifests ...*codec.Manifest) runtime.Middleware {
	locked, known := map[page]string{}, map[string]bool{}
	for _, m := range manifests {
		if m == nil {
			continue
		}
		known[m.Server()] = true
		var snapshot struct {
			Apps []json.RawMessage `json:"apps"`
		}
		_ = json.Unmarshal([]byte(m.Snapshot()), &snapshot) // Manifest.Err reports that; nothing is locked then
		for _, raw := range snapshot.Apps {
			item, err := schema.ParseItem(schema.KindApp, raw)
			if hash, hashErr := schema.FullHash(raw); err == nil && hashErr == nil {
				locked[page{m.Server(), item.Name}] = hash
			}
		}
	}
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Method != protocol.MethodReadResource || !known[req.Server] || !isApp(req.Name) {
				return next.Invoke(ctx, req)
			}
			want := locked[page{req.Server, req.Name}]
			if want == "" {
				return nil, refuse(req, "the page is not locked", false)
			}
			res, err := next.Invoke(ctx, req)
			if err != nil {
				return nil, err
			}
			if got, err := hashOf(req.Name, res.Raw); err != nil || got != want {
				return nil, refuse(req, "the page is not the one that was locked", true)
			}
			return res, nil
		})
	}
}

// isApp reports whether a URI is that of a page. Schemes have no case, and browsers take
// no notice of white space and control characters before and in them.
func isApp(uri string) bool {
	scheme, _, ok := strings.Cut(uri, ":")
	seen := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, scheme)
	return ok && strings.EqualFold(seen, extension.AppScheme)
}

// hashOf is the hash of the page in a result.
func hashOf(uri string, result json.RawMessage) (string, error) {
	app, err := extension.ReadApp(uri, result)
	if err != nil {
		return "", err
	}
	item, err := app.Item()
	if err != nil {
		return "", err
	}
	return schema.FullHash(item.Raw)
}

func refuse(req runtime.Request, why string, sent bool) error {
	drift := &runtime.DriftError{Server: req.Server, Tool: req.Name, Rule: ruleid.AppChanged}
	return &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Drift, Sent: sent, Err: fmt.Errorf("%s: %w", why, drift)}
}
