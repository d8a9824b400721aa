// Cold starts: checks before anything is started, and servers that a package runner
// has to install first.

package attach

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/proc"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// installGrace is how long a package runner that has not answered yet may take to end
// after SIGTERM: it removes what is half installed.
const installGrace = 4700 * time.Millisecond // with the time before SIGTERM five seconds in all

// secretLater is the placeholder of a secret that is not looked up yet.
const secretLater = "mcpgen-secret-that-is-looked-up-later"

// precheck finds errors of a server without starting it and without looking up its
// secrets: variables that are not set, files that cannot be read, a missing working
// directory or command. The error is a *ServerError.
func (k *keeper) precheck(s *serverState) error {
	server, asked := s.server, false
	if server.Secret != nil || k.settings.Secrets != nil {
		server.Secret = func(string, endpoint.Reference) (string, error) {
			asked = true
			return secretLater, nil
		}
	}
	r, err := server.Resolve(k.settings.LookupEnv)
	_, isProcess := server.Launch.(*endpoint.Process)
	switch {
	case err != nil && asked && !isProcess:
		return nil // the placeholder of a secret may be the cause, in a URL or header
	case err != nil:
		return &ServerError{Server: server.Name, Source: server.Source, Stage: stage.Configure, Err: err}
	}
	p, isProcess := r.Launch.(*endpoint.Process)
	if !isProcess {
		return nil
	}
	if s.runner != nil {
		s.folder = s.runner.Missing(p.Environ(), p.Dir)
	}
	if asked && strings.Contains(p.Command+p.Variable("PATH"), secretLater) {
		return nil
	}
	if err := proc.Check(*p); err != nil {
		return serverError(server, stage.Start, err, func(text string) string { return k.settings.conceal(text, r.Secrets) })
	}
	return nil
}

// installTime is how long a server may take to start in the background, after
// timeout.start; 0 for a server without a package runner, or if Options.Install is
// negative.
func (k *keeper) installTime(s *serverState) time.Duration {
	if s.runner == nil || k.settings.Install < 0 {
		return 0
	}
	if k.settings.Install == 0 {
		return endpoint.DefaultInstall
	}
	return k.settings.Install
}

// startLimit is how long a server may take from its start to the end of its listing.
func (k *keeper) startLimit(s *serverState) time.Duration {
	return max(s.server.Timeout.WithDefaults().Start, k.installTime(s))
}

// stillInstalling reports in the status that a server was not ready within
// timeout.start while its start goes on. It returns false if the server is ready by
// now or has failed.
func (k *keeper) stillInstalling(s *serverState) bool {
	start := s.server.Timeout.WithDefaults().Start
	s.mu.Lock()
	waiting := s.status.State == Connecting && s.status.Err == nil
	if waiting {
		err := serverError(s.server, stage.Start, &failure{
			text: fmt.Sprintf("not ready within %v: %s may still be installing the server; mcpgen waits up to %v in the background, and calls also wait", start, s.runner, k.startLimit(s)),
			errs: []error{runtime.ErrUnavailable},
		}, k.settings.hidden.Text)
		waiting = s.set(Connecting, err, event.Event{Kind: event.Notice, Detail: err.Error()})
	}
	s.mu.Unlock()
	s.notifier.notify()
	return waiting
}
