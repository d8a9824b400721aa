// Command pictures draws a part of what make demo prints as a terminal, for README. It
// reads the demo and copies it to standard output; then it compares the picture with what
// it would draw now, or writes it with -update.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	update := flag.Bool("update", false, "write the picture")
	file := flag.String("svg", "examples/guide/pictures/demo.svg", "the picture")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *file, *update); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// most bounds the demo that is read.
const most = 1 << 20

func run(in io.Reader, out io.Writer, file string, update bool) error {
	demo, err := io.ReadAll(io.TeeReader(io.LimitReader(in, most), out))
	if err != nil {
		return err
	}
	lines, err := shown(string(demo))
	if err != nil {
		return err
	}
	picture := draw(lines)
	if update {
		return os.WriteFile(file, picture, 0o666)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(bytes.ReplaceAll(before, []byte("\r\n"), []byte("\n")), picture) {
		return errors.New(file + ": the demo prints something else now: run make pictures and look at the picture")
	}
	return nil
}

// part is what the picture shows of a step of the demo: the lines that begin with one of
// these, in their order. Three dots stand for lines between them.
type part struct {
	step  string
	lines []string
}

var parts = []part{
	{"Generate", []string{"$ mcpgen generate", "locked", "tracker  5 tools", "9 files", "next", "func ListPRs"}},
	{"Build the agent", []string{"$ ./bin/agent", "2 open", "  #8", "  #7"}},
	{"The server is upgraded", []string{"$ mcpgen check", "breaks your code", "  agent/main.go", "    list, err", "    tracker/list_prs", "    the compiler", "      method", "    →", "(exit"}},
	{"The change has one right answer", []string{"$ mcpgen fix", "-\tlist", "+\tlist"}},
	{"Everything fits again", []string{"$ mcpgen check", "no drift"}},
}

// duration ends a line whose number differs from run to run.
var duration = regexp.MustCompile(`(?m)  [0-9.]+(ms|s)$`)

// shown are the lines of the picture. Each step of the demo has a heading, "== Generate".
func shown(demo string) ([]string, error) {
	demo = duration.ReplaceAllString(strings.ReplaceAll(demo, "\r\n", "\n"), "")
	var out []string
	for _, p := range parts {
		_, rest, ok := strings.Cut(demo, "\n== "+p.step)
		if !ok {
			return nil, fmt.Errorf("the demo has no step %q", p.step)
		}
		rest, _, _ = strings.Cut(rest, "\n== ")
		heading, rest, _ := strings.Cut(rest, "\n")
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, "# "+p.step+heading)
		for i, begin := range p.lines {
			skipped, found, ok := strings.Cut("\n"+rest, "\n"+begin)
			if !ok {
				return nil, fmt.Errorf("the step %q of the demo has no line %q", p.step, begin)
			}
			if skipped != "" && i > 0 {
				out = append(out, "…")
			}
			var line string
			line, rest, _ = strings.Cut(found, "\n")
			out = append(out, strings.ReplaceAll(begin+line, "\t", "    "))
		}
	}
	return out, nil
}
