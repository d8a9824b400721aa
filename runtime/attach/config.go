// Checks before anything is started.

package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mask"
)

// checkServers returns the errors in the configuration of servers.
func checkServers(servers []endpoint.Server) error {
	var errs []error
	seen := map[string]endpoint.Source{}
	for _, s := range servers {
		if err := s.Validate(); err != nil {
			errs = append(errs, err)
		} else if s.Expand == nil {
			// Without variables everything can be checked now.
			if _, err := s.Resolve(os.LookupEnv); err != nil {
				errs = append(errs, err)
			}
		}
		if s.Timeout.Start < 0 || s.Timeout.Call < 0 {
			errs = append(errs, fmt.Errorf("%sserver %q: timeout: must not be negative", s.Source.Prefix(), s.Name))
		}
		if l := s.Limits; min(l.Message, l.Queue, l.Memory, int64(l.Tools), int64(l.Pages), int64(l.Log)) < 0 {
			errs = append(errs, fmt.Errorf("%sserver %q: limits: must not be negative", s.Source.Prefix(), s.Name))
		}
		if s.Name == "" {
			continue
		}
		if first, ok := seen[s.Name]; ok {
			errs = append(errs, hint.With(fmt.Errorf("%sserver %q: the name is duplicated%s", s.Source.Prefix(), s.Name, also(first)), "give each server a name of its own"))
			continue
		}
		seen[s.Name] = s.Source
	}
	return errors.Join(errs...)
}

// checkRequired returns an error if the configuration of servers requires something
// that opts does not state.
func checkRequired(servers []endpoint.Server, opts *Options) error {
	var errs []error
	seen := map[string]bool{}
	for _, s := range servers {
		missing := slices.DeleteFunc(slices.Clone(s.Requires), func(r endpoint.Requirement) bool {
			return slices.Contains(opts.Enforces, r) || r == endpoint.RequireSecrets && (opts.Secrets != nil || s.Secret != nil)
		})
		key := fmt.Sprint(s.Source.Path, missing)
		if len(missing) == 0 || seen[key] {
			continue
		}
		seen[key] = true
		what := strings.ReplaceAll(strings.Trim(fmt.Sprint(missing), "[]"), " ", ", ")
		errs = append(errs, hint.With(fmt.Errorf("%sserver %q: the configuration has %s, but package attach does not enforce these settings", s.Source.Prefix(), s.Name, what),
			"connect with the package runtime/live, which enforces these settings: write live.Connect(ctx, mcp.Manifests()...) in place of config.Load and attach.Connect",
			fmt.Sprintf("if Options.Middleware and Options.Secrets already enforce these settings, set attach.Options{Enforces: %#v}", missing)))
	}
	return errors.Join(errs...)
}

func also(first endpoint.Source) string {
	if p := first.Prefix(); p != "" {
		return ", first at " + p[:len(p)-2]
	}
	return ""
}

// clock is the time source of attempts.
type clock struct {
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
}

// settings are Options with all defaults filled in.
type settings struct {
	Options
	log      *slog.Logger   // never nil
	notifier *notifier      // of events; never nil
	learners *learners      // of values that must not be shown; never nil
	hidden   *mask.Set      // one of the learners, for the texts of the host
	large    *budget.Budget // of all servers
	quiet    bool           // no logger was given: only notices that a person needs are logged
}

func newSettings(opts *Options) settings {
	s := settings{Options: *opts}
	s.log, s.quiet = s.Logger, s.Logger == nil
	if s.quiet {
		s.log = slog.Default()
	}
	s.notifier = &notifier{onEvent: s.OnEvent}
	s.learners = &learners{}
	if s.Mask != nil {
		s.learners.all.Store(s.Mask, true)
	}
	if s.hidden, _ = s.Mask.(*mask.Set); s.hidden == nil {
		s.hidden = &mask.Set{}
		s.learners.all.Store(s.hidden, true)
	}
	s.hidden.Add(proxyPasswords()...)
	if s.LookupEnv == nil {
		s.LookupEnv = os.LookupEnv
	}
	if s.Parallel <= 0 {
		s.Parallel = DefaultParallel
	}
	if s.Memory <= 0 {
		s.Memory = defaultMemory
	}
	s.large = budget.New(s.Memory, nil)
	s.Drift = cmp.Or(s.Drift, DriftCompatible)
	s.Refresh = cmp.Or(s.Refresh, defaultRefresh)
	s.Version = cmp.Or(s.Version, "dev")
	if s.clock.now == nil {
		s.clock.now = time.Now
	}
	if s.clock.sleep == nil {
		s.clock.sleep = func(ctx context.Context, d time.Duration) error { return wire.Pause(ctx, nil, d) }
	}
	return s
}
