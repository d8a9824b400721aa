package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/capturing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
	"github.com/mcpgen/mcpgen/schema/view"
)

// Listing holds the items of servers.
type Listing struct {
	Servers []ServerListing // in the order of the configuration
	Specs   []ToolSpec      // of all servers, in the order of Servers

	Unlocked []string // selected servers that are missing in the lock, if the listing is from the lock
}

// ServerListing holds the items of one server.
type ServerListing struct {
	Server string // "" for the native tools
	Tokens int    // of the tools that the configuration selects
	Tools  []ToolSpec
	Others []schema.Item // by kind
	Marks  judging.Marks // findings for a person to review; see [Mark]

	snapshot *schema.Snapshot
}

// ToolSpec is one tool in the protocol's form, under its qualified name, with additional data of mcpgen.
type ToolSpec struct {
	runtime.Spec
	// ID is the qualified name if it is not valid for models, such as mcp.github.list_prs; "" if it equals
	// Name, or if other tools have it too.
	ID         string            `json:"id,omitempty"`
	ServerName string            `json:"server,omitempty"` // "" for a native tool
	ToolName   string            `json:"tool"`
	Key        string            `json:"key,omitempty"`      // "" for a native tool
	Tokens     int               `json:"tokens"`             // approximate size for a model: see view.Tokens
	Go         *generator.GoTool `json:"go,omitempty"`       // nil if no code is generated for it
	LeftOut    bool              `json:"left_out,omitempty"` // by the configuration: hidden from models, and denied
}

// List lists the selected servers, from the lock or live. A live listing may be partial: the error then
// names the missing servers.
func List(ctx context.Context, cl *capturing.Client, attached bool) (*Listing, error) {
	var snapshots map[string]*schema.Snapshot
	order := map[string]*lockfile.LockedServer{}
	var partial []error
	if attached {
		captures, err := cl.Capture(ctx, cl.Selected(), live.Options{})
		if err != nil {
			return nil, err
		}
		snapshots = map[string]*schema.Snapshot{}
		for _, c := range captures {
			_ = problems(cl.Console, c, false) // warnings
			if c.Err != nil {
				partial = append(partial, c.Err)
				continue
			}
			// The snapshot is normalised as when read from disk, so that both listings look alike.
			snapshots[c.Server.Name], _ = lockfile.AsFile(c.Snapshot, nil)
			order[c.Server.Name] = c.Locked
		}
	} else {
		err := cl.RequireLock()
		if err != nil && len(cl.Selected()) > 0 { // native tools are not locked
			return nil, hint.With(err, "list the current tools: mcpgen list --live")
		}
		if snapshots, err = cl.LockedSnapshots(); err != nil {
			return nil, err
		}
	}
	ctx, end := capturing.AfterAll(ctx, len(order)) // servers that answered in time are shown
	defer end()
	l, err := listing(ctx, cl, snapshots, order)
	if l != nil && !attached {
		l.Unlocked = locks.ServerNames(cl.Unlocked())
	}
	return l, errors.Join(append(partial, err)...)
}

// listing lists items in the locked order, or in the order of these locks.
func listing(
	ctx context.Context, cl *capturing.Client,
	snapshots map[string]*schema.Snapshot, order map[string]*lockfile.LockedServer,
) (*Listing, error) {
	qualified, clashes, err := cl.Qualify(snapshots)
	if err != nil {
		return nil, err
	}
	for _, c := range clashes {
		cl.Console.Warn("%v", inputs.ClashError(c))
	}
	shown, err := shownInProfile(cl.Project, cl.Profile)
	if err != nil {
		return nil, err
	}
	code := describe(ctx, cl.Servers, cl.Console, snapshots)
	l := &Listing{Specs: []ToolSpec{}}
	if err := addNative(cl.Project, l, shown); err != nil {
		return nil, err
	}
	for _, name := range cl.Names() {
		s := snapshots[name]
		if s == nil {
			continue
		}
		locked := cmp.Or(order[name], cl.Lock.Servers[name])
		items := func(kind schema.Kind) []schema.Item {
			return slices.DeleteFunc(locked.InOrder(kind, *s.List(kind)), func(it schema.Item) bool {
				return !shown(name, kind, it.Name)
			})
		}
		server, tools := ServerListing{Server: name, snapshot: s}, items(schema.KindTool)
		for _, kind := range schema.Kinds()[1:] {
			server.Others = append(server.Others, items(kind)...)
		}
		var refs []codec.ItemRef
		for _, it := range tools {
			plain := inputs.PlainName(cl.Project, naming.Pair{Server: name, Tool: it.Name})
			refs = append(refs, codec.ItemRef{Name: it.Name, Qualified: cmp.Or(qualified[name][it.Name], plain)})
		}
		specs := codec.NewManifest(name, string(lockfile.EncodeSnapshot(s)), refs...).Specs()
		for i, it := range tools {
			tool, _, err := schema.ParseTool(it.Raw)
			key, keyErr := lockfile.ContentKey(name, it.Name, tool.InputSchema)
			if err := errors.Join(err, keyErr); err != nil {
				return nil, exit.Fail(exit.Server, fmt.Errorf("%s/%s: %w", name, it.Name, err))
			}
			tool.InputSchema = specs[i].InputSchema // an object, if the server's schema has no type
			spec := ToolSpec{Spec: specs[i], ServerName: name, ToolName: it.Name, Key: key}
			spec.Tokens = view.Tokens(view.Size(tool, spec.Name))
			id := cl.Project.Naming.Qualify(name, it.Name)
			if id != spec.Name && naming.Portable(id) == spec.Name { // not a name that it shares with another tool
				spec.ID = id
			}
			if g, ok := code[naming.Pair{Server: name, Tool: it.Name}]; ok {
				spec.Go = &g
			}
			if spec.LeftOut = !cl.Project.Build[name].Selects(it.Name); !spec.LeftOut {
				server.Tokens += spec.Tokens
			}
			server.Tools = append(server.Tools, spec)
		}
		if len(server.Others)+len(server.Tools) == 0 && cl.Profile != "" {
			continue
		}
		l.Servers = append(l.Servers, server)
		l.Specs = append(l.Specs, server.Tools...)
	}
	return l, nil
}

// shownInProfile returns the filter of a listing: with a profile it is that of the gateway, which leaves
// out what the profile does not have and what the policy hides, for those who may use the profile.
func shownInProfile(all *config.Project, profile string) (
	func(server string, kind schema.Kind, name string) bool, error,
) {
	if profile == "" {
		return func(string, schema.Kind, string) bool { return true }, nil
	}
	project, of := *all, all.Profiles[profile]
	of.Callers = nil
	project.Profiles = map[string]policy.Profile{profile: of}
	gate, err := live.Policy(&project, nil)
	return func(server string, kind schema.Kind, name string) bool {
		req := runtime.Request{Server: server, Method: MethodOf(kind), Name: name}
		req.Options.Profile = profile
		return (kind != schema.KindTool || all.Build[server].Selects(name)) && gate.Shows(req)
	}, err
}

// addNative adds the tools that belong to no server.
func addNative(project *config.Project, l *Listing, shown func(string, schema.Kind, string) bool) error {
	specs, err := NativeSpecs(project)
	if specs == nil {
		return err
	}
	var own ServerListing
	for _, spec := range specs {
		if !shown("", schema.KindTool, spec.Tool) {
			continue
		}
		tool := schema.Tool{Description: spec.Description, InputSchema: spec.InputSchema}
		tokens := view.Tokens(view.Size(tool, spec.Name))
		own.Tools = append(own.Tools, ToolSpec{Spec: spec, ToolName: spec.Tool, Tokens: tokens})
		own.Tokens += tokens
	}
	if own.Tools != nil {
		l.Servers, l.Specs = append(l.Servers, own), append(l.Specs, own.Tools...)
	}
	return nil
}

// NativeSpecs returns the tools that belong to no server; nil if there are none.
func NativeSpecs(project *config.Project) ([]runtime.Spec, error) {
	set, err := live.Native(project)
	if set == nil || err != nil {
		return nil, err
	}
	return set.Specs(), nil
}

// describe returns the Go side of every tool with generated code. It is empty if the project cannot be
// generated: a listing must not fail because of that.
func describe(
	ctx context.Context, in *inputs.Servers, con *console.Console, snapshots map[string]*schema.Snapshot,
) map[naming.Pair]generator.GoTool {
	d := NewDraft(in, con, func(name string) bool {
		return snapshots[name] != nil && len(in.Lock.Servers[name].Verify(snapshots[name])) == 0
	}, false)
	d.namesOnly = true
	d.UpdateResults(ctx, nil, false)
	out, err := d.render(ctx, false)
	if err := errors.Join(append(d.Errs, err)...); err != nil {
		con.Detail("the listing has no Go names: %v", err)
	}
	if out == nil {
		return nil
	}
	tools := map[naming.Pair]generator.GoTool{}
	for _, t := range out.Tools {
		tools[naming.Pair{Server: t.Server, Tool: t.Tool}] = t.Go
	}
	return tools
}

// Mark sets the marks of a listing. The error is that of ctx.
func Mark(ctx context.Context, st *locks.State, l *Listing) error {
	ctx, end := capturing.AfterAll(ctx, len(l.Servers))
	defer end()
	j := judging.Of(st.Project, st.Lock, judging.Flags{})
	return parallel.Each(ctx, len(l.Servers), func(i int) (err error) {
		s := &l.Servers[i]
		if s.snapshot != nil { // native tools are the program's own
			s.Marks, err = judging.MarksOf(ctx, j, s.snapshot)
		}
		return err
	})
}
