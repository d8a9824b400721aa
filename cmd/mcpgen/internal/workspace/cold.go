package workspace

// This file sets the time limits of servers, which may have to be installed first.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/install"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// patient returns the servers with the time limits of a command: a package runner
// may have to install its server first, and a time that the user gave for all
// raises what nobody has set.
func (w *Workspace) patient(servers []endpoint.Server) []endpoint.Server {
	out := slices.Clone(servers)
	for i := range out {
		t := &out[i].Timeout
		if t.Start == 0 {
			t.Start = endpoint.DefaultStart
			if _, ok := install.Of(out[i]); ok {
				t.Start = endpoint.DefaultInstall
			}
			t.Start = max(t.Start, w.opts.Timeout)
		}
		t.Call = cmp.Or(t.Call, max(endpoint.DefaultCall, w.opts.Timeout))
	}
	return out
}

// MayInstall reports whether one of the selected servers is started by a package
// runner, for as long as it takes: commands have more time then.
func (w *Workspace) MayInstall() bool {
	return slices.ContainsFunc(w.Selected(), func(s endpoint.Server) bool {
		_, ok := install.Of(s)
		return ok && s.Timeout.Start == 0
	})
}

// short writes a duration without the parts that are zero at its end.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
