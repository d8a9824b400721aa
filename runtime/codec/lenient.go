package codec

// This file is middleware about results that their Go type does not show as a whole.

import (
	"context"
	"slices"

	"github.com/mcpgen/mcpgen/runtime"
)

// Lenient returns middleware that lets typed results of the named servers be handed
// out as far as they fit where they break their own schema, in place of a
// [*runtime.DecodeError]: a member, or an element of a list, that does not fit its type is
// the zero value, and so is a required member that is missing. An Extra of texts, or else
// [ExactNumbers], has the text of such a member under its name, and [runtime.WithRaw] the whole result. It is still an
// error if nothing fits, as where a struct was wanted and a list came.
//
// [OnUnread] reports the places. Without names it is about all servers.
func Lenient(servers ...string) runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			res, err := next.Invoke(ctx, req)
			if res == nil || err != nil || len(servers) > 0 && !slices.Contains(servers, req.Server) {
				return res, err
			}
			lenient := *res
			lenient.Lenient = true
			return &lenient, nil
		})
	}
}

// OnUnread returns middleware that calls report for each typed result of which not
// everything was read, after it was decoded, with its first hundred places. What is
// read whole costs one more pass over it, and is not reported; so are results without
// a type of their own. Report runs on the goroutine of the call, before that returns.
//
// A program that must not act on half a result can refuse it so:
//
//	var unread []runtime.Unread
//	inv := runtime.Chain(host, codec.OnUnread(func(_ runtime.Request, parts []runtime.Unread) { unread = parts }))
//	prs, err := github.ListPRs(runtime.NewContext(ctx, inv), args)
func OnUnread(report func(req runtime.Request, parts []runtime.Unread)) runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			res, err := next.Invoke(ctx, req)
			if res == nil || err != nil || report == nil {
				return res, err
			}
			watched, before := *res, res.OnUnread
			watched.OnUnread = func(parts []runtime.Unread) {
				if before != nil {
					before(parts)
				}
				report(req, parts)
			}
			return &watched, nil
		})
	}
}
