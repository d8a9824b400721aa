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
)

// listed notes what is new or gone in a list.
func (c *comparer) listed(kind Kind, gone, added []*schema.Item) {
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
		if now, _, err := schema.ParseTool(a.Raw); kind == KindTool && err == nil {
			s.firstSchema(Arguments, now.InputSchema)
			s.firstSchema(Results, now.OutputSchema)
		}
	}
}

// renamed notes an item that has another name.
func (c *comparer) renamed(kind Kind, rule *row, r rename) {
	n := note{
		rule: rule, path: "/name", message: "renamed to " + quote(r.after.Name), aside: " (" + r.confidence() + ")",
		before: text(r.before.Name), after: text(r.after.Name),
	}
	if n.possible = r.score < likely; n.possible {
		n.message, n.aside = n.message+n.aside, ""
	}
	c.scope(kind, r.before.Name, hashOf(r.after.Raw)).add(n)
}

// changed compares the items that both sides have. Changes stand under the name that
// callers use.
func (c *comparer) changed(kind Kind, both [][2]*schema.Item, compare func(s *scope, before, after *schema.Item)) {
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

// unexplained notes the places at which two values differ, of which no other rule is.
func (s *scope) unexplained(path string, before, after json.RawMessage) {
	b, a := members(before), members(after)
	if b == nil || a == nil {
		s.member(definitionChanged, path, "the definition differs in a way that no other rule is about", before, after)
		return
	}
	for _, name := range union(b, a) {
		s.unexplained(path+"/"+jsontext.EscapePointer(name), b[name], a[name])
	}
}

func (c *comparer) prompts() {
	both, gone, added := split(c.before.Prompts, c.after.Prompts)
	for _, r := range matchNames(gone, added, promptLikeness) {
		c.renamed(KindPrompt, promptRenamed, r)
		gone, added = drop(gone, r.before), drop(added, r.after)
		both = append(both, [2]*schema.Item{r.before, r.after})
	}
	c.listed(KindPrompt, gone, added)
	c.changed(KindPrompt, both, func(s *scope, b, a *schema.Item) {
		s.docMembers(promptDocsChanged, b.Raw, a.Raw, "title", "description", "icons", "_meta")
		s.arguments(b.Raw, a.Raw)
		s.others(definitionChanged, "/", unknownMember, b.Raw, a.Raw, "name", "title", "description", "icons", "_meta", "arguments")
	})
}

const unknownMember = "the member %s differs, and the protocol does not know it"

func promptLikeness(b, a *schema.Item) float64 {
	return likeness(b, a, func(b, a json.RawMessage) float64 {
		names := func(raw json.RawMessage) map[string]json.RawMessage {
			set := map[string]json.RawMessage{}
			for _, arg := range argumentsOf(raw) {
				set[arg.Name] = nil
			}
			return set
		}
		return overlap(names(b), names(a))
	})
}

// docMembers compares members that are for people.
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

func (s *scope) arguments(before, after json.RawMessage) {
	was, is := argumentsOf(before), argumentsOf(after)
	find := func(list []argument, name string) *argument {
		if i := slices.IndexFunc(list, func(a argument) bool { return a.Name == name }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	renamed := renamedArguments(was, is)
	for _, b := range was {
		a := find(is, b.Name)
		n := note{path: b.at, before: b.raw}
		switch {
		case a == nil && renamed[b.Name] != "":
			n.rule, n.message = promptArgRenamed, "the argument "+quote(b.Name)+" is called "+quote(renamed[b.Name])+" now"
			n.before, n.after = text(b.Name), text(renamed[b.Name])
		case a == nil:
			n.rule, n.message = promptArgRemoved, "the argument "+quote(b.Name)+" is gone"
		case a.Required && !b.Required:
			n.rule, n.message, n.after = promptArgBecameRequired, "the argument "+quote(b.Name)+" could be left out and is required", a.raw
		case b.Required && !a.Required:
			n.rule, n.message, n.after = promptArgBecameOptional, "the argument "+quote(b.Name)+" was required and may be left out", a.raw
		default:
			was, is := members(b.raw), members(a.raw)
			for _, name := range union(was, is) {
				s.member(promptDocsChanged, b.at+"/"+jsontext.EscapePointer(name), "the argument "+quote(b.Name)+" is described in another way", was[name], is[name])
			}
			continue
		}
		s.add(n)
	}
	for _, a := range is {
		if find(was, a.Name) != nil || slices.Contains(slices.Collect(maps.Values(renamed)), a.Name) {
			continue
		}
		n := note{rule: promptArgAddedOptional, path: a.at, message: "the argument " + quote(a.Name) + " is new and may be left out", after: a.raw}
		if a.Required {
			n.rule, n.message = promptArgAddedRequired, "the argument "+quote(a.Name)+" is new and required"
		}
		s.add(n)
	}
}

// renamedArguments are the arguments that are gone and the new ones that differ from
// them in nothing but a name that resembles theirs. One that could be several is left out;
// so are all where there are too many to compare.
func renamedArguments(was, is []argument) map[string]string {
	without := func(list, other []argument) []argument {
		return slices.DeleteFunc(slices.Clone(list), func(a argument) bool {
			return slices.ContainsFunc(other, func(o argument) bool { return o.Name == a.Name })
		})
	}
	if len(was)*len(is) > maxPairs {
		return nil
	}
	same := func(b, a argument) bool {
		x, y := maps.Clone(members(b.raw)), maps.Clone(members(a.raw))
		delete(x, "name")
		delete(y, "name")
		alike := fold(a.Name) == fold(b.Name) || similarity(fold(a.Name), fold(b.Name)) >= possible
		return alike && b.Required == a.Required && maps.EqualFunc(x, y, equalJSON)
	}
	partners := map[string][]string{} // by the name before
	claims := map[string]int{}        // by the name after
	added := without(is, was)
	for _, b := range without(was, is) {
		for _, a := range added {
			if same(b, a) {
				partners[b.Name] = append(partners[b.Name], a.Name)
				claims[a.Name]++
			}
		}
	}
	out := map[string]string{}
	for before, after := range partners {
		if len(after) == 1 && claims[after[0]] == 1 {
			out[before] = after[0]
		}
	}
	return out
}

func (c *comparer) resources() {
	c.resourceList(KindResource, c.before.Resources, c.after.Resources)
	c.resourceList(KindTemplate, c.before.Templates, c.after.Templates)
}

func (c *comparer) resourceList(kind Kind, before, after []schema.Item) {
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

// sameNames returns the items that have the name of b.
func sameNames(b *schema.Item, list []*schema.Item) []*schema.Item {
	name := jsontext.Text(members(b.Raw)["name"])
	return slices.DeleteFunc(slices.Clone(list), func(item *schema.Item) bool {
		return name == "" || jsontext.Text(members(item.Raw)["name"]) != name
	})
}

// moved notes an item of the same name with another URI.
func (c *comparer) moved(kind Kind, b, a *schema.Item) {
	s := c.scope(kind, b.Name, hashOf(a.Raw))
	n := note{path: "/uri", before: text(b.Name), after: text(a.Name), message: "the URI is " + quote(a.Name) + " now"}
	if kind == KindTemplate {
		n.path = "/uriTemplate"
	}
	if schemeOf(b.Name) != schemeOf(a.Name) {
		n.rule = resourceSchemeChanged
		s.add(n)
	}
	switch {
	case kind == KindResource:
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

// expressions are those of a URI template.
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
