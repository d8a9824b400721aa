// Package stage names the stages at which a call can fail. The comment of runtime.CallError.Stage
// explains them.
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
