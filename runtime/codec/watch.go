package codec

// This file is what generated packages stand on for resources that change.

import (
	"context"
	"errors"
	"iter"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// WatchResource reads the resource whose URI is the reference's name, and again each time
// the server says that it changed. A method of a generated package is one call of it.
//
// Inv and opts are those of [CallTool]; the options are of each reading. What changes while
// the loop is busy is read once. Lost connections that come back are survived. The
// sequence ends with the loop, which ends the subscription; with ctx; and after an error,
// which is a [*runtime.CallError], as of a server that does not say when resources change.
// It can be ranged over again.
func WatchResource(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption) iter.Seq2[*runtime.Result, error] {
	return func(yield func(*runtime.Result, error) bool) {
		watch(ctx, inv, resource, opts, yield)
	}
}

// WatchTemplate is [WatchResource] for a URI that was made of a resource template.
func WatchTemplate(ctx context.Context, inv runtime.Invoker, template ItemRef, uri string, opts []runtime.CallOption) iter.Seq2[*runtime.Result, error] {
	template.Name = uri
	return WatchResource(ctx, inv, template, opts)
}

func watch(caller context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption, yield func(*runtime.Result, error) bool) {
	ctx, cancel := context.WithCancel(caller)
	news, ended := make(chan struct{}, 1), make(chan struct{})
	var failed error // valid after ended
	go func() {
		defer close(ended)
		failed = subscribe(ctx, inv, resource, opts, func() {
			select {
			case news <- struct{}{}:
			default: // it will be read anyway
			}
		})
	}()
	defer func() { cancel(); <-ended }()
	for {
		select {
		case <-news:
			res, err := ReadResource(ctx, inv, resource, opts)
			if errors.Is(err, runtime.ErrUnavailable) { // the connection may have been lost with it
				res, err = ReadResource(ctx, inv, resource, opts)
			}
			if caller.Err() != nil || !yield(res, err) || err != nil {
				return
			}
		case <-ended:
			if caller.Err() == nil {
				yield(nil, failed)
			}
			return
		}
	}
}

// subscribe follows a resource until ctx ends, or it cannot be followed.
func subscribe(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption, updated func()) error {
	req := runtime.Request{Server: resource.Server, Method: protocol.MethodSubscribe, Name: resource.Name, Pin: resource.Pin}.With(opts...)
	req.Options.OnUpdated, req.Options.Timeout, req.Options.Raw = updated, -1, nil
	_, err := req.Do(ctx, inv)
	return err
}
