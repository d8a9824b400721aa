// JUnit XML for the test pages of CI systems. One suite has the failing lines of the user's module, and
// one suite per server has a test for each changed item. An item only fails by changes without a failing
// line.

package report

import (
	"bytes"
	"encoding/xml"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Attributes that readers of JUnit files require and that a check cannot provide.
const (
	noTime = "0.000"
	noHost = "localhost"
)

func writeJUnit(r *Report, o *Options) ([]byte, error) {
	var all junit.Testsuites
	if lines := r.ownLines(); len(lines) > 0 {
		all.Suites = append(all.Suites, linesSuite(lines, o))
	}
	for i := range r.Servers {
		all.Suites = append(all.Suites, suite(&r.Servers[i], o))
	}
	if len(r.Stale) > 0 || r.Error != "" {
		all.Suites = append(all.Suites, staleSuite(r, o))
	}
	for i := range all.Suites {
		all.Suites[i].ID = i
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := all.WriteXML(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// newSuite returns a suite with the attributes that every reader of JUnit files requires.
func newSuite(name string, o *Options) junit.Testsuite {
	at := o.Time
	if at.IsZero() {
		at = time.Unix(0, 0)
	}
	ts := junit.Testsuite{
		Name: xmlText(name), Package: "mcpgen", Hostname: noHost, Time: noTime,
		Timestamp: at.UTC().Format("2006-01-02T15:04:05"),
	}
	ts.AddProperty("mcpgen", xmlText(o.Version))
	return ts
}

func suite(s *Server, o *Options) junit.Testsuite {
	ts := newSuite(s.Server, o)
	class := "mcpgen." + xmlText(s.Server)
	if s.Verdict == drift.Unchecked {
		text := xmlText(s.reason())
		ts.AddTestcase(junit.Testcase{Name: "check", Classname: class, Time: noTime,
			Error: &junit.Result{Message: "could not be checked", Type: s.State, Data: text}})
	}
	var out strings.Builder
	for _, g := range groups(s) {
		text, failed := itemText(s.Server, g, o)
		tc := junit.Testcase{Name: xmlText(title(g.kind, g.name)), Classname: class, Time: noTime}
		if failed != nil {
			tc.Failure = &junit.Result{Message: xmlText(failed.Message), Type: failed.Rule.String(), Data: text}
		} else {
			out.WriteString(title(g.kind, g.name) + "\n" + text)
		}
		ts.AddTestcase(tc)
	}
	if ts.Tests == 0 {
		ts.AddTestcase(junit.Testcase{Name: "check", Classname: class, Time: noTime})
	}
	ts.SystemOut, ts.SystemErr = &junit.Output{Data: xmlText(out.String())}, &junit.Output{}
	return ts
}

// linesSuite returns a suite with a test for each line.
func linesSuite(lines []ownLine, o *Options) junit.Testsuite {
	ts := newSuite("your code", o)
	for _, l := range lines {
		tc := junit.Testcase{Name: xmlText(l.at().String()), Classname: "mcpgen.lines", Time: noTime}
		if l.fails(o) {
			worst := l.found[0]
			tc.Failure = &junit.Result{Message: xmlText(worst.item() + ": " + worst.change.Message),
				Type: worst.change.Rule.String(), Data: xmlText(l.Source + "\n" + l.says())}
		}
		ts.AddTestcase(tc)
	}
	ts.SystemOut, ts.SystemErr = &junit.Output{Data: safetext.Count(len(lines), "line") + "\n"}, &junit.Output{}
	return ts
}

// itemText returns the text of one item's changes, and the first one that fails.
func itemText(server string, g group, o *Options) (string, *Change) {
	p := &page{width: 100, o: &Options{}}
	var failed *Change
	for _, c := range g.changes {
		p.change(server, c)
		if failed == nil && o.fails(c) && !touched(c) {
			failed = c
		}
	}
	return xmlText(p.b.String()), failed
}

func staleSuite(r *Report, o *Options) junit.Testsuite {
	ts := newSuite("generated files", o)
	for _, f := range r.Stale {
		ts.AddTestcase(junit.Testcase{Name: xmlText(f.Path), Classname: "mcpgen.files", Time: noTime,
			Failure: &junit.Result{Message: xmlText(f.State), Type: staleRule,
				Data: "run mcpgen generate and commit the result"}})
	}
	if r.Error != "" {
		ts.AddTestcase(junit.Testcase{Name: "generate --check", Classname: "mcpgen.files", Time: noTime,
			Error: &junit.Result{Message: "could not be compared", Type: "error", Data: xmlText(r.Error)}})
	}
	ts.SystemOut, ts.SystemErr = &junit.Output{Data: safetext.Count(len(r.Stale), "stale file") + "\n"}, &junit.Output{}
	return ts
}

// xmlText keeps only characters that XML 1.0 allows and that do not control a terminal. The text goes
// into CDATA, where nothing can be escaped.
func xmlText(text string) string {
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		indent := len(part) - len(strings.TrimLeft(part, " "))
		lines = append(lines, part[:indent]+line(part[indent:]))
	}
	return strings.Join(lines, "\n")
}
