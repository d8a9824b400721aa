// Package codec is what generated packages are made of: each of their methods is
// one call of [CallTool] or a neighbour, and the types that need help with their
// JSON have methods of one line, such as
//
//	func (x *PullRequest) UnmarshalJSON(b []byte) error {
//		type plain PullRequest
//		return codec.DecodeObject(b, (*plain)(x), &x.Extra)
//	}
//
// It is for generated code, and for the fakes of package mcptest, which stand at its
// other end. What a user of generated code needs is in package runtime. Like that it
// links the standard library alone.
//
// It reads JSON by the rules of JSON Schema where they differ from encoding/json's,
// and depends on nothing that GOEXPERIMENT=jsonv2 changes.
package codec
