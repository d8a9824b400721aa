package drift

// This file compares the parts of a tool other than its schemas: texts for people, hints, and how the tool is
// called.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// toolDocs compares texts for people, and _meta.
func (s *scope) toolDocs(before, after json.RawMessage) {
	b, a := members(before), members(after)
	s.member(toolTitleChanged, "/title", "", b["title"], a["title"])
	ab, aa := members(b["annotations"]), members(a["annotations"])
	s.member(toolTitleChanged, "/annotations/title", "", ab["title"], aa["title"])
	if jsontext.Text(b["description"]) != "" && jsontext.Text(a["description"]) == "" {
		s.member(toolDescriptionRemoved, "/description", "", b["description"], a["description"])
	} else {
		s.member(toolDescriptionChanged, "/description", "", b["description"], a["description"])
	}
	s.icons(b["icons"], a["icons"])
	s.member(toolMetaUIChanged, "/_meta/ui", "the tool's user interface (_meta.ui) differs",
		members(b["_meta"])["ui"], members(a["_meta"])["ui"])
	s.member(toolMetaChanged, "/_meta", "", b["_meta"], a["_meta"])
}

// icons compares the icons and checks the sources of new ones.
func (s *scope) icons(before, after json.RawMessage) {
	if !s.member(toolIconsChanged, "/icons", "", before, after) {
		return
	}
	known := map[string]bool{}
	for _, src := range sources(before) {
		known[src] = true
	}
	for i, src := range sources(after) {
		low := strings.ToLower(src)
		if !known[src] && !strings.HasPrefix(low, "https://") && !strings.HasPrefix(low, "data:") {
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
	known := []string{"title"}
	for _, h := range hintRules() {
		known = append(known, h.name)
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
	s.others(toolMetaChanged, "/annotations/", "the annotation %s differs", before, after, known...)
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
		n.rule, n.message = toolTaskOptional, ""
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
