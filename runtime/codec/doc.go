// Package codec is what generated packages are made of. A user of one meets six
// parts of it:
//
//   - [Manifest], what a generated package knows of its server, for live.Connect and
//     whoever else compares servers with it.
//   - The texts of results that have a format, such as [DateTime] and [UUID]: their
//     methods parse them, and functions such as [DateTimeOf] write them.
//   - [ExactNumbers], the texts of numbers that a float64 rounds.
//   - [Task], a call that its server runs on without a connection.
//   - [CompleteArgs] and [Completion], of calls that complete an argument.
//   - [OnUnread] and [Lenient], middleware for results that their types do not show whole.
//
// The rest is for generated code, and for the fakes of package mcptest, which stand at
// its other end. Each generated method is one call of [CallTool] or a neighbour, and the
// types that need help with their JSON have methods of one line, such as
//
//	func (x *PullRequest) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, &x.Extra) }
//
// What carries calls, middleware and errors are in package runtime. Like that, this one
// links the standard library alone.
//
// It reads JSON by the rules of JSON Schema where they differ from encoding/json's,
// and depends on nothing that GOEXPERIMENT=jsonv2 changes.
package codec
