package mcptest

// This file is resources that change.

import (
	"context"

	"github.com/mcpgen/mcpgen/runtime"
)

// Update tells those who watch a resource that it changed; they read it again. What its
// handler answers is up to the test.
func (f *Fake) Update(uri string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, news := range f.watched[uri] {
		select {
		case news <- struct{}{}:
		default: // it will look anyway
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
