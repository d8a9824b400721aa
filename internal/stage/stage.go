// Package stage names the stages at which a call or a server can fail. The comments of runtime.CallError
// and attach.ServerError explain them.
package stage

import (
	"context"
	"errors"
)

// The stages of calls.
const (
	Encode  = "encode"
	Route   = "route"
	Gate    = "gate"
	Drift   = "drift"
	Connect = "connect"
	Send    = "send"
	Receive = "receive"
	Decode  = "decode"
)

// The stages of servers.
const (
	Configure = "configure"
	Auth      = "auth"
	Start     = "start"
	Handshake = "handshake"
	List      = "list"
	Session   = "session"
)

// ErrWait is wrapped by the error of a call that is denied only for a while, and needs no permission.
var ErrWait = errors.New("the call is possible later")

type unknownKey struct{}

// WithUnknown returns a context for a call of a name that is no tool's. The gate does
// not deny such a call, and asks no person about it: the call fails as unknown.
func WithUnknown(ctx context.Context) context.Context {
	return context.WithValue(ctx, unknownKey{}, true)
}

// IsUnknown reports whether [WithUnknown] made the context.
func IsUnknown(ctx context.Context) bool { return ctx.Value(unknownKey{}) != nil }
