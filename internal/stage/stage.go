// Package stage names the stages at which a call can fail: runtime.CallError.Stage, whose
// comment says what they mean.
package stage

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
