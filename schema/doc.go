// Package schema holds facts: what a server reported, and the hashes of these reports. It does not know Go
// names or Go types; these are decisions of the generator.
//
// A [Snapshot] is everything that one server offers, an [Item] is one of its tools, prompts, resources or
// templates. [FullHash] covers a definition exactly as sent, [ContractHash] covers its meaning. Everything is
// read from raw bytes, so numbers keep their digits and unknown members are kept. [ParseTool] tolerates a
// server's mistakes and reports each as a [Problem]. Nothing in this package panics on input, uses the network
// or recurses without a bound.
//
// Packages needed only at build time are separate: lockfile reads and writes the files that hold facts,
// jsonschema models JSON Schema.
package schema
