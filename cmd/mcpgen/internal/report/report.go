// Package report formats the findings of a check or an update as text, JSON, markdown, SARIF, JUnit and
// GitHub annotations.
//
// Names, messages and values come from servers, and every format has special syntax: escape sequences,
// workflow commands, tags, tables, links. Each format escapes foreign text in one function.
package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// The states of a server. Package drift also uses "checked" and "new".
const (
	StateChecked     = "checked"     // compared
	StateNew         = "new"         // new, so there is nothing to compare with
	StateGone        = "gone"        // removed
	StateUnlocked    = "unlocked"    // not in the lock, so there is nothing to compare with
	StateUnreachable = "unreachable" // could not be reached or listed, so its state is unknown
	StateRefused     = "refused"     // not started: its launch differs from the lock
	StateInvalid     = "invalid"     // its configuration, lock or snapshot cannot be read
)

// Report holds the findings. Its JSON form is published: see [Schema].
type Report struct {
	Verdict drift.Verdict `json:"verdict"` // the worst verdict of the servers
	Servers []Server      `json:"servers"`
	Stale   []File        `json:"stale,omitempty"` // outdated generated files
	Error   string        `json:"error,omitempty"` // why the generated files could not be compared
	// Accepted are the acceptances that this branch adds to the lock.
	Accepted []Accepted `json:"accepted,omitempty"`
	// Unseen lists parts of the module that could not be searched for calls.
	Unseen []Unseen `json:"unseen,omitempty"`
}

// Accepted is a finding that a user accepted. The server itself has the kind [drift.KindServer], and no name.
type Accepted provenance.Finding

// String returns the name for update --accept.
func (a Accepted) String() string { return selector(a.Server, a.Kind, a.Name, a.Rule) }

// Server holds the findings about one server.
type Server struct {
	Server  string        `json:"server"`
	Verdict drift.Verdict `json:"verdict"`
	State   string        `json:"state"`           // one of the states above
	Error   string        `json:"error,omitempty"` // why the server could not be checked
	Changes []Change      `json:"changes"`
	// Off are the changes that do not count: their rule is off, or a user accepted them for a while.
	Off []Change `json:"off,omitempty"`
	// Unoffered are items that the server does not list, because fewer capabilities are declared than when it
	// was locked. They are not changes.
	Unoffered []Unoffered `json:"unoffered,omitempty"`
	// Took describes what a first lock includes; "" if the server was locked before.
	Took string `json:"took,omitempty"`
	// Repaired are lines that a change breaks at the base of the branch, but not in the branch.
	Repaired []drift.CallSite `json:"repaired,omitempty"`
	Position Position         `json:"-"` // where the server is configured
}

// Unoffered is an item that a server may offer to clients with more capabilities.
type Unoffered struct {
	Kind  schema.Kind `json:"kind"`
	Name  string      `json:"name"`
	Needs []string    `json:"needs"` // capabilities that were declared when it was locked, but are not now
}

// UnofferedText names the items that a server does not list because of missing capabilities; "" if there
// are none.
func UnofferedText(all []Unoffered) string {
	var items []string
	for _, u := range all {
		items = append(items, title(u.Kind, u.Name))
	}
	if items == nil {
		return ""
	}
	needs := strings.Join(all[0].Needs, ", ")
	return "not offered, because the key client no longer declares " + needs + ": " + strings.Join(items, ", ")
}

// Change is one difference.
type Change struct {
	drift.Change
	// CallSites are the call sites of the change; never nil, so that the JSON always has an array.
	CallSites []drift.CallSite `json:"callSites"`
	// Remedy is the next step for the change, in one clause; "" if the message suffices.
	Remedy string `json:"remedy,omitempty"`
	// AfterHash is the hash of the definition after the change, for an entry of drift.ignore.
	AfterHash string `json:"hash,omitempty"`
	// Accepted says that the lock of a branch accepts the change and no line of the branch breaks: such a
	// change does not fail the check, whatever its severity.
	Accepted bool     `json:"accepted,omitempty"`
	Position Position `json:"-"` // of the locked definition

	Words string `json:"-"` // removed and added words; "" if the change is not shown this way
	New   string `json:"-"` // the texts that came with any other change, marked as added; may be empty
}

// Position is a line of a file, relative to the root of the repository and with slashes. The zero value
// means unknown.
type Position struct {
	File string
	Line int // 0 is the whole file
}

// String returns file:line.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// File is an outdated generated file.
type File struct {
	Path     string   `json:"path"`
	State    string   `json:"state"`
	Position Position `json:"-"` // the file, relative to the root of the repository
}

// Unseen is a part of the module that could not be searched for calls.
type Unseen struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// Of converts a report of package drift. The caller adds positions, states and errors.
func Of(d *drift.Report) *Report {
	r := &Report{Verdict: d.Verdict, Servers: []Server{}}
	for _, s := range d.Servers {
		out := Server{Server: s.Server, Verdict: s.Verdict, State: s.State, Error: s.Error, Changes: []Change{}}
		for _, c := range s.Changes {
			out.Changes = append(out.Changes, changeOf(s.Server, c))
		}
		for _, c := range s.Off {
			out.Off = append(out.Off, changeOf(s.Server, c))
		}
		out.showOnce()
		r.Servers = append(r.Servers, out)
	}
	return r
}

// showOnce removes the new text of findings about texts that another change of the item shows.
func (s *Server) showOnce() {
	shown := map[item][]*Change{} // the other changes with texts
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Class != drift.ClassSecurity && c.Words+c.New != "" {
			shown[item{c.Kind, c.Name}] = append(shown[item{c.Kind, c.Name}], c)
		}
	}
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Class == drift.ClassSecurity && slices.ContainsFunc(shown[item{c.Kind, c.Name}], func(o *Change) bool {
			return o.Words != "" && o.Path == c.Path || strings.Contains(o.New, c.New)
		}) {
			c.New = ""
		}
	}
}

func changeOf(server string, c drift.Change) Change {
	change := Change{Change: c, AfterHash: c.Hash, CallSites: append([]drift.CallSite{}, c.CallSites...)}
	change.Remedy = remedy(server, &change)
	if change.worded() {
		change.Words = wordsChanged(c.Before, c.After)
		if was, now := shown(&change); was+now != "" {
			change.Message += ": " + change.Words
			change.Aside += ": " + change.Words
		}
		return change
	}
	for _, text := range c.NewTexts() {
		if c.Kind != drift.KindServer && !strings.Contains(c.Message, text) {
			change.New = strings.TrimSpace(change.New + " " + wordsAdded(strings.Fields(text)))
		}
	}
	return change
}

// worded reports whether a change is shown by its words: a changed text, or a detail outside the
// contract.
func (c *Change) worded() bool {
	return c.IsText() || c.Rule.Class() == drift.ClassModel && c.Rule.Severity(drift.Caller) == drift.Off
}

// ReplaceInRemedies replaces a command in the remedies of a server's changes, for example by one that works
// where the report was made.
func (s *Server) ReplaceInRemedies(was, is string) {
	for _, changes := range [][]Change{s.Changes, s.Off} {
		for i := range changes {
			changes[i].Remedy = strings.ReplaceAll(changes[i].Remedy, was, is)
		}
	}
}

// Updated takes the update from the remedies of a server's changes: the lock has them.
func (s *Server) Updated() {
	for i := range s.Changes {
		s.Changes[i].Remedy = afterUpdate(s.Changes[i].Remedy)
	}
}

// calm reports whether a change is a changed text that breaks nothing. Reports list such changes in one
// section.
func calm(c *Change) bool {
	return c.Words != "" && !c.Severity.AtLeast(drift.Unknown) && c.Class == drift.ClassModel
}

// Advice describes a change with its item, and what to do about it after it was accepted; "" if nothing
// needs to be added.
func Advice(server string, c drift.Change) (said, way string) {
	change := changeOf(server, c)
	return line(server) + "/" + item{c.Kind, c.Name}.String() + ": " + summary(&change), afterUpdate(change.Remedy)
}

// Parse decodes the JSON form of a report. Its error describes what is wrong with data.
func Parse(data []byte) (*Report, error) {
	var r Report
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	if r.Verdict == "" || r.Servers == nil {
		return nil, errors.New("the member \"verdict\" or \"servers\" is missing")
	}
	return &r, nil
}

// WriteItem writes the changes of one item in full detail.
func WriteItem(w io.Writer, server string, changes []Change, o Options) error {
	p := newPage(&o)
	p.wrap(0, line(server)+": "+title(changes[0].Kind, changes[0].Name))
	for i := range changes {
		p.change(server, &changes[i])
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// ByServer yields every change with its server.
func (r *Report) ByServer() iter.Seq2[*Server, *Change] {
	return func(yield func(*Server, *Change) bool) {
		for i := range r.Servers {
			s := &r.Servers[i]
			for j := range s.Changes {
				if !yield(s, &s.Changes[j]) {
					return
				}
			}
		}
	}
}

// All yields every change.
func (r *Report) All() iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		r.ByServer()(func(_ *Server, c *Change) bool { return yield(c) })
	}
}

// Any reports whether a change is as wanted.
func (r *Report) Any(want func(*Change) bool) bool {
	for c := range r.All() {
		if want(c) {
			return true
		}
	}
	return false
}

// count returns the number of changes that are as wanted.
func (r *Report) count(want func(*Change) bool) int {
	n := 0
	for c := range r.All() {
		if want(c) {
			n++
		}
	}
	return n
}

// Sum sets the verdict of a compared server to the worst of its changes. Accepted changes count as
// harmless.
func (s *Server) Sum() {
	if s.Verdict == drift.Unchecked {
		return
	}
	one := &drift.ServerReport{}
	for _, c := range s.Changes {
		if c.Accepted {
			c.Severity = drift.Info
		}
		one.Changes = append(one.Changes, c.Change)
	}
	one.Drop(func(*drift.Change) bool { return false })
	s.Verdict = one.Verdict
}

// Sum sets the verdict of the report to the worst verdict of its servers.
func (r *Report) Sum() {
	all := &drift.Report{}
	for _, s := range r.Servers {
		all.Servers = append(all.Servers, drift.ServerReport{Verdict: s.Verdict})
	}
	r.Verdict = drift.Join(all).Verdict
}

// counts lists numbers with their nouns, without the zeros.
func counts(pairs ...any) string {
	var parts []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", pair...))
		}
	}
	return strings.Join(parts, ", ")
}

// Format is the format of a report.
type Format string

// The formats.
const (
	Text     Format = "text"
	JSON     Format = "json"
	Markdown Format = "markdown"
	SARIF    Format = "sarif"
	JUnit    Format = "junit"
	GitHub   Format = "github"
)

// Formats returns all formats.
func Formats() []Format { return []Format{Text, JSON, Markdown, SARIF, JUnit, GitHub} }

// ParseFormat returns the format called name; "" is Text.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Text, nil
	}
	if !slices.Contains(Formats(), Format(name)) {
		var names []string
		for _, f := range Formats() {
			names = append(names, string(f))
		}
		return "", fmt.Errorf("%q is not a format: want one of %s", name, strings.Join(names, ", "))
	}
	return Format(name), nil
}

// Options say how a report is written. The zero value is for a check in which only breaking and unknown
// changes fail.
type Options struct {
	Version string                    // of mcpgen
	Fails   func(drift.Severity) bool // whether a change of a severity fails the check; nil: breaking and unknown
	All     bool                      // text: every change in full detail, of any length
	Color   bool                      // text: ANSI colors
	Tree    bool                      // text: related lines are drawn as a tree
	Verbose bool                      // text: with All, also hashes
	Width   int                       // text: columns; 0 is 80
	Lines   int                       // text without All: lines, at least [FewLines]; 0 is [MaxLines]
	Time    time.Time                 // JUnit: the time of the check
}

func (o *Options) fails(c *Change) bool {
	switch {
	case c.Accepted:
		return false
	case o.Fails == nil:
		return c.Severity.AtLeast(drift.Unknown)
	}
	return o.Fails(c.Severity)
}

// level returns the level of a change: "error" if it fails the check, mild if it is harmless.
func (o *Options) level(c *Change, mild string) string {
	switch {
	case o.fails(c):
		return "error"
	case c.Severity.AtLeast(drift.Warning) && !c.Accepted:
		return "warning"
	}
	return mild
}

// Write writes a report in a format.
func Write(w io.Writer, f Format, r *Report, o Options) error {
	writers := map[Format]func(*Report, *Options) ([]byte, error){
		Text: writeText, JSON: writeJSON, Markdown: writeMarkdown,
		SARIF: writeSARIF, JUnit: writeJUnit, GitHub: writeGitHub,
	}
	write := writers[f]
	if write == nil {
		return fmt.Errorf("%q is not a format", f)
	}
	data, err := write(r, &o)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// writeJSON writes the published JSON form. Characters that control a terminal are escaped.
func writeJSON(r *Report, _ *Options) ([]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(inertJSON(data), '\n'), nil
}

// group is the changes of one item.
type group struct {
	kind    schema.Kind
	name    string
	changes []*Change
}

// whole returns the server with all changes; changes that do not count come last.
func (s *Server) whole() *Server {
	all := *s
	all.Changes = slices.Concat(s.Changes, s.Off)
	return &all
}

// groups groups the changes of a server by item, ordered by the severity of the item's worst change, then
// as in the report.
func groups(s *Server) []group {
	var out []group
	for i := range s.Changes {
		c := &s.Changes[i]
		i := slices.IndexFunc(out, func(g group) bool { return g.kind == c.Kind && g.name == c.Name })
		if i < 0 {
			i = len(out)
			out = append(out, group{kind: c.Kind, name: c.Name})
		}
		out[i].changes = append(out[i].changes, c)
	}
	for i := range out {
		slices.SortStableFunc(out[i].changes, func(a, b *Change) int { return worse(a.Severity, b.Severity) })
	}
	slices.SortStableFunc(out, func(a, b group) int { return worse(a.changes[0].Severity, b.changes[0].Severity) })
	return out
}

// worse sorts the worse severity first.
func worse(a, b drift.Severity) int {
	switch {
	case a == b:
		return 0
	case a.AtLeast(b):
		return -1
	}
	return 1
}

//go:embed report.schema.json
var schemaFile string

// Schema returns the JSON Schema of the JSON report.
func Schema() []byte { return []byte(schemaFile) }

// FleetSchema returns the JSON Schema of the JSON report about a fleet.
func FleetSchema() []byte {
	return []byte(strings.NewReplacer("mcpgen report", "mcpgen fleet report",
		"What mcpgen check --format json and mcpgen update --format json print.",
		"What mcpgen check --fleet FILE --format json prints.",
		`"$ref": "#/$defs/report",`, `"$ref": "#/$defs/fleet",`).Replace(schemaFile))
}
