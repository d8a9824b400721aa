package codec

// This file holds middleware for results that their Go types do not hold whole.

import (
	"context"
	"slices"

	"github.com/mcpgen/mcpgen/runtime"
)

// Lenient returns middleware that accepts typed results which break their own schema, in place of a
// [*runtime.DecodeError]. It applies to the named servers, or to all servers if no name is given. A
// member or list element that does not fit its type is its zero value, and so is a required member that
// is missing. The text of such a member is in an Extra of texts, or else in [ExactNumbers], under its
// name; [runtime.WithRaw] has the whole result. A result of which nothing fits is still an error, for
// instance a list in place of a struct.
//
// [OnUnread] reports the places.
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

// OnUnread returns middleware that calls report after decoding a typed result, if some of it was not
// read. Report gets the first hundred places, and runs on the goroutine of the call before the call
// returns. Results that are read whole cost one more pass and are not reported. Results without a
// declared type are not checked.
//
// A program that must not act on a partly read result can refuse it:
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
