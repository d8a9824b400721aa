// Package callcontext joins a server's message to the call during which it arrives.
package callcontext

import "context"

// During returns a context that ends with ctx, and has the values of call before its own.
func During(ctx, call context.Context) context.Context { return during{ctx, call} }

type during struct {
	context.Context
	call context.Context
}

// Value implements [context.Context].
func (c during) Value(key any) any {
	if v := c.call.Value(key); v != nil {
		return v
	}
	return c.Context.Value(key)
}
