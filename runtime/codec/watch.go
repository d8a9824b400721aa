package codec

// This file holds the functions that generated packages call to watch resources.

import (
	"context"
	"errors"
	"iter"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// WatchResource reads the resource whose URI is the reference's name, and reads it again after each
// change that the server reports. Methods of generated packages call it.
//
// Inv and opts are as in [CallTool]; the options apply to each read. Several changes during one
// iteration lead to one read. The loop survives lost connections that are restored. The sequence ends
// when the loop breaks, when ctx ends, or after an error, a [*runtime.CallError]: for instance if the
// server does not report changes. Its end cancels the subscription. It can be ranged over again.
func WatchResource(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption) iter.Seq2[*runtime.Result, error] {
	return func(yield func(*runtime.Result, error) bool) {
		watch(ctx, inv, resource, opts, yield)
	}
}

// WatchTemplate is [WatchResource] for a URI made from a resource template.
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
			default: // a read is already pending
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

// subscribe follows a resource until ctx ends or the subscription fails.
func subscribe(ctx context.Context, inv runtime.Invoker, resource ItemRef, opts []runtime.CallOption, updated func()) error {
	req := runtime.Request{Server: resource.Server, Method: protocol.MethodSubscribe, Name: resource.Name, Pin: resource.Pin}.With(opts...)
	req.Options.OnUpdated, req.Options.Timeout, req.Options.Raw = updated, -1, nil
	_, err := req.Do(ctx, inv)
	return err
}
