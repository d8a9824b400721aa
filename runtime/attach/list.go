// Listings: read to the last page, bounded, and parsed item by item from the raw
// message.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/httpx"
	"github.com/mcpgen/mcpgen/schema"
)

// The listing methods.
const (
	methodListTools     = "tools/list"
	methodListPrompts   = "prompts/list"
	methodListResources = "resources/list"
	methodListTemplates = "resources/templates/list"
	methodListSkills    = "skills/list"
)

// listingBytes bounds the size of a whole listing, as a multiple of limits.message.
const listingBytes = 4

// listing describes a listing of the protocol.
type listing struct {
	kind       schema.Kind
	method     string
	member     string // the member that holds the items
	capability string // required for the request; "" is none, and an extension has a slash
}

// listings returns all listings in the order of a snapshot.
func listings() []listing {
	return []listing{
		{schema.KindTool, methodListTools, "tools", ""},
		{schema.KindPrompt, methodListPrompts, "prompts", "prompts"},
		{schema.KindResource, methodListResources, "resources", "resources"},
		{schema.KindTemplate, methodListTemplates, "resourceTemplates", "resources"},
		{schema.KindSkill, methodListSkills, "skills", "io.modelcontextprotocol/skills"},
	}
}

// listWithin runs list within the start timeout; late is the format of the error of a
// timeout. The error is a *ServerError.
func (s *session) listWithin(ctx context.Context, late string, list func(context.Context) error) error {
	start := s.server.Timeout.WithDefaults().Start
	ctx, cancel := context.WithTimeoutCause(ctx, start, fmt.Errorf("%w: "+late, runtime.ErrTimeout, start))
	defer cancel()
	err := list(ctx)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = joinLate(context.Cause(ctx), err)
	}
	return serverError(s.server, stage.List, lostOr(s, err), s.mask)
}

// page is one page of a listing.
type page struct {
	items  []json.RawMessage
	cursor string
	more   bool
}

// list returns the valid items of one listing, in the server's order, and the
// problems of the others.
func (s *session) list(ctx context.Context, l listing) ([]schema.Item, []schema.Problem, error) {
	raw, err := s.pages(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	var (
		items    []schema.Item
		problems []schema.Problem
	)
	for i, def := range raw {
		item, odd, err := parse(l.kind, def)
		if err != nil {
			problems = append(problems, s.leftOut(l, i, nameIn(l.kind, def), err))
			continue
		}
		if repeats(def, s.sensitive()) {
			problems = append(problems, s.leftOut(l, i, item.Name, errRepeats))
			continue
		}
		if l.kind == schema.KindTool && s.sendsHeaders() {
			if _, ok := httpx.ParamsOf(def); !ok {
				problems = append(problems, s.leftOut(l, i, item.Name, errHeaders))
				continue
			}
		}
		items = append(items, item)
		problems = append(problems, odd...)
	}
	items, problems = unique(l, items, problems)
	return items, problems, nil
}

// takeTools lists the tools. The session does not show them before they are judged.
func (s *session) takeTools(ctx context.Context) (*toolIndex, error) {
	began := time.Now()
	items, problems, err := s.list(ctx, listings()[0])
	if err != nil && isMethodNotFound(err) && !s.handshake.has("tools") {
		items, problems, err = nil, nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(items)+len(problems) == 0 && !s.server.AllowEmpty {
		problems = append(problems, schema.Problem{Kind: schema.KindTool, Reason: ErrEmpty.Error() + ", and allow_empty is not set"})
	}
	x := &toolIndex{items: make(index, len(items)), listing: &listingID{}, problems: problems, taken: began}
	tasks := runsTasks(s.protocol, s.handshake.capabilities)
	for i, item := range items {
		t := &indexedItem{item: item, place: i}
		if tasks {
			t.tasks = taskSupportOf(item.Raw)
		}
		if s.sendsHeaders() {
			t.params, _ = httpx.ParamsOf(item.Raw)
		}
		x.items[item.Name] = t
	}
	x.found = x.problems
	return x, nil
}

// parse parses a definition and returns its oddities.
func parse(kind schema.Kind, def json.RawMessage) (schema.Item, []schema.Problem, error) {
	if kind != schema.KindTool {
		item, err := schema.ParseItem(kind, def)
		return item, nil, err
	}
	tool, odd, err := schema.ParseTool(def)
	return schema.Item{Kind: kind, Name: tool.Name, Raw: def}, odd, err
}

// errHeaders is the error of a tool whose definition requires headers that no request
// can carry.
var errHeaders = errors.New("the tool's x-mcp-header requires a header that cannot be sent: its name is empty, invalid or duplicated, its value is not a string, integer or boolean, or it is not on a property of the arguments")

// nameIn returns the name in a definition that cannot be used; "" if it has none, or two.
func nameIn(kind schema.Kind, def json.RawMessage) string {
	if kind != schema.KindTool && kind != schema.KindPrompt {
		return ""
	}
	var names []string
	jsontext.Walk(def, func(member []byte, from, to int) {
		if jsontext.Text(member) == "name" {
			names = append(names, jsontext.Text(def[from:to]))
		}
	})
	if len(names) != 1 {
		return ""
	}
	return safetext.Words(names[0], 200)
}

func (s *session) leftOut(l listing, index int, name string, err error) schema.Problem {
	p := schema.Problem{Kind: l.kind, Name: s.mask(name), Pointer: "/" + l.member + "/" + strconv.Itoa(index)}
	if se, ok := errors.AsType[*schema.Error](err); ok {
		p.Reason = "left out: " + se.Reason
		p.Pointer += se.Pointer
	} else {
		p.Reason = "left out: " + err.Error()
	}
	p.Pointer = safetext.Cut(p.Pointer, 200) // as long as the definition is deep
	p.Reason = s.mask(safetext.Words(p.Reason, 400))
	return p
}

// unique keeps one of several items with the same name if their definitions are
// equal, and reports a problem. If they differ, it leaves out all of them, since a
// call by name would be ambiguous.
func unique(l listing, items []schema.Item, problems []schema.Problem) ([]schema.Item, []schema.Problem) {
	named := make(map[string][]schema.Item, len(items))
	for _, it := range items {
		named[it.Name] = append(named[it.Name], it)
	}
	var out []schema.Item
	for _, it := range items {
		same := named[it.Name]
		delete(named, it.Name)
		switch n := len(same); {
		case n == 0: // already added
		case !allEqual(same):
			problems = append(problems, schema.Problem{Kind: l.kind, Name: it.Name,
				Reason: fmt.Sprintf("left out: the server lists this name %d times with different definitions; the server's author must give each definition its own name", n)})
		default:
			out = append(out, it)
			if n > 1 {
				problems = append(problems, schema.Problem{Kind: l.kind, Name: it.Name,
					Reason: fmt.Sprintf("the server lists this name %d times with the same definition; mcpgen uses one of the entries, and the server's author should remove the others", n)})
			}
		}
	}
	return out, problems
}

// allEqual reports whether definitions are the same JSON.
func allEqual(items []schema.Item) bool {
	return !slices.ContainsFunc(items[1:], func(it schema.Item) bool {
		if bytes.Equal(it.Raw, items[0].Raw) {
			return false
		}
		a, errA := schema.FullHash(items[0].Raw)
		b, errB := schema.FullHash(it.Raw)
		return errA != nil || errB != nil || a != b
	})
}

// pages reads a listing to its end.
func (s *session) pages(ctx context.Context, l listing) ([]json.RawMessage, error) {
	limits := s.server.Limits.WithDefaults()
	var (
		all   []json.RawMessage
		last  page
		size  int64
		stuck int // how often in a row the same page came back
	)
	for n := 1; ; n++ {
		if n > limits.Pages {
			return nil, hint.With(fmt.Errorf("%s has more than %d pages", l.method, limits.Pages), "if the listing is correct, raise limits.pages")
		}
		p, err := s.page(ctx, l, last)
		if err != nil {
			return nil, err
		}
		all = append(all, p.items...)
		for _, item := range p.items {
			size += int64(len(item))
		}
		if len(all) > limits.Tools {
			return nil, hint.With(fmt.Errorf("%s has more than %d items", l.method, limits.Tools), "if the listing is correct, raise limits.tools")
		}
		if size > listingBytes*limits.Message {
			return nil, hint.With(fmt.Errorf("%s has more than %d bytes", l.method, listingBytes*limits.Message), "if the listing is correct, raise limits.message")
		}
		if !p.more {
			return all, nil
		}
		// A cursor may stay the same while the server moves on. The listing is
		// endless only if the page stays the same, too.
		if stuck++; !last.more || p.cursor != last.cursor || !slices.EqualFunc(p.items, last.items, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			stuck = 0
		}
		if stuck == 2 {
			return nil, hint.With(fmt.Errorf("%s does not end: the cursor %q returns the same page again and again", l.method, safetext.Words(p.cursor, 80)), "fix the server, or report the bug to its author")
		}
		last = p
		if s.OnPage != nil {
			s.OnPage(s.server.Name, n+1)
		}
	}
}

// page reads the page after last.
func (s *session) page(ctx context.Context, l listing, last page) (page, error) {
	r := &request{method: l.method, meta: s.meta}
	if last.more {
		r.members = []member{{"cursor", quoted(last.cursor)}}
	}
	raw, _, err := received(s.Call(ctx, r.method, r.params(), r.options()))
	if err != nil {
		return page{}, err
	}
	// An item that is invalid JSON, or nested too deep, costs that item alone.
	m, _, ok := jsontext.Members(raw)
	if !ok {
		return page{}, hint.With(fmt.Errorf("the result of %s is %s, not an object", l.method, kindOf(raw)), "fix the server, or report the bug to its author")
	}
	var p page
	if p.items, ok = jsontext.Elements(m[l.member]); !ok {
		return page{}, hint.With(fmt.Errorf("the result of %s has no array %q, but %s", l.method, l.member, kindOf(m[l.member])), "fix the server, or report the bug to its author")
	}
	next := jsontext.Present(m["nextCursor"])
	if next == nil {
		return p, nil
	}
	if err := json.Unmarshal(next, &p.cursor); err != nil {
		return page{}, hint.With(fmt.Errorf("the nextCursor of %s is %s, not a string", l.method, kindOf(next)), "fix the server, or report the bug to its author")
	}
	// Since 2026-07-28 the empty string is a cursor like any other.
	p.more = p.cursor != "" || s.isModern()
	return p, nil
}

// kindOf names the kind of a JSON value.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return "nothing"
	case !json.Valid(raw):
		return "no valid JSON"
	}
	return jsontext.KindOf(raw)
}

// isMethodNotFound reports whether err says that the server does not know the method.
func isMethodNotFound(err error) bool {
	rpc, ok := errors.AsType[*runtime.RPCError](err)
	return ok && rpc.Code == jsonrpc.CodeMethodNotFound
}
