// Limits: how often callers may call, and how many calls may run at the same time.

package policy

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// maxCounted bounds what one limit counts apart: see forget.
const maxCounted = 10_000

// limit is a parsed Limit with its counts.
type limit struct {
	text               string // describes the rate and the bound
	callers            *callers
	rule               *rule // nil is every call
	perCaller, perTool bool
	calls              int // 0: no rate
	every              time.Duration
	concurrent         int // 0: no bound

	mu      sync.Mutex
	counted map[countKey]*count
}

type countKey struct{ caller, server, name string }

// count holds the rest of a rate for one key, and the key's calls in progress.
type count struct {
	left    float64 // calls; they are restored over the time of the rate
	since   time.Time
	running int
}

// Check returns the error of an invalid limit, or nil.
func (l Limit) Check() error {
	_, err := readLimit(l, nil)
	return err
}

// readLimit parses a limit of some callers.
func readLimit(l Limit, by *callers) (*limit, error) {
	out := &limit{callers: by, concurrent: l.Concurrent, counted: map[countKey]*count{}}
	switch l.Per {
	case "", "caller":
		out.perCaller = true
	case "tool":
		out.perTool = true
	case "both":
		out.perCaller, out.perTool = true, true
	default:
		return nil, hint.With(fmt.Errorf("per: unknown value %q", l.Per), `write "caller", "tool" or "both"`)
	}
	if l.Rule != "" {
		r, err := parseRule(l.Rule)
		if err != nil {
			return nil, err
		}
		out.rule = &r
	}
	var bounds []string
	if l.Rate != "" {
		number, every, _ := strings.Cut(l.Rate, "/")
		var errCalls, errEvery error
		out.calls, errCalls = strconv.Atoi(number)
		out.every, errEvery = time.ParseDuration(every)
		if errCalls != nil || errEvery != nil || out.calls <= 0 || out.every <= 0 {
			return nil, hint.With(fmt.Errorf("rate: %q", l.Rate), "write a number of calls and a time, such as 60/1m")
		}
		bounds = append(bounds, fmt.Sprintf("%d calls in %s", out.calls, every))
	}
	switch {
	case l.Concurrent > 0:
		bounds = append(bounds, fmt.Sprintf("%d at the same time", l.Concurrent))
	case l.Concurrent < 0 || bounds == nil:
		return nil, hint.With(errors.New("the limit has neither rate nor concurrent"),
			"add a bound, such as \"rate: 60/1m\" or \"concurrent: 4\"")
	}
	out.text = strings.Join(bounds, ", ")
	if l.Rule != "" {
		out.text += " of " + l.Rule
	}
	out.text += by.by()
	return out, nil
}

// String describes the limit in words.
func (l Limit) String() string {
	read, err := readLimit(l, nil)
	if err != nil {
		return err.Error()
	}
	return read.String()
}

func (l *limit) String() string {
	switch {
	case l.perCaller && l.perTool:
		return l.text + ", for each tool of each caller"
	case l.perTool:
		return l.text + ", for each tool"
	}
	return l.text + ", for each caller"
}

// is reports whether two limits are equal.
func (l *limit) is(other *limit) bool {
	return l.text == other.text && l.perCaller == other.perCaller && l.perTool == other.perTool &&
		reflect.DeepEqual(l.callers, other.callers)
}

// isAbout reports whether a limit counts a call.
func (l *limit) isAbout(t target) bool {
	return l.callers.match(t) && (l.rule == nil || l.rule.denies(t.equivalentNames()))
}

// limits are the limits of a policy.
type limits struct {
	all   []*limit
	tasks *running
	now   func() time.Time
}

// count counts an allowed call until leave is called. Why describes the limit that
// the call exceeds; then no limit has counted it. Requests about a task or a subscription
// are not further calls. A call that becomes a task is counted until the task ends: see
// follow.
func (ls *limits) count(t target, method string) (leave func(), why string) {
	var entered []func(again bool)
	leaveAll := func(again bool) {
		for _, leave := range entered {
			leave(again)
		}
	}
	switch method {
	case protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource, protocol.MethodComplete:
		now := ls.now()
		ls.tasks.end(func(_ taskKey, c counted) bool { return !now.Before(c.until) })
		for _, l := range ls.all {
			if !l.isAbout(t) {
				continue
			}
			leave, why := l.enter(t, now)
			if why != "" {
				leaveAll(true)
				return func() {}, why
			}
			entered = append(entered, leave)
		}
	}
	return func() { leaveAll(false) }, ""
}

// enter counts a call. Leave ends it; with again set, also the rate forgets the call.
func (l *limit) enter(t target, now time.Time) (leave func(again bool), why string) {
	var key countKey
	if l.perCaller {
		key.caller = t.caller
	}
	if l.perTool {
		key.server, key.name = t.server, t.name
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counted[key]
	if c == nil {
		if len(l.counted) >= maxCounted {
			l.forget(now)
		}
		if len(l.counted) >= maxCounted {
			return nil, fmt.Sprintf(
				"mcpgen cannot count this call for the limit (%s): it already counts too many callers and tools", l)
		}
		c = &count{left: float64(l.calls), since: now}
		l.counted[key] = c
	}
	l.grow(c, now)
	switch {
	case l.concurrent > 0 && c.running >= l.concurrent:
		return nil, fmt.Sprintf("the limit (%s) is reached: the next call is possible when a call in progress ends", l)
	case l.calls > 0 && c.left < 1:
		wait := time.Duration((1-c.left)/float64(l.calls)*float64(l.every)) + time.Second - 1
		return nil, fmt.Sprintf("the limit (%s) is reached: the next call is possible in %v", l, wait.Truncate(time.Second))
	}
	c.running++
	if l.calls > 0 {
		c.left--
	}
	return func(again bool) {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.running--
		if again && l.calls > 0 {
			c.left++
		}
	}, ""
}

// grow restores what has become available over time; mu is held.
func (l *limit) grow(c *count, now time.Time) {
	if l.calls > 0 {
		c.left = min(float64(l.calls), c.left+float64(now.Sub(c.since))/float64(l.every)*float64(l.calls))
	}
	c.since = now
}

// forget makes room: it drops the counts at rest, or else the count with the most
// left of its rate, so that no caller uses up the counts of others. The caller holds
// mu.
func (l *limit) forget(now time.Time) {
	var most *countKey
	for key, c := range l.counted {
		l.grow(c, now)
		switch {
		case c.running > 0:
		case c.left >= float64(l.calls):
			delete(l.counted, key)
		case most == nil || c.left > l.counted[*most].left:
			most = &key
		}
	}
	if most != nil && len(l.counted) >= maxCounted {
		delete(l.counted, *most)
	}
}
