// Command links prints what programs link: one that makes a typed call and nothing
// else, one that attaches to servers that it names itself, without and with the
// prover of drift, and one that puts an mcpgen.yaml in force, also with -tags
// mcpgen_lean. They are in the folders of this one. The table is the one in examples/guide/faq.md, rounded; make links prints it again.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

const module = "github.com/mcpgen/mcpgen"

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	fmt.Fprintln(out, "| a program that | lines of mcpgen | other modules | binary |")
	fmt.Fprintln(out, "|---|---|---|---|")
	for _, p := range []struct{ name, tags, does string }{
		{"call", "", "only calls, through an invoker of its own"},
		{"attach", "", "connects to servers that it names itself, with `attach`"},
		{"judge", "", "and proves changed tools compatible, with `judge`"},
		{"live", "", "uses `mcpgen.yaml`, with `live`"},
		{"live", "mcpgen_lean", "and is built with `-tags mcpgen_lean` (`go doc live`)"},
	} {
		l, err := measure(module+"/golden/links/"+p.name, p.tags)
		if err == nil {
			l.bytes, err = size(module+"/golden/links/"+p.name, p.tags)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(out, "| %s | %d,%03d | %d | %.1f MB |\n", p.does, l.lines/1000, l.lines%1000, l.modules, float64(l.bytes)/1e6)
	}
	return nil
}

// linked is what one program links.
type linked struct {
	lines   int   // of the packages of this module below runtime and schema, whole, without tests
	modules int   // beside this one and the standard library
	bytes   int64 // of the binary
}

// measure counts all but the bytes.
func measure(program, tags string) (linked, error) {
	var l linked
	list, err := process.Run(context.Background(), "", nil, "go", "list", "-tags="+tags, "-deps", "-json=ImportPath,Dir,GoFiles,Module,Standard", program)
	if err != nil {
		return l, err
	}
	modules := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(list.Stdout)); ; {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			Standard        bool
			Module          *struct{ Path string }
		}
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return l, err
		}
		switch {
		case p.Standard || p.Module == nil:
		case p.Module.Path != module:
			modules[p.Module.Path] = true
		case !isGolden(p.ImportPath): // the generated package and the program are the user's
			n, err := lines(p.Dir, p.GoFiles)
			if err != nil {
				return l, err
			}
			l.lines += n
		}
	}
	l.modules = len(modules)
	return l, nil
}

func isGolden(importPath string) bool { return strings.HasPrefix(importPath, module+"/golden/") }

func lines(dir string, files []string) (int, error) {
	n := 0
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return 0, err
		}
		n += bytes.Count(data, []byte("\n"))
	}
	return n, nil
}

// size builds the program as go build does, without the paths of this machine.
func size(program, tags string) (int64, error) {
	dir, err := os.MkdirTemp("", "links-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "program")
	if _, err := process.Run(context.Background(), "", nil, "go", "build", "-tags="+tags, "-trimpath", "-o", binary, program); err != nil {
		return 0, err
	}
	info, err := os.Stat(binary)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
