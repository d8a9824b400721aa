// Package schema holds facts: what a server said, and the hashes of what was
// accepted. It knows nothing of Go names or Go types; those are decisions and
// live in the generator.
//
// A [Snapshot] is a server's surface on disk, a [Lock] the hashes that were
// accepted. [FullHash] covers a definition exactly as sent, [ContractHash] what
// it means. Everything is read from raw bytes, so numbers keep their digits
// and unknown members are kept.
package schema
