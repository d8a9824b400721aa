package drift

// This file compares the parts of a tool other than its schemas: texts for people, hints, and how the tool is
// called.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// toolDocs compares texts for people, and _meta.
func (s *scope) toolDocs(before, after json.RawMessage) {
	b, a := members(before), members(after)
	s.member(toolTitleChanged, "/title", "the title differs", b["title"], a["title"])
	ab, aa := members(b["annotations"]), members(a["annotations"])
	s.member(toolTitleChanged, "/annotations/title", "the title differs", ab["title"], aa["title"])
	if jsontext.Text(b["description"]) != "" && jsontext.Text(a["description"]) == "" {
		s.member(toolDescriptionRemoved, "/description", "the description is gone", b["description"], a["description"])
	} else {
		s.member(toolDescriptionChanged, "/description", "the description differs", b["description"], a["description"])
	}
	s.icons(b["icons"], a["icons"])
	s.member(toolMetaUIChanged, "/_meta/ui", "the tool's user interface (_meta.ui) differs", members(b["_meta"])["ui"], members(a["_meta"])["ui"])
	s.member(toolMetaChanged, "/_meta", "_meta differs", b["_meta"], a["_meta"])
}

// member adds a note if two values differ.
func (s *scope) member(rule *row, path, message string, before, after json.RawMessage) bool {
	if equalJSON(before, after) {
		return false
	}
	s.add(note{rule: rule, path: path, message: message, before: before, after: after})
	return true
}

// icons compares the icons and checks the sources of new ones.
func (s *scope) icons(before, after json.RawMessage) {
	if !s.member(toolIconsChanged, "/icons", "the icons differ", before, after) {
		return
	}
	known := map[string]bool{}
	for _, src := range sources(before) {
		known[src] = true
	}
	for i, src := range sources(after) {
		if low := strings.ToLower(src); !known[src] && !strings.HasPrefix(low, "https://") && !strings.HasPrefix(low, "data:") {
			s.add(note{
				rule: toolIconUnsafe, path: fmt.Sprintf("/icons/%d/src", i),
				message: "the icon " + quote(src) + " is neither an https: nor a data: URL", after: text(src),
			})
		}
	}
}

// sources returns the source of each icon in a list.
func sources(icons json.RawMessage) []string {
	var list []json.RawMessage
	_ = json.Unmarshal(icons, &list) // nil unless icons is a list
	srcs := make([]string, len(list))
	for i, icon := range list {
		srcs[i] = jsontext.Text(members(icon)["src"])
	}
	return srcs
}

// hint is one of the protocol's hints and the rules about it.
type hint struct {
	name          string
	absent        bool // the default if the hint is absent
	raised        *row // false to true
	lowered       *row // true to false
	writesMatters bool // irrelevant while the tool only reads
}

func hintRules() []hint {
	return []hint{
		{"readOnlyHint", false, hintReadonlyClaimed, hintReadonlyDropped, false},
		{"destructiveHint", true, hintDestructiveRaised, hintDestructiveLowered, true},
		{"idempotentHint", false, hintIdempotentClaimed, hintIdempotentDropped, true},
		{"openWorldHint", true, hintOpenworldRaised, hintOpenworldLowered, false},
	}
}

// hintValue returns a hint's value, and whether it is present.
func hintValue(annotations json.RawMessage, h hint) (value, written bool) {
	raw := members(annotations)[h.name]
	switch string(raw) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return h.absent, false
}

// hintWord returns a hint's value as text, or "absent".
func hintWord(value, written bool) string {
	if !written {
		return "absent"
	}
	return strconv.FormatBool(value)
}

// hints compares the effective values of hints.
func (s *scope) hints(before, after json.RawMessage) {
	readOnly := hintRules()[0]
	onlyRead, _ := hintValue(before, readOnly)
	onlyReads, _ := hintValue(after, readOnly)
	for _, h := range hintRules() {
		was, wasWritten := hintValue(before, h)
		is, isWritten := hintValue(after, h)
		n := note{
			path: "/annotations/" + h.name, before: members(before)[h.name], after: members(after)[h.name],
			message: fmt.Sprintf("%s was %s and is %s", h.name, hintWord(was, wasWritten), hintWord(is, isWritten)),
		}
		switch {
		case was == is && wasWritten == isWritten:
			continue
		case was == is:
			n.rule, n.message = hintDefaultWritten, fmt.Sprintf("%s is written differently and still means %t", h.name, is)
		case h.writesMatters && onlyReads:
			n.rule, n.message = hintMeaningless, h.name+" differs, and means nothing for a tool that only reads"
		case h.writesMatters && onlyRead && !isWritten:
			continue // the default applies because the tool writes now; hintReadonlyDropped covers it
		case is:
			n.rule = h.raised
		default:
			n.rule = h.lowered
		}
		s.add(n)
	}
	s.otherHints(before, after)
}

// otherHints compares annotations that the protocol does not define.
func (s *scope) otherHints(before, after json.RawMessage) {
	known := []string{"title"}
	for _, h := range hintRules() {
		known = append(known, h.name)
	}
	s.others(toolMetaChanged, "/annotations/", "the annotation %s differs", before, after, known...)
}

// others compares the unknown members of two objects.
func (s *scope) others(rule *row, path, message string, before, after json.RawMessage, known ...string) {
	b, a := members(before), members(after)
	for _, name := range union(b, a) {
		if !slices.Contains(known, name) {
			s.member(rule, path+jsontext.EscapePointer(name), fmt.Sprintf(message, quote(name)), b[name], a[name])
		}
	}
}

// union returns the names of two objects, sorted.
func union(a, b map[string]json.RawMessage) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}

// execution compares the task support of a tool.
func (s *scope) execution(before, after json.RawMessage) {
	rawB, rawA := members(before)["execution"], members(after)["execution"]
	b, a := members(rawB), members(rawA)
	was, is := cmp.Or(jsontext.Text(b["taskSupport"]), "forbidden"), cmp.Or(jsontext.Text(a["taskSupport"]), "forbidden")
	n := note{path: "/execution/taskSupport", before: b["taskSupport"], after: a["taskSupport"]}
	switch is {
	case "required":
		n.rule, n.message = toolTaskRequired, "the tool has to be called as a task: a plain call is refused"
	case "optional":
		n.rule, n.message = toolTaskOptional, "the tool may be called as a task"
	case "forbidden":
		n.rule, n.message = toolTaskForbidden, "the tool cannot be called as a task any more"
	default:
		n.rule, n.message = toolMemberChanged, "taskSupport is "+quote(is)+", which the protocol does not know"
	}
	if was != is {
		s.add(n)
	}
	s.others(toolMemberChanged, "/execution/", "how the tool is called differs in %s", rawB, rawA, "taskSupport")
}

// otherMembers compares members of a definition that the protocol does not define.
func (s *scope) otherMembers(before, after json.RawMessage) {
	s.others(toolMemberChanged, "/", unknownMember, before, after,
		"name", "title", "description", "icons", "_meta", "annotations", "inputSchema", "outputSchema", "execution")
}

// toolNames finds tools with equal or confusingly similar names.
func (c *comparer) toolNames() {
	old := map[string]int{}
	for _, item := range c.before.Tools {
		old[item.Name]++
	}
	count := map[string]int{}
	looks, folds := map[string][]string{}, map[string][]string{}
	items := byName(c.after.Tools)
	for _, item := range c.after.Tools {
		if count[item.Name]++; count[item.Name] > 1 {
			continue
		}
		looks[skeleton(item.Name)] = append(looks[skeleton(item.Name)], item.Name)
		folds[fold(item.Name)] = append(folds[fold(item.Name)], item.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(items)) {
		s := c.scope(schema.KindTool, name, hashOf(items[name].Raw))
		if count[name] > 1 && old[name] < 2 {
			s.add(note{rule: toolNameDuplicate, path: "/name", message: fmt.Sprintf("%d tools have this name", count[name]), after: text(name)})
		}
		if old[name] > 0 {
			continue
		}
		s.alike(toolConfusableAdded, "looks like", name, looks[skeleton(name)], func(other string) bool { return fold(other) != fold(name) })
		s.alike(toolNameCollision, "differs only in case and separators from", name, folds[fold(name)], func(string) bool { return true })
	}
}

func (s *scope) alike(rule *row, how, name string, others []string, counts func(string) bool) {
	for _, other := range others {
		if other != name && counts(other) {
			s.add(note{rule: rule, path: "/name", message: "the name " + quote(name) + " " + how + " " + quote(other), after: text(name)})
			return
		}
	}
}
