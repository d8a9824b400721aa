// Package codec is the library that generated packages are built on. Programs use six parts of it
// directly:
//
//   - [Manifest], what a generated package knows about its server, for live.Connect and
//     other code that compares servers with it.
//   - [ExactNumbers], the texts of numbers that a float64 rounds.
//   - [Task], a call that its server runs without an open connection.
//   - [CompleteArgs] and [Completion], for calls that complete an argument.
//   - [WithArgument], an argument that the schema does not declare.
//   - [OnUnread] and [Lenient], middleware for results that their types do not hold whole.
//
// The rest is for generated code, and for the fakes of package mcptest, which decode what generated code
// encodes. Each generated method is one call of [CallTool] or a similar function, and types with special
// JSON have one-line methods, such as
//
//	func (x *PullRequest) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, &x.Extra) }
//
// Invokers, middleware and errors are in package runtime. Both packages depend on the standard library
// only.
//
// Package codec reads JSON by the rules of JSON Schema where they differ from encoding/json's. Its
// results do not depend on GOEXPERIMENT=jsonv2.
package codec
