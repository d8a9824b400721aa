// Package schema holds facts: what a server said, and the hashes of it. It knows
// nothing of Go names or Go types; those are decisions and live in the generator.
//
// A [Snapshot] is what one server offers, an [Item] one tool, prompt, resource or
// template of it. [FullHash] covers a definition exactly as sent, [ContractHash] what
// it means. Everything is read from raw bytes, so numbers keep their digits and
// unknown members are kept. [ParseTool] passes over a server's mistakes, each reported
// as a [Problem]. Nothing here panics on input, goes to the network or recurses
// without a bound.
//
// What only build time needs stands beside it: package lockfile has the files that
// facts are kept in, package jsonschema a model of JSON Schema.
package schema
