package workspace

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/generator"
)

// ServerSummary is what a run made of one server.
type ServerSummary struct {
	Server  string
	Tools   int           // for which code was generated
	Typed   int           // of them, those whose results have a type of their own
	Offered int           // all tools that the server offers
	Others  int           // prompts, resources, resource templates and skills
	Took    time.Duration // until everything was listed; 0: it was not attached to
}

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
		one := ServerSummary{Server: name, Offered: len(s.Tools), Others: len(s.Prompts) + len(s.Resources) + len(s.Templates) + len(s.Skills), Took: took[name]}
		for _, t := range out.tools {
			if t.Server != name {
				continue
			}
			one.Tools++
			if t.Go.Typed() {
				one.Typed++
			}
		}
		all = append(all, one)
	}
	return all
}
