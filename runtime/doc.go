// Package runtime is the contract between generated packages and whatever
// carries their calls to an MCP server.
//
// The interfaces are four: an [Invoker] carries out a [Request], a [Middleware]
// stands before an Invoker, a [Tool] is one callable tool, and a [Registrar] is
// anything that tools can be registered with. [attach.Connect] returns an
// Invoker that is connected to real servers.
//
// A program that imports a generated package links no third-party code: this
// package, and package codec below it, which generated code is made of, need the
// standard library alone.
//
// Two kinds of failure are never merged. A tool that says no is a [Result]
// whose IsError is set; a typed call turns it into a [*ToolError]. Everything
// else (no connection, no permission, no valid arguments, no decodable answer)
// is a [*CallError].
//
// [attach.Connect]: https://pkg.go.dev/github.com/mcpgen/mcpgen/runtime/attach#Connect
package runtime
