package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes are in pixels. The font is the reader's own, so a line gets its width from
// textLength, and no font makes it wider than the terminal.
const (
	char   = 7.8
	line   = 19
	margin = 20
	bar    = 34
)

// style has the colours of a light and of a dark page. Lines appear one after the other,
// once; a reader who wants no motion, or a program that runs none, sees all of them.
const style = `
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre}
rect{fill:#f6f8fa;stroke:#d1d9e0}circle{fill:#d1d9e0}
.note{fill:#59636e}.cmd{font-weight:bold}.bad{fill:#b3261e}.good{fill:#116329}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}rect{fill:#0d1117;stroke:#3d444d}circle{fill:#3d444d}
.note{fill:#9198a1}.bad{fill:#ff7b72}.good{fill:#56d364}}
@media(prefers-reduced-motion:no-preference){text{animation:show .01s both}}
@keyframes show{from{opacity:0}}
`

// draw makes the picture of a terminal: the same lines give the same bytes.
func draw(lines []string) []byte {
	widest := 0
	for _, l := range lines {
		widest = max(widest, utf8.RuneCountInString(l))
	}
	width := int(float64(widest)*char) + 2*margin
	height := bar + len(lines)*line + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="A terminal with a part of make demo">`+"\n<style>%s</style>\n", width, height, width, height, style)
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1)
	for i := range 3 {
		fmt.Fprintf(&b, `<circle cx="%d" cy="18" r="5"/>`, margin+5+i*18)
	}
	b.WriteString("\n")
	delay := 0.0
	for i, l := range lines {
		if l == "" {
			continue
		}
		kind := kindOf(l)
		delay += pause(kind)
		text := strings.TrimLeft(l, " ")
		indent := len(l) - len(text)
		n := utf8.RuneCountInString(text)
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" style="animation-delay:%.1fs">`, kind, margin+float64(indent)*char, bar+i*line+14, float64(n)*char, delay)
		_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// kindOf is the class of a line.
func kindOf(l string) string {
	switch {
	case strings.HasPrefix(l, "# "):
		return "note"
	case strings.HasPrefix(l, "$ "):
		return "cmd"
	case strings.HasPrefix(l, "-"), strings.HasPrefix(l, "breaks"), strings.HasPrefix(l, "(exit code 1"):
		return "bad"
	case strings.HasPrefix(l, "+"), strings.HasPrefix(l, "no drift"), strings.Contains(l, "→"):
		return "good"
	}
	return "out"
}

// pause is how long a reader waits for a line, in seconds.
func pause(kind string) float64 {
	switch kind {
	case "note":
		return 1.2
	case "cmd":
		return 0.8
	}
	return 0.2
}
