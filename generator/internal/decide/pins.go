package decide

// What the lock keeps of decisions: the member "go" in the entries of a server and its
// items. It is read strictly, because anybody may have edited it.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Pins are the decisions about one item that depend on others, so that they have to be
// kept.
type Pins struct {
	// Names holds the Go names that were short or numbered when they were given, by the
	// place in the definition; "" is the item itself.
	Names map[string]string `json:"names,omitempty"`
	// Was holds the names that a tool had before, when it was recognised under another
	// one: wire names, and the Go names of their functions. Callers of the old functions
	// are served until somebody drops them here.
	Was map[string]string `json:"was,omitempty"`
	// Keep lists the names by place that code uses, in order. Each is derived from the
	// tool: see [KeepNames].
	Keep []string `json:"keep,omitempty"`
}

// maxKept bounds the names by place of a tool in [Pins.Keep].
const maxKept = 10_000

// MaxOldNames bounds the old names of a tool in [Pins.Was].
const MaxOldNames = 20

// Pinned reads what the lock keeps of an item. What is wrong in it is left out: see
// [CheckPins].
func Pinned(item lockfile.LockedItem) Pins {
	p, _ := readPins(item.Go)
	return p
}

// WithPins is the item with these decisions.
func WithPins(item lockfile.LockedItem, p Pins) lockfile.LockedItem {
	item.Go = nil
	if len(p.Names)+len(p.Was)+len(p.Keep) > 0 {
		item.Go, _ = json.Marshal(p) // texts can always be encoded
	}
	return item
}

// WithNames returns a copy of what is locked of a server, with the server's names. Locked may be
// nil.
func WithNames(server string, locked *lockfile.LockedServer, names []ir.ShapeName) *lockfile.LockedServer {
	if locked == nil {
		return nil
	}
	out := *locked
	out.Tools, out.Prompts = maps.Clone(out.Tools), maps.Clone(out.Prompts)
	out.Resources, out.Templates = maps.Clone(out.Resources), maps.Clone(out.Templates)
	for _, n := range names {
		items := out.Items(cmp.Or(schema.Kind(n.Kind), schema.KindTool))
		if item, known := items[n.Tool]; known && n.Server == server {
			items[n.Tool] = withName(item, n.Place, n.Go)
		}
	}
	return &out
}

// withName is the item with one more name, or without the one at the place if name is "". What
// it shares with others stays as it is. With a new name of the item itself, no name by place is kept.
func withName(item lockfile.LockedItem, place, name string) lockfile.LockedItem {
	p := Pinned(item)
	if p.Names == nil {
		p.Names = map[string]string{}
	}
	if p.Names[place] = name; name == "" {
		delete(p.Names, place)
	}
	if place == "" {
		p.Keep = nil
	}
	return WithPins(item, p)
}

// ServerPins are the decisions about one server that have to be kept.
type ServerPins struct {
	// Package is the Go package name, if another server asked for the same one when this
	// one was first locked; "" is the one made of its name.
	Package string `json:"package,omitempty"`
	// Include and Exclude are the globs by which a file that is not the project's chooses
	// tools: code is made without that file, too.
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// Capitals are words that names are spelled with, because the server writes them so.
	Capitals []string `json:"capitals,omitempty"`
}

// PinnedServer reads what the lock keeps of a server; nothing of nil, and of what is wrong.
func PinnedServer(l *lockfile.LockedServer) ServerPins {
	if l == nil {
		return ServerPins{}
	}
	p, _ := readServer(l.Go)
	return p
}

// PinServer writes what [PinnedServer] reads.
func PinServer(l *lockfile.LockedServer, p ServerPins) {
	l.Go = nil
	if len(p.Package)+len(p.Include)+len(p.Exclude)+len(p.Capitals) > 0 {
		l.Go, _ = json.Marshal(p) // texts can always be encoded
	}
}

// CheckPins checks the decisions about a server that a lock keeps. The error joins one
// [*schema.Error] for each problem, with a pointer into the lock.
func CheckPins(server string, l *lockfile.LockedServer) error {
	var errs []error
	at := "/servers/" + jsontext.EscapePointer(server)
	_, wrong := readServer(l.Go)
	errs = append(errs, below(at, wrong)...)
	for _, kind := range schema.Kinds() {
		items := l.Items(kind)
		for _, name := range slices.Sorted(maps.Keys(items)) {
			_, wrong := readPins(items[name].Go)
			errs = append(errs, below(lockPlace(server, kind, name), wrong)...)
		}
	}
	return errors.Join(errs...)
}

// lockPlace is the place of an item in the lock.
func lockPlace(server string, kind schema.Kind, name string) string {
	list := string(kind) + "s"
	if kind == schema.KindTemplate {
		list = "resourceTemplates"
	}
	return "/servers/" + jsontext.EscapePointer(server) + "/" + list + "/" + jsontext.EscapePointer(name)
}

// below puts a place and next steps to the errors about a member "go".
func below(at string, wrong []*schema.Error) []error {
	var errs []error
	for _, e := range wrong {
		e.Pointer = at + "/go" + e.Pointer
		errs = append(errs, hint.With(e, "restore the file with git checkout", "remove the member, then run mcpgen generate"))
	}
	return errs
}

// maxGlobs bounds the globs that choose tools.
const maxGlobs = 10_000

// readServer reads the decisions about a server as far as they can be.
func readServer(raw json.RawMessage) (ServerPins, []*schema.Error) {
	members, wrong := readMembers(raw, "package", "include", "exclude", "capitals")
	var p ServerPins
	if m := members["package"]; m != nil && (json.Unmarshal(m, &p.Package) != nil || gopkg.Reason(p.Package) != "") {
		wrong = append(wrong, &schema.Error{Pointer: "/package", Reason: cmp.Or(gopkg.Reason(p.Package), "must be a text")})
		p.Package = ""
	}
	for name, into := range map[string]*[]string{"include": &p.Include, "exclude": &p.Exclude} {
		if m := members[name]; m != nil && (json.Unmarshal(m, into) != nil || len(*into) == 0 || len(*into) > maxGlobs) {
			wrong = append(wrong, &schema.Error{Pointer: "/" + name, Reason: "must be a list of globs"})
			*into = nil
		}
	}
	other := func(word string) bool { return !initials.MatchString(word) }
	if m := members["capitals"]; m != nil && (json.Unmarshal(m, &p.Capitals) != nil || len(p.Capitals) == 0 ||
		len(p.Capitals) > maxCapitals || slices.ContainsFunc(p.Capitals, other)) {
		wrong = append(wrong, &schema.Error{
			Pointer: "/capitals", Reason: "must be a list of words of three to five capitals"})
		p.Capitals = nil
	}
	return p, wrong
}

// readPins reads the decisions about an item as far as they can be.
func readPins(raw json.RawMessage) (Pins, []*schema.Error) {
	members, wrong := readMembers(raw, "names", "was", "keep")
	if wrong != nil {
		return Pins{}, wrong
	}
	var p Pins
	var more []*schema.Error
	p.Names, wrong = readNames(members["names"], "/names", func(place string) string {
		if place != "" && place[0] != '/' {
			return "the member name must be a JSON pointer"
		}
		return ""
	})
	p.Was, more = readNames(members["was"], "/was", func(wire string) string {
		if wire == "" {
			return "the member name is empty"
		}
		return ""
	})
	if len(p.Was) > MaxOldNames {
		reason := fmt.Sprintf("a tool can have at most %d old names", MaxOldNames)
		p.Was, more = nil, []*schema.Error{{Pointer: "/was", Reason: reason}}
	}
	wrong = append(wrong, more...)
	if m := members["keep"]; m != nil && (json.Unmarshal(m, &p.Keep) != nil || len(p.Keep) == 0 || len(p.Keep) > maxKept) {
		reason := fmt.Sprintf("must be a list of at most %d Go names", maxKept)
		p.Keep, wrong = nil, append(wrong, &schema.Error{Pointer: "/keep", Reason: reason})
	}
	for i, name := range p.Keep {
		if err := checkGiven(name); err != nil {
			wrong = append(wrong, &schema.Error{Pointer: fmt.Sprintf("/keep/%d", i), Reason: err.Error()})
		}
	}
	return p, wrong
}

// readMembers reads an object that may have these members alone.
func readMembers(raw json.RawMessage, known ...string) (map[string]json.RawMessage, []*schema.Error) {
	if raw == nil {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, []*schema.Error{{Reason: "must be an object"}}
	}
	var wrong []*schema.Error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(known, name) {
			wrong = append(wrong, &schema.Error{Pointer: "/" + jsontext.EscapePointer(name), Reason: "unknown member"})
		}
	}
	return members, wrong
}

// readNames reads an object of Go names. Wrong says what is wrong with a member's name.
func readNames(raw json.RawMessage, at string,
	wrong func(key string) string) (names map[string]string, errs []*schema.Error) {
	if raw == nil {
		return nil, nil
	}
	var texts map[string]json.RawMessage
	if json.Unmarshal(raw, &texts) != nil || texts == nil {
		return nil, []*schema.Error{{Pointer: at, Reason: "must be an object"}}
	}
	names = map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		name, reason := "", wrong(key)
		if reason == "" && (json.Unmarshal(texts[key], &name) != nil || checkGiven(name) != nil) {
			reason = "must be an exported Go identifier"
			if err := checkGiven(name); name != "" && err != nil {
				reason = err.Error()
			}
		}
		if reason != "" {
			errs = append(errs, &schema.Error{Pointer: at + "/" + jsontext.EscapePointer(key), Reason: reason})
			continue
		}
		names[key] = name
	}
	if len(names) == 0 {
		names = nil
	}
	return names, errs
}

// locked returns the names of the item that have to be written down, by place: the
// short ones, the numbered ones, and also the one that the others were numbered behind.
func (it *item) locked() map[string]string {
	names := it.named()
	contested := map[naming]bool{}
	for _, n := range names {
		if n.name != n.base && n.base != "" {
			contested[naming{scope: n.scope, base: n.base}] = true
		}
	}
	pins := map[string]string{}
	for key, n := range names {
		if n.name != n.base || key != "" && contested[naming{scope: n.scope, base: n.base}] {
			pins[key] = n.name
		}
	}
	return pins
}
