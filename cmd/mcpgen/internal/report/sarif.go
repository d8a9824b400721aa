// SARIF 2.1.0, for code scanning.

package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/drift"
)

const homepage = "https://github.com/mcpgen/mcpgen"

// staleRule is the rule for outdated generated files.
const staleRule = "generated-file-stale"

func writeSARIF(r *Report, o *Options) ([]byte, error) {
	run := &sarifRun{
		Invocations: []sarifInvocation{invocation(r)},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	run.Tool.Driver = sarifDriver{Name: "mcpgen", Version: o.Version, InformationURI: homepage, Rules: []sarifRule{}}
	for _, l := range r.ownLines() {
		for _, f := range l.found {
			run.Results = append(run.Results, run.result(f.server, f.change, &f.site, o))
		}
	}
	for s, c := range r.ByServer() {
		if !touched(c) && !c.Accepted {
			run.Results = append(run.Results, run.result(s, c, nil, o))
		}
	}
	for _, f := range r.Stale {
		run.Results = append(run.Results, run.stale(f))
	}
	if n := len(run.Results) - maxResults; n > 0 {
		run.Results = run.Results[:maxResults]
		run.Invocations[0].note("number of results that are left out: " + strconv.Itoa(n) +
			": mcpgen check --format json lists them")
	}
	data, err := json.MarshalIndent(sarifLog{sarifSchema, "2.1.0", []*sarifRun{run}}, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(inertJSON(data), '\n'), nil
}

// maxResults bounds the results. GitHub shows no more for one run.
const maxResults = 5000

// rule returns the index of a rule, and adds the rule on first use.
func (run *sarifRun) rule(id, doc string, class drift.Class) int {
	for i, r := range run.Tool.Driver.Rules {
		if r.ID == id {
			return i
		}
	}
	r := sarifRule{ID: id, ShortDescription: sarifText{plainMessage(doc)}, HelpURI: homepage + "#drift"}
	r.Properties.Tags = []string{string(class)}
	run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r)
	return len(run.Tool.Driver.Rules) - 1
}

// result returns a change at a line of the user's module, or where it was locked if site is nil.
func (run *sarifRun) result(s *Server, c *Change, site *drift.CallSite, o *Options) sarifResult {
	rule := c.Rule.String()
	message := s.Server + ": " + title(c.Kind, c.Name) + ": " + c.Message
	if c.Path != "" {
		message += " (at " + c.Path + ")"
	}
	if isCall(c) && len(c.Witness) <= maxWitness {
		message += "; this call worked before and is now refused: " + command(s.Server, c)
	}
	parts := []string{s.Server, string(c.Kind), c.Name, rule, c.Path, c.AfterHash}
	result := sarifResult{
		RuleID: rule, RuleIndex: run.rule(rule, c.Rule.Doc(), c.Class), Level: o.level(c, "note"),
		Message:             sarifText{plainMessage(message)},
		Locations:           []sarifLocation{location(s, c)},
		PartialFingerprints: map[string]string{"mcpgen/v1": hash(parts...)},
		Properties: &sarifDetails{
			Severity: c.Severity, Class: c.Class, Server: s.Server, Kind: c.Kind,
			Name: c.Name, Path: c.Path, Hash: c.AfterHash, Witness: c.Witness,
		},
	}
	if site == nil {
		return result
	}
	result.Message = sarifText{plainMessage(message + "; " + verb(*site) + " " + site.Symbol)}
	if site.Error != "" {
		result.Message.Text += plainMessage("; the compiler: " + site.Error)
	}
	if snapshot := result.Locations[0]; snapshot.Physical != nil {
		snapshot.Message = &sarifText{plainMessage("the definition that was locked")}
		result.RelatedLocations = []sarifLocation{snapshot}
	}
	at := physical(Position{site.File, site.Line})
	result.Locations = []sarifLocation{{Physical: at, Logical: result.Locations[0].Logical}}
	result.PartialFingerprints["mcpgen/v1"] = hash(append(parts, site.File, site.Source)...)
	return result
}

// location returns the place of a change: the locked line, and a name for readers that do not open files.
func location(s *Server, c *Change) sarifLocation {
	at, name := c.Position, s.Server
	if at.File == "" {
		at = s.Position
	}
	if c.Name != "" {
		name += "/" + c.Name
	}
	return sarifLocation{Physical: physical(at), Logical: []sarifLogical{{FullyQualifiedName: name, Kind: "member"}}}
}

// physical returns a position in a file; nil if it is unknown.
func physical(at Position) *sarifPhysical {
	if at.File == "" {
		return nil
	}
	p := new(sarifPhysical)
	p.Artifact.URI, p.Artifact.URIBaseID = (&url.URL{Path: at.File}).String(), "%SRCROOT%"
	if at.Line > 0 {
		p.Region = &sarifRegion{StartLine: at.Line}
	}
	return p
}

func (run *sarifRun) stale(f File) sarifResult {
	return sarifResult{
		RuleID: staleRule, Level: "error",
		RuleIndex:           run.rule(staleRule, "a generated file is not what would be written", drift.ClassSource),
		Message:             sarifText{plainMessage(f.Path + ": " + f.State + ": run mcpgen generate and commit the result")},
		Locations:           []sarifLocation{{Physical: physical(Position{File: f.Position.File})}},
		PartialFingerprints: map[string]string{"mcpgen/v1": hash(staleRule, f.Path, f.State)},
	}
}

// invocation reports whether the run could check everything.
func invocation(r *Report) sarifInvocation {
	in := sarifInvocation{ExecutionSuccessful: true}
	note := func(text string) {
		in.ExecutionSuccessful = false
		in.note(text)
	}
	for i := range r.Servers {
		if s := &r.Servers[i]; s.Verdict == drift.Unchecked {
			note(s.Server + ": could not be checked: " + s.reason())
		}
	}
	if r.Error != "" {
		note("the generated files could not be compared: " + r.Error)
	}
	return in
}

func (in *sarifInvocation) note(text string) {
	in.Notifications = append(in.Notifications, sarifNotification{Level: "error", Message: sarifText{plainMessage(text)}})
}

// plainMessage escapes characters with a meaning in a plain text message of SARIF: brackets are links
// (3.11.6), braces are placeholders (3.11.5).
func plainMessage(text string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `{`, `{{`, `}`, `}}`).Replace(line(text))
}

// hash returns a fingerprint that identifies a result across runs.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
