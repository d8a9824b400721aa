// Telling the program about changes, one at a time.

package attach

import "sync"

// notifier calls a function for each status, in order, one call at a time, on
// the goroutine of whoever posted first. Posting from inside the function is
// allowed: the call comes after the running one.
type notifier struct {
	f       func(Status)
	mu      sync.Mutex
	queue   []Status
	running bool
}

func (n *notifier) post(s Status) {
	if n.f == nil {
		return
	}
	n.mu.Lock()
	n.queue = append(n.queue, s)
	if n.running {
		n.mu.Unlock()
		return
	}
	n.running = true
	for len(n.queue) > 0 {
		next := n.queue[0]
		n.queue = n.queue[1:]
		n.mu.Unlock()
		n.f(next)
		n.mu.Lock()
	}
	n.running = false
	n.mu.Unlock()
}
