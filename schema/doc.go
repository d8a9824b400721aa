// Package schema holds facts: what a server said, and the hashes of what was
// accepted. It knows nothing of Go names or Go types; those are decisions and
// live in the generator.
//
// A [Snapshot] is a server's surface on disk, a [Lock] the hashes that were
// accepted. [FullHash] covers a definition exactly as sent, [ContractHash] what
// it means. Everything is read from raw bytes, so numbers keep their digits
// and unknown members are kept.
//
// [ParseTool] and [ParseSchema] read what a server sent and pass over its
// mistakes, each reported as a [Problem]. Nothing here panics on input, goes to
// the network or recurses without a bound.
package schema
