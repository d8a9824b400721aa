package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func TestClean(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text, ünïcode 日本", "plain text, ünïcode 日本"},
		{"a\nb\tc\r", "a b c "},
		{"\x1b[31mred\x07", "\uFFFD[31mred\uFFFD"},
		{"bidi\u202e\u2066", "bidi\uFFFD\uFFFD"},
		{"zero\u200bwidth\ufeff", "zero\uFFFDwidth\uFFFD"},
		{"line\u2028sep\u2029", "line\uFFFDsep\uFFFD"},
		{"tag\U000E0041", "tag\uFFFD"},
		{"bad\xff", "bad\uFFFD"},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := CleanText("a\r\n\tb\x1b"); got != "a\n\tb\uFFFD" {
		t.Errorf("CleanText: %q, want %q", got, "a\n\tb\uFFFD")
	}
}

func TestFirstSentence(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"One. Two.", 80, "One."},
		{"  First line\nsecond", 80, "First line"},
		{"abcdef", 4, "abc…"},
		{"ééééé", 5, "ééééé"},
		{"", 10, ""},
	}
	for _, tt := range tests {
		if got := FirstSentence(tt.in, tt.n); got != tt.want {
			t.Errorf("FirstSentence(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

// TestConsole keeps hostile text from acting, whatever door it takes.
func TestConsole(t *testing.T) {
	var out, err bytes.Buffer
	c := &Console{Out: &out, Err: &err}
	c.Warn("%s", "x\x1b]0;title\x07")
	c.Note("note")
	c.Detail("not shown")
	c.Error("e")
	if got, want := err.String(), "warning: x\uFFFD]0;title\uFFFD\nnote\nerror: e\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err.Reset()
	c.Error("a\n  ::error::b\n##[group]c")
	if got, want := err.String(), "error: a\n    \\x3a:error::b\n  #\\x23[group]c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err.Reset()
	c.Quiet = true
	c.Note("note")
	c.Warn("w")
	if got := err.String(); got != "warning: w\n" {
		t.Errorf("quiet: %q, want %q", got, "warning: w\n")
	}
	err.Reset()
	c.Status("under way")
	if got := err.String(); got != "" {
		t.Errorf("status: %q, want %q", got, "")
	}
	if c.Progress() || WantColor(&out) || IsTerminal(&out) {
		t.Error("Progress, WantColor or IsTerminal is true of a buffer, want false")
	}
}

// What a person reads on standard output goes through one writer, whatever prints it.
func TestPrintf(t *testing.T) {
	var out bytes.Buffer
	c := &Console{Out: &out, Err: new(bytes.Buffer)}
	c.Printf("%s (%v)\n", "::set-output name=x::y\nserver", errors.New("a\nb"))
	c.Printf("  %s\n", json.RawMessage("::error::\x1b[2J"))
	table := c.Table()
	table.Row("srv\t1", "##vso[task.complete]")
	table.Row("::error::", "x")
	table.Print()
	c.Table().Print()
	c.PrintText("one\n ::warning::two\n")
	want := `\x3a:set-output name=x::y server (a b)` + "\n" + `  \x3a:error::` + "\uFFFD[2J\n" + `srv 1      #\x23vso[task.complete]` + "\n" +
		`\x3a:error::  x` + "\none\n " + `\x3a:warning::two` + "\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestInert(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain :: text # ## [x]", "plain :: text # ## [x]"},
		{"::error::x", `\x3a:error::x`},
		{" \t::error::x", " \t" + `\x3a:error::x`},
		{"a ##[x] ##vso[y] ##teamcity[z]", `a #\x23[x] #\x23vso[y] #\x23teamcity[z]`},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Inert(tt.in); got != tt.want || Inert(got) != got {
			t.Errorf("Inert(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// A question stays alone on its line: no status is drawn over it, or over the answer,
// until the next line is written.
func TestQuestion(t *testing.T) {
	var out bytes.Buffer
	c := &Console{Err: &out, status: "under way"}
	fmt.Fprint(c, "go to\n  an address\nPaste it here: ")
	if want := "\r\x1b[Kgo to\n  an address\nPaste it here: "; out.String() != want || !c.asking {
		t.Errorf("wrote %q, asking %v", out.String(), c.asking)
	}
	c.Note("connected")
	if c.asking {
		t.Error("asking is true after the line behind the answer, want false")
	}
	if fmt.Fprint(c, "go to an address\n"); c.asking {
		t.Error("asking is true after a whole line, want false")
	}
}
