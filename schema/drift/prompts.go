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

func (c *comparer) prompts() {
	both := c.pairs(schema.KindPrompt, promptRenamed, c.before.Prompts, c.after.Prompts,
		promptLikeness, (*scope).promptSays)
	c.changed(schema.KindPrompt, both, func(s *scope, b, a *schema.Item) {
		s.promptSays(b, a)
		s.arguments(b.Raw, a.Raw)
		s.others(definitionChanged, "/", unknownMember, b.Raw, a.Raw,
			"name", "title", "description", "icons", "_meta", "arguments")
	})
}

// promptSays compares what a prompt says about itself as a whole.
func (s *scope) promptSays(b, a *schema.Item) {
	s.docMembers(promptDocsChanged, b.Raw, a.Raw, "title", "description", "icons", "_meta")
}

func promptLikeness(gone, added []*schema.Item) func(b, a *schema.Item) rename {
	return itemLikeness(slices.Concat(gone, added), func(item *schema.Item) map[string]json.RawMessage {
		set := map[string]json.RawMessage{}
		for _, arg := range argumentsOf(item.Raw) {
			set[arg.Name] = arg.raw
		}
		return set
	})
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
	w := &walker{schemaDiff: &schemaDiff{
		scope: s, part: Item, before: &jsonschema.Document{Root: p.before}, after: &jsonschema.Document{Root: p.after},
	}}
	renamed, gone, fresh := w.renames(p)
	for _, o := range renamed {
		s.add(note{
			rule: promptArgRenamed, path: find(was, o.before.Name).at, message: o.message("the argument "),
			possible: !o.certain, before: text(o.before.Name), after: text(o.after.Name)})
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
				s.member(promptDocsChanged, b.at+"/"+jsontext.EscapePointer(name),
					"the argument "+quote(b.Name)+" is described in another way", was[name], is[name])
			}
			continue
		}
		s.add(n)
	}
	for _, m := range fresh {
		a := find(is, m.Name)
		n := note{rule: promptArgAddedOptional, path: a.at,
			message: "the argument " + quote(a.Name) + " is new and optional", after: a.raw}
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
		message := "the media type was " + quoteJSON(orNull(was)) + " and is " + quoteJSON(orNull(is))
		s.member(mimeTypeChanged, "/mimeType", message, was, is)
		docs := []string{"name", "title", "description", "icons", "size", "annotations", "_meta"}
		s.docMembers(resourceDocsChanged, b.Raw, a.Raw, docs...)
		s.others(definitionChanged, "/", unknownMember, b.Raw, a.Raw, append(docs, "uri", "uriTemplate", "mimeType")...)
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
