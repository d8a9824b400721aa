package runtime

import (
	"context"
	"slices"
)

// Unread is a part of a result that no field of the result's Go type shows: a member
// that the type does not declare, a value of no variant of a union, a number that a
// float64 rounds.
type Unread struct {
	Pointer string // JSON pointer into the structured content; its names are the server's
	Reason  string // why, and what became of it
	Misfit  bool   // it breaks the type, which has the zero value there: see Lenient
}

// Lenient returns middleware that lets typed results of the named servers be handed
// out as far as they fit where they break their own schema, in place of a
// [*DecodeError]: a member, or an element of a list, that does not fit its type is
// the zero value, and so is a required member that is missing. An Extra has the text
// of such a member under its name, and [WithRaw] the whole result. It is still an
// error if nothing fits, as where a struct was wanted and a list came.
//
// [OnUnread] reports the places. Without names it is about all servers.
func Lenient(servers ...string) Middleware {
	return func(next Invoker) Invoker {
		return InvokerFunc(func(ctx context.Context, req Request) (*Result, error) {
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
//	inv := runtime.Chain(host, runtime.OnUnread(func(_ runtime.Request, parts []runtime.Unread) { unread = parts }))
//	prs, err := github.ListPRs(runtime.NewContext(ctx, inv), args)
func OnUnread(report func(req Request, parts []Unread)) Middleware {
	return func(next Invoker) Invoker {
		return InvokerFunc(func(ctx context.Context, req Request) (*Result, error) {
			res, err := next.Invoke(ctx, req)
			if res == nil || err != nil || report == nil {
				return res, err
			}
			watched, before := *res, res.OnUnread
			watched.OnUnread = func(parts []Unread) {
				if before != nil {
					before(parts)
				}
				report(req, parts)
			}
			return &watched, nil
		})
	}
}
