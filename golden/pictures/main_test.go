package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// demo is the smallest one that has all lines.
func demo() string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("\n== " + p.step + " <&>\n")
		for _, l := range p.lines {
			b.WriteString(l + " <\"&>  18ms\nnot shown\n")
		}
	}
	return b.String()
}

// The picture is written once, is the same again, and is compared from then on.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.svg")
	var out bytes.Buffer
	if err := run(strings.NewReader(demo()), &out, file, true); err != nil || out.String() != demo() {
		t.Fatalf("%v, %q", err, out.String())
	}
	other := strings.ReplaceAll(demo(), "18ms", "1.2s")
	if err := run(strings.NewReader(other), io.Discard, file, false); err != nil {
		t.Error(err)
	}
	changed := strings.Replace(demo(), "$ mcpgen fix", "$ mcpgen fix --yes", 1)
	if err := run(strings.NewReader(changed), io.Discard, file, false); err == nil || !strings.Contains(err.Error(), "make pictures") {
		t.Errorf("another demo: %v", err)
	}
	for _, lacks := range []string{"\n== Generate", "\nno drift"} {
		if err := run(strings.NewReader(strings.Replace(demo(), lacks, "\n", 1)), io.Discard, file, true); err == nil {
			t.Errorf("a demo without %q is drawn", lacks)
		}
	}
}

// README's picture is XML, small, and its text is what draw makes of it.
func TestPicture(t *testing.T) {
	picture, err := os.ReadFile(filepath.Join("..", "..", "examples", "guide", "pictures", "demo.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if len(picture) > 60_000 {
		t.Errorf("it has %d bytes", len(picture))
	}
	for _, svg := range [][]byte{picture, draw([]string{"# a", "$ <script>", `  "&'`})} {
		d := xml.NewDecoder(bytes.NewReader(svg))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
				t.Error("text became an element")
			}
		}
	}
}
