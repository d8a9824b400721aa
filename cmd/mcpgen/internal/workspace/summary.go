package workspace

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/generator"
)

// ServerSummary is the result of a run for one server.
type ServerSummary struct {
	Server  string
	Tools   int           // for which code was generated
	Typed   int           // of them, those whose results have a type of their own
	Offered int           // all tools that the server offers
	Took    time.Duration // until everything was listed; 0: it was not attached to

	Prompts, Resources, Skills int // resources are those of templates, too

	Long []generator.Tool // tools of more than [MaxToolLines], the longest first
}

// MaxToolLines is how many lines of types a tool may have before a run says so. Those of
// real servers have 14 in the middle and 240 at most; a schema that was not meant for a
// model, such as that of Vega-Lite, has thousands.
const MaxToolLines = 1000

// summary describes the servers that were attached to, and those whose files were
// written, sorted by name.
func (d *draft) summary(out *rendered, files *generator.Report, captures []*Capture) []ServerSummary {
	if out == nil || files == nil {
		return nil
	}
	took := map[string]time.Duration{}
	for _, c := range captures {
		took[c.Server.Name] = c.Took
	}
	var all []ServerSummary
	for _, name := range slices.Sorted(maps.Keys(d.snapshots)) {
		folder := path.Dir(d.w.snapshotPath(name)) + "/"
		written := slices.ContainsFunc(files.Written, func(file string) bool { return strings.HasPrefix(file, folder) })
		if took[name] == 0 && !written {
			continue
		}
		s := d.snapshots[name]
		one := ServerSummary{Server: name, Offered: len(s.Tools), Prompts: len(s.Prompts), Resources: len(s.Resources) + len(s.Templates), Skills: len(s.Skills), Took: took[name]}
		for _, t := range out.tools {
			if t.Server != name {
				continue
			}
			one.Tools++
			if t.Lines > MaxToolLines {
				one.Long = append(one.Long, t)
			}
			if t.Go.Typed() {
				one.Typed++
			}
		}
		slices.SortStableFunc(one.Long, func(x, y generator.Tool) int { return cmp.Compare(y.Lines, x.Lines) })
		all = append(all, one)
	}
	return all
}
