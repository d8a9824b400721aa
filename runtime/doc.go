// Package runtime is the contract between generated packages and the code that
// carries their calls to an MCP server.
//
// There are three interfaces: an [Invoker] carries out a [Request], a [Tool] is one
// callable tool, and a [Registrar] is anything that tools can be registered with. A
// [Middleware] is a function that wraps an Invoker. [attach.Connect] returns an Invoker that is connected
// to real servers.
//
// A program that imports a generated package links no third-party code: generated
// code uses this package and the packages protocol and codec, which need only the
// standard library.
//
// Two kinds of failure are never merged. If a tool reports an error, the [Result] has
// IsError set; a typed call turns it into a [*ToolError]. Every other failure (no
// connection, no permission, invalid arguments, an undecodable answer) is a
// [*CallError].
//
// # The packages below
//
//   - The contract: this package; protocol, which names the methods of requests and the
//     types of content; and codec, which generated code uses and which has the text formats
//     of results, tasks and completions.
//   - Live: attach connects to servers, endpoint describes one, event defines their events,
//     agent presents them to an agent, naming names their tools, plain converts results to
//     text, judge proves that changes of their definitions are harmless.
//   - Companions, independent of each other: policy, audit, trust, ledger, native, validate,
//     and mcptest for tests.
//   - Configuration: config reads files, live applies them.
//
// A program links what it imports: a program that only calls needs the contract, and
// a program that attaches needs no companion and no configuration.
//
// [attach.Connect]: https://pkg.go.dev/github.com/mcpgen/mcpgen/runtime/attach#Connect
package runtime
