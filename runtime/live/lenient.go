// Results that break their own schema, and how a configuration treats them.

package live

import (
	"fmt"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// maxMisfit bounds the pointer and the reason in a notice, in bytes.
const maxMisfit = 300

// lenient returns the middleware of the servers whose results are decoded as far as
// they fit; nil without such servers. The first result of each tool that does not fit
// causes an event of kind [event.Notice] and a warning, with the first misfit.
func (s *setup) lenient(project *config.Project) runtime.Middleware {
	var servers []string
	for _, server := range project.Servers {
		if project.Build[server.Name].Lenient {
			servers = append(servers, server.Name)
		}
	}
	if servers == nil {
		return nil
	}
	var warned sync.Map // server and tool
	report := codec.OnUnread(func(req runtime.Request, parts []runtime.Unread) {
		if len(parts) == 0 || !parts[0].Misfit { // misfits come first
			return
		}
		if _, before := warned.LoadOrStore([2]string{req.Server, req.Name}, true); before {
			return
		}
		first := safetext.Words(fmt.Sprintf("at %q: %s", parts[0].Pointer, parts[0].Reason), maxMisfit)
		detail := "the result does not fit its schema, so only the fitting parts are decoded: " + first
		server, tool := safetext.Words(req.Server, maxMisfit), safetext.Words(req.Name, maxMisfit)
		s.logger.Warn(server + "/" + tool + ": " + detail)
		s.event(event.Event{Time: time.Now(), Kind: event.Notice, Server: req.Server, Tool: req.Name, Detail: detail})
	})
	lenient := codec.Lenient(servers...)
	return func(next runtime.Invoker) runtime.Invoker { return runtime.Chain(next, report, lenient) }
}
