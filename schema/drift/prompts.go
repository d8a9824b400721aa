package drift

// This file compares prompts, resources and resource templates.

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// listed notes the items that were added to or removed from a list.
func (c *comparer) listed(kind schema.Kind, gone, added []*schema.Item) {
	for _, b := range gone {
		c.scope(kind, b.Name, nothing()).add(note{rule: departures[kind], message: "the " + string(kind) + " is gone", before: valid(b.Raw)})
	}
	for _, a := range added {
		if c.ended() {
			return
		}
		s := c.scope(kind, a.Name, hashOf(a.Raw))
		if !c.first {
			s.add(note{rule: arrivals[kind], message: "a new " + string(kind), after: valid(a.Raw)})
		}
		if !s.readable(nil, a.Raw) {
			continue
		}
		s.texts(nil, stringsOf(a.Raw))
		if now, _, err := schema.ParseTool(a.Raw); kind == schema.KindTool && err == nil {
			s.firstSchema(Arguments, now.InputSchema)
			s.firstSchema(Results, now.OutputSchema)
		}
	}
}

// renamed notes a renamed item.
func (c *comparer) renamed(kind schema.Kind, rule *row, r rename) {
	n := note{rule: rule, path: "/name", message: "renamed to " + quote(r.after.Name), before: text(r.before.Name), after: text(r.after.Name)}
	if n.possible = r.score < likely; n.possible {
		n.message = "perhaps " + n.message + ": " + r.evidence
	} else {
		n.aside = " (" + r.confidence() + ")"
	}
	c.scope(kind, r.before.Name, hashOf(r.after.Raw)).add(n)
}

// changed compares the items that both sides have. Changes are listed under the old name, which callers use.
func (c *comparer) changed(kind schema.Kind, both [][2]*schema.Item, compare func(s *scope, before, after *schema.Item)) {
	for _, pair := range both {
		b, a := pair[0], pair[1]
		s := c.scope(kind, b.Name, hashOf(a.Raw))
		if c.ended() || !s.readable(b.Raw, a.Raw) || s.hash == hashOf(b.Raw) {
			continue
		}
		start := len(c.changes)
		compare(s, b, a)
		s.texts(stringsOf(b.Raw), stringsOf(a.Raw))
		if len(c.changes) == start && b.Name == a.Name {
			s.unexplained("", b.Raw, a.Raw)
		}
	}
}

// unexplained notes the differences between two values that no other rule covers.
func (s *scope) unexplained(path string, before, after json.RawMessage) {
	b, a := members(before), members(after)
	if b == nil || a == nil {
		s.member(definitionChanged, path, "the definition differs in a way that no other rule covers", before, after)
		return
	}
	for _, name := range union(b, a) {
		s.unexplained(path+"/"+jsontext.EscapePointer(name), b[name], a[name])
	}
}

// pairs returns the items that both sides have, including likely renames. Possible renames are only noted.
func (c *comparer) pairs(kind schema.Kind, rule *row, before, after []schema.Item, weigh func(gone, added []*schema.Item) func(b, a *schema.Item) rename) [][2]*schema.Item {
	both, gone, added := split(before, after)
	for _, b := range slices.Clone(gone) {
		if i := slices.IndexFunc(added, func(a *schema.Item) bool { return a.Name == c.opts.Renamed[kind][b.Name] }); i >= 0 {
			both = append(both, [2]*schema.Item{b, added[i]})
			gone, added = drop(gone, b), drop(added, added[i])
		}
	}
	for _, r := range matchNames(gone, added, weigh(gone, added)) {
		c.renamed(kind, rule, r)
		gone, added = drop(gone, r.before), drop(added, r.after)
		if r.score >= likely {
			both = append(both, [2]*schema.Item{r.before, r.after})
		} else {
			c.scope(kind, r.after.Name, hashOf(r.after.Raw)).texts(nil, stringsOf(r.after.Raw))
		}
	}
	c.listed(kind, gone, added)
	return both
}

func (c *comparer) prompts() {
	both := c.pairs(schema.KindPrompt, promptRenamed, c.before.Prompts, c.after.Prompts, promptLikeness)
	c.changed(schema.KindPrompt, both, func(s *scope, b, a *schema.Item) {
		s.docMembers(promptDocsChanged, b.Raw, a.Raw, "title", "description", "icons", "_meta")
		s.arguments(b.Raw, a.Raw)
		s.others(definitionChanged, "/", unknownMember, b.Raw, a.Raw, "name", "title", "description", "icons", "_meta", "arguments")
	})
}

const unknownMember = "the member %s differs, and the protocol does not know it"

func promptLikeness(gone, added []*schema.Item) func(b, a *schema.Item) rename {
	return itemLikeness(slices.Concat(gone, added), func(item *schema.Item) map[string]json.RawMessage {
		set := map[string]json.RawMessage{}
		for _, arg := range argumentsOf(item.Raw) {
			set[arg.Name] = arg.raw
		}
		return set
	})
}

// docMembers compares members that are written for people.
func (s *scope) docMembers(rule *row, before, after json.RawMessage, names ...string) {
	b, a := members(before), members(after)
	for _, name := range names {
		s.member(rule, "/"+name, name+" differs", b[name], a[name])
	}
}

// argument is one argument of a prompt.
type argument struct {
	Name     string
	Required bool
	at       string
	raw      json.RawMessage
}

func argumentsOf(raw json.RawMessage) []argument {
	var list []json.RawMessage
	if json.Unmarshal(members(raw)["arguments"], &list) != nil {
		return nil
	}
	var out []argument
	for i, item := range list {
		m := members(item)
		if name := jsontext.Text(m["name"]); name != "" {
			out = append(out, argument{name, string(m["required"]) == "true", "/arguments/" + strconv.Itoa(i), item})
		}
	}
	return out
}

// asSchema returns an object schema with a prompt's arguments as members.
func asSchema(list []argument) *jsonschema.Schema {
	out := &jsonschema.Schema{Types: []string{"object"}}
	for _, a := range list {
		said := members(a.raw)
		maps.DeleteFunc(said, func(name string, _ json.RawMessage) bool {
			return name == "name" || name == "required" || strings.HasPrefix(name, "$")
		})
		raw, _ := json.Marshal(said) // it was read as JSON
		doc, err := parse(raw)
		if err != nil {
			continue
		}
		if out.Properties = append(out.Properties, jsonschema.Property{Name: a.Name, Schema: doc.Root}); a.Required {
			out.Required = append(out.Required, a.Name)
		}
	}
	return out
}

func (s *scope) arguments(before, after json.RawMessage) {
	was, is := argumentsOf(before), argumentsOf(after)
	find := func(list []argument, name string) *argument {
		if i := slices.IndexFunc(list, func(a argument) bool { return a.Name == name }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	p := &pair{before: asSchema(was), after: asSchema(is)}
	w := &walker{schemaDiff: &schemaDiff{scope: s, part: Item, before: &jsonschema.Document{Root: p.before}, after: &jsonschema.Document{Root: p.after}}}
	renamed, gone, fresh := w.renames(p)
	for _, o := range renamed {
		s.add(note{rule: promptArgRenamed, path: find(was, o.before.Name).at, message: o.message("the argument "), possible: !o.certain, before: text(o.before.Name), after: text(o.after.Name)})
	}
	for _, m := range gone {
		b := find(was, m.Name)
		s.add(note{rule: promptArgRemoved, path: b.at, message: "the argument " + quote(b.Name) + " is gone", before: b.raw})
	}
	for _, b := range was {
		a := find(is, b.Name)
		if a == nil {
			continue
		}
		n := note{path: b.at, before: b.raw, after: a.raw}
		switch {
		case a.Required && !b.Required:
			n.rule, n.message = promptArgBecameRequired, "the argument "+quote(b.Name)+" was optional and is now required"
		case b.Required && !a.Required:
			n.rule, n.message = promptArgBecameOptional, "the argument "+quote(b.Name)+" was required and is now optional"
		default:
			was, is := members(b.raw), members(a.raw)
			for _, name := range union(was, is) {
				s.member(promptDocsChanged, b.at+"/"+jsontext.EscapePointer(name), "the argument "+quote(b.Name)+" is described in another way", was[name], is[name])
			}
			continue
		}
		s.add(n)
	}
	for _, m := range fresh {
		a := find(is, m.Name)
		n := note{rule: promptArgAddedOptional, path: a.at, message: "the argument " + quote(a.Name) + " is new and optional", after: a.raw}
		if a.Required {
			n.rule, n.message = promptArgAddedRequired, "the argument "+quote(a.Name)+" is new and required"
		}
		s.add(n)
	}
}

func (c *comparer) resources() {
	c.resourceList(schema.KindResource, c.before.Resources, c.after.Resources)
	c.resourceList(schema.KindTemplate, c.before.Templates, c.after.Templates)
}

func (c *comparer) resourceList(kind schema.Kind, before, after []schema.Item) {
	both, gone, added := split(before, after)
	for _, b := range slices.Clone(gone) {
		if same := sameNames(b, added); len(same) == 1 && len(sameNames(b, gone)) == 1 {
			a := same[0]
			c.moved(kind, b, a)
			gone, added = drop(gone, b), drop(added, a)
			both = append(both, [2]*schema.Item{b, a})
		}
	}
	c.listed(kind, gone, added)
	c.changed(kind, both, func(s *scope, b, a *schema.Item) {
		was, is := members(b.Raw)["mimeType"], members(a.Raw)["mimeType"]
		s.member(mimeTypeChanged, "/mimeType", "the media type was "+quoteJSON(orNull(was))+" and is "+quoteJSON(orNull(is)), was, is)
		s.docMembers(resourceDocsChanged, b.Raw, a.Raw, "name", "title", "description", "icons", "size", "annotations", "_meta")
		s.others(definitionChanged, "/", unknownMember, b.Raw, a.Raw, "uri", "uriTemplate", "mimeType", "name", "title", "description", "icons", "size", "annotations", "_meta")
	})
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// sameNames returns the items with the same name as b.
func sameNames(b *schema.Item, list []*schema.Item) []*schema.Item {
	name := jsontext.Text(members(b.Raw)["name"])
	return slices.DeleteFunc(slices.Clone(list), func(item *schema.Item) bool {
		return name == "" || jsontext.Text(members(item.Raw)["name"]) != name
	})
}

// moved notes an item that kept its name and changed its URI.
func (c *comparer) moved(kind schema.Kind, b, a *schema.Item) {
	s := c.scope(kind, b.Name, hashOf(a.Raw))
	n := note{path: "/uri", before: text(b.Name), after: text(a.Name), message: "the URI is " + quote(a.Name) + " now"}
	if kind == schema.KindTemplate {
		n.path = "/uriTemplate"
	}
	if schemeOf(b.Name) != schemeOf(a.Name) {
		n.rule = resourceSchemeChanged
		s.add(n)
	}
	switch {
	case kind == schema.KindResource:
		n.rule = resourceRemoved
	case variables(b.Name) != variables(a.Name):
		n.rule = templateVariablesChanged
	default:
		n.rule = templateURIChanged
	}
	s.add(n)
}

func schemeOf(uri string) string {
	scheme, _, ok := strings.Cut(uri, ":")
	if !ok {
		return ""
	}
	return strings.ToLower(scheme)
}

// expressions matches the expressions of a URI template.
var expressions = regexp.MustCompile(`\{([^}]*)\}`)

// variables returns the names in the braces of a URI template, sorted.
func variables(template string) string {
	var names []string
	for _, m := range expressions.FindAllStringSubmatch(template, -1) {
		for name := range strings.SplitSeq(strings.TrimLeft(m[1], "+#./;?&"), ",") {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}
