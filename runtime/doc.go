// Package runtime is the contract between generated packages and whatever
// carries their calls to an MCP server.
//
// The interfaces are four: an [Invoker] carries out a [Request], a [Middleware]
// stands before an Invoker, a [Tool] is one callable tool, and a [Registrar] is
// anything that tools can be registered with. [attach.Connect] returns an
// Invoker that is connected to real servers.
//
// A program that imports a generated package links no third-party code: this
// package, and protocol and codec below it, which generated code is made of, need the
// standard library alone.
//
// Two kinds of failure are never merged. A tool that says no is a [Result]
// whose IsError is set; a typed call turns it into a [*ToolError]. Everything
// else (no connection, no permission, no valid arguments, no decodable answer)
// is a [*CallError].
//
// # The packages below
//
//   - The contract: this package, protocol, which names the methods of requests and the
//     types of content, and codec, which generated code is made of. The text formats of
//     results, tasks and completions are there.
//   - Live: attach connects to servers, endpoint describes one, event is what happens
//     to them, agent has them as an agent sees them, naming names their tools, plain
//     makes text of results, judge proves changes of their definitions harmless.
//   - Companions, each for itself: policy, audit, trust, ledger, native, validate, and
//     mcptest for tests.
//   - Configuration: config reads files, live puts all that they say in force.
//
// A program links what it imports: one that only calls needs the contract, one that
// attaches needs no companion and no configuration.
//
// [attach.Connect]: https://pkg.go.dev/github.com/mcpgen/mcpgen/runtime/attach#Connect
package runtime
