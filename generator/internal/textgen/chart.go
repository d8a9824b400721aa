package textgen

// The map of servers, tools and call sites: an SVG whose positions are computed here,
// so that a page needs no library. A server is a block of dots, a dot is a tool, and
// a line leads from a tool to a file that calls it.

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
)

// The measures of the map, in pixels.
const (
	chartGlyph   = 8   // width of a letter of a server's name
	chartName    = 20  // letters of a server's name
	chartCount   = 50  // width of the number of tools
	chartPitch   = 17  // from dot to dot
	chartDots    = 28  // in a row
	chartGap     = 12  // between servers
	chartReach   = 110 // from the dots to the files that call
	chartFiles   = 24  // files that are shown
	chartRow     = 22  // height of a file
	chartLetters = 36  // of a file's name
)

// chart holds the positions and texts of the map.
type chart struct {
	Width, Height int
	Caption       string
	Labels        []chartText
	Dots          []chartDot
	Files         []chartFile
	Edges         []string // paths
	Legend        []effect
}

type chartText struct {
	Class, Href, Text string
	X, Y              int
}

type chartDot struct {
	Class, Href, Title string
	X, Y               int
	Shape              string // path
	Called             bool
}

type chartFile struct {
	Text, Title        string
	X, Y, TextX, TextY int
}

// chart draws all servers. The files that call most are shown.
func (c *catalogue) chart() chart {
	v := chart{Legend: effects()}
	letters := 6
	for _, p := range c.packages {
		letters = max(letters, len([]rune(shortened(line(p.Server), chartName))))
	}
	left := letters*chartGlyph + chartCount
	at := map[pagefacts.ItemID][2]int{}
	y := chartGap
	for _, p := range c.packages {
		href := path.Join(p.Name, HTMLName(p))
		v.Labels = append(v.Labels,
			chartText{"server", href, shortened(line(p.Server), chartName), 0, y + 9},
			chartText{"count", href, number(len(p.Tools)), left - 10, y + 9})
		for i, t := range p.Tools {
			dot := newDot(t, href+"#"+t.Go, line(p.Server)+"/"+line(t.Wire), left+10+i%chartDots*chartPitch, y+5+i/chartDots*chartPitch)
			dot.Called = len(c.facts.Items[toolID(p, t)].Sites) > 0
			v.Dots, at[toolID(p, t)] = append(v.Dots, dot), [2]int{dot.X, dot.Y}
		}
		y += max(1, (len(p.Tools)+chartDots-1)/chartDots)*chartPitch + chartGap
	}
	v.Height = max(y, len(v.Labels)/2*(chartPitch+chartGap))
	c.drawFiles(&v, at, left+chartDots*chartPitch)
	return v
}

// calledChart draws the tools of one server that the module calls, those that it calls
// most, one below the other, and the files that call them. Nil is a server without a
// call, or one whose calls were not searched.
func (c *catalogue) calledChart(p *ir.Package) *chart {
	sites := func(t *ir.Tool) int { return len(c.facts.Items[toolID(p, t)].Sites) }
	var called []*ir.Tool
	files := map[string]bool{}
	for _, t := range p.Tools {
		if sites(t) == 0 {
			continue
		}
		called = append(called, t)
		for _, s := range c.facts.Items[toolID(p, t)].Sites {
			files[s.File] = true
		}
	}
	if len(called) == 0 {
		return nil
	}
	shown := slices.Clone(called)
	slices.SortStableFunc(shown, func(a, b *ir.Tool) int { return cmp.Compare(sites(b), sites(a)) })
	shown = shown[:min(len(shown), chartFiles)]
	letters := 0
	for _, t := range shown {
		letters = max(letters, len([]rune(shortened(line(t.Wire), chartLetters))))
	}
	x := letters*chartGlyph + chartGap
	v := &chart{Legend: effects(), Height: max(len(shown), min(len(files), chartFiles))*chartRow + 2*chartGap}
	step := (v.Height - 2*chartGap) / len(shown)
	at := map[pagefacts.ItemID][2]int{}
	for _, t := range called { // in the order of the page
		if !slices.Contains(shown, t) {
			continue
		}
		y, href := chartGap+step/2+len(at)*step, "#"+t.Go
		v.Labels = append(v.Labels, chartText{"tool", href, shortened(line(t.Wire), chartLetters), x - 10, y + 4})
		v.Dots, at[toolID(p, t)] = append(v.Dots, newDot(t, href, line(t.Wire), x, y)), [2]int{x, y}
	}
	c.drawFiles(v, at, x)
	v.Caption = fmt.Sprintf("The module calls %s of %s, in %s.", number(len(called)), count(len(p.Tools), "tool"), count(len(files), "file"))
	if len(called) > len(shown) {
		v.Caption += fmt.Sprintf(" The chart shows the %d tools with the most calls.", len(shown))
	}
	if len(files) > len(v.Files) {
		v.Caption += fmt.Sprintf(" The %d files with the most calls are shown.", len(v.Files))
	}
	return v
}

// drawFiles adds the files that call a tool, to the right of all dots, and the lines
// to them.
func (c *catalogue) drawFiles(v *chart, at map[pagefacts.ItemID][2]int, right int) {
	calls := map[string]map[pagefacts.ItemID]int{} // by file and tool
	lines, called := 0, 0
	for id := range at {
		sites := c.facts.Items[id].Sites
		for _, s := range sites {
			if calls[s.File] == nil {
				calls[s.File] = map[pagefacts.ItemID]int{}
			}
			calls[s.File][id]++
			lines++
		}
		called += min(len(sites), 1)
	}
	v.Caption = c.chartCaption(len(at), lines, called, len(calls))
	v.Width = right + chartGap
	if len(calls) == 0 {
		return
	}
	x := right + chartReach
	v.Width = x + chartLetters*chartGlyph
	files := slices.SortedFunc(maps.Keys(calls), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(calls[b]), len(calls[a])), strings.Compare(a, b))
	})
	files = files[:min(len(files), chartFiles)]
	slices.Sort(files)
	v.Height = max(v.Height, len(files)*chartRow+2*chartGap)
	step := (v.Height - 2*chartGap) / len(files)
	for i, file := range files {
		y := chartGap + step/2 + i*step
		v.Files = append(v.Files, chartFile{shortened(line(file), chartLetters), line(file), x, y, x + 12, y + 4})
		for _, id := range slices.SortedFunc(maps.Keys(calls[file]), compareID) {
			from := at[id]
			half := (x - from[0]) / 2
			v.Edges = append(v.Edges, fmt.Sprintf("M%d %dC%d %d %d %d %d %d", from[0], from[1], from[0]+half, from[1], x-half, y, x, y))
		}
	}
}

func (c *catalogue) chartCaption(tools, lines, called, files int) string {
	text := fmt.Sprintf("Each dot is one tool: %s of %s.", count(tools, "tool"), count(len(c.packages), "server"))
	switch {
	case c.facts.Code == nil:
	case lines == 0:
		text += " No line of this module calls one of them."
	default:
		text += fmt.Sprintf(" %s in %s call %s of them.", count(lines, "line"), count(files, "file"), number(called))
		if files > chartFiles {
			text += fmt.Sprintf(" The %d files with the most calls are shown.", chartFiles)
		}
	}
	return text
}

// newDot is the dot of a tool: a circle, or a diamond for what may destroy, since colour alone
// says nothing to some.
func newDot(t *ir.Tool, href, title string, x, y int) chartDot {
	dot := chartDot{Class: effectOf(t.Hints).Key, Href: href, Title: title, X: x, Y: y}
	if dot.Shape = fmt.Sprintf("M%d %da5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", x-5, y); dot.Class == "destroys" {
		dot.Shape = fmt.Sprintf("M%d %dl5.5 5.5l-5.5 5.5l-5.5 -5.5z", x, y-5)
	}
	return dot
}

func toolID(p *ir.Package, t *ir.Tool) pagefacts.ItemID {
	return pagefacts.ItemID{Server: p.Server, Kind: "tool", Name: t.Wire}
}

func compareID(a, b pagefacts.ItemID) int {
	return cmp.Or(strings.Compare(a.Server, b.Server), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
}

// shortened leaves out the beginning of a text of more than n characters.
func shortened(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return "…" + string(r[len(r)-n+1:])
	}
	return s
}
