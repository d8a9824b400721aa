// Tasks in progress: a limit counts a call that has become a task until the task ends.

package policy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// maxTaskLife is how long a task is counted at most: a server may name no lifetime,
// and a caller need not ask how the task ended.
const maxTaskLife = 24 * time.Hour

// running holds the tasks that limits count.
type running struct {
	mu  sync.Mutex
	all map[taskKey]counted
}

type taskKey struct{ caller, server, id string }

type counted struct {
	leave func()
	until time.Time
}

// follow reports whether an answer is a task that a limit counts on. Then leave is
// called at a later answer about this task, or after the task's lifetime.
func (ls *limits) follow(ctx context.Context, req runtime.Request, res *runtime.Result, err error, leave func()) bool {
	key := taskKey{req.Options.Caller, req.Server, taskID(req.Args)}
	if req.Method == protocol.MethodCallTool && err == nil && res != nil && res.Type == "task" {
		t := targetOf(req)
		if !slices.ContainsFunc(ls.all, func(l *limit) bool { return l.concurrent > 0 && l.isAbout(t) }) {
			return false
		}
		key.id = taskID(res.Structured)
		ls.tasks.put(key, counted{leave, ls.now().Add(lifeOf(res.Structured))})
		return true
	}
	if hasEnded(ctx, req.Method, res, err) {
		ls.tasks.end(func(k taskKey, _ counted) bool { return k == key })
	}
	return false
}

// hasEnded reports whether the answer to a request about a task shows that the task
// has ended, or that the server does not know it.
func hasEnded(ctx context.Context, method string, res *runtime.Result, err error) bool {
	switch method {
	case protocol.MethodGetTask:
		return errors.Is(err, runtime.ErrRPC) || err == nil && slices.Contains(
			[]string{"completed", "failed", "cancelled"}, jsontext.Text(jsontext.Member(res.Structured, "status")))
	case protocol.MethodCancelTask:
		return err == nil || errors.Is(err, runtime.ErrRPC)
	case protocol.MethodAwaitTask:
		return err == nil || ctx.Err() == nil && !errors.Is(err, runtime.ErrTimeout)
	}
	return false
}

func taskID(raw json.RawMessage) string { return jsontext.Text(jsontext.Member(raw, "taskId")) }

// lifeOf returns the lifetime in a server's description of a task.
func lifeOf(task json.RawMessage) time.Duration {
	for _, name := range []string{"ttlMs", "ttl"} {
		var ms float64
		if json.Unmarshal(jsontext.Member(task, name), &ms) == nil && ms > 0 && ms < float64(maxTaskLife.Milliseconds()) {
			return time.Duration(ms * float64(time.Millisecond))
		}
	}
	return maxTaskLife
}

func (r *running) put(key taskKey, c counted) {
	r.end(func(k taskKey, _ counted) bool { return k == key }) // the server uses one ID twice
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[key] = c
}

// end ends the count of some tasks.
func (r *running) end(which func(taskKey, counted) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, c := range r.all {
		if which(key, c) {
			delete(r.all, key)
			c.leave()
		}
	}
}
