package mcptest

// This file implements changes of resources.

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
)

// Update notifies the callers that watch a resource of a change; they read it again. The test decides
// what its handler then answers.
func (f *Fake) Update(uri string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, news := range f.watched[uri] {
		select {
		case news <- struct{}{}:
		default: // a notification is already pending
		}
	}
}

// watch lets a caller follow a resource.
func (f *Fake) watch(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	news := make(chan struct{}, 1)
	news <- struct{}{}
	f.mu.Lock()
	f.watched[req.Name] = append(f.watched[req.Name], news)
	f.mu.Unlock()
	for {
		select {
		case <-news:
			if req.Options.OnUpdated != nil {
				req.Options.OnUpdated()
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
