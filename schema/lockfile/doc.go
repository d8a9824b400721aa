// Package lockfile reads and writes the files that hold facts: mcpgen.lock with the accepted hashes, and
// snapshot.json and observed.json next to the generated code. Equal contents give equal bytes, which merge line
// by line. Invalid edits are rejected with line and column.
//
// # The lock
//
// A lock begins with its form, "mcpgen": 3, and the revision of the contract hashes. It keeps what a server
// offers as facts, independent of any programming language. The members of a server, in order; all but "tools"
// are omitted if absent:
//
//	source              the file that configures the server: scope, project or user;
//	                    dialect, unless it is mcpgen's own; file, a slash path relative to
//	                    the lock, or below the user's folder after ~/
//	identity, protocol, capabilities
//	clientCapabilities  what the client declared, which is the condition of the capture
//	launch              how it is started or reached, as written, with its hash
//	artifact            what that ran: kind, name, version, integrity; systems, the hash of
//	                    what runs for each that differs, by linux/amd64; tree, the hash of
//	                    its locked dependencies
//	store               the digest of the snapshot in an OCI registry that the entry was locked
//	                    from, or that it was pushed as
//	instructions        their hash
//	accepted            what was accepted of the server itself: rule, hash before and after
//	go                  what a generator decided about the package
//	unordered           true: in which order the server lists items, and writes their
//	                    members, is not known; a version that did not keep it locked them
//	tools, prompts, resources, resourceTemplates, skills, apps
//
// An item has its hashes (contract, full, key, result) and
//
//	suffix    what its qualified name ends in where several asked for one name. It is part
//	          of what models and registries call the tool, whatever code is generated
//	place     a number that orders the items of one kind as the server listed them, with
//	          gaps, so that one that comes later takes the middle between its neighbours and
//	          branches that add items merge; equal places go by name. Absent: no order
//	accepted  what was accepted of it: rule, hash before and after; at most 20
//	go        what a generator decided about it. It is always there, and last: so each
//	          item ends in lines that do not depend on its hashes
//
// The members "go" belong to their generator, which parses them strictly; this package passes them through
// unchanged. Each is in the entry that it concerns rather than in a common section, because two branches that
// each add a tool would conflict in a common section.
//
// The snapshot has clientCapabilities too, unless none were declared: programs that run without the lock read
// them there.
//
// Form 1 had no source, place and acceptances, and kept the generator's decisions next to the hashes. Forms 1
// and 2 came with snapshots whose members are sorted. Both can be read; they are written as form 3, unordered.
//
// # The snapshot
//
// Members keep the order in which the server wrote them, at every level. Hashes do not depend on the order, so
// an item with its locked hash stays as it was written ([LockedServer.KeepOrder]): a server that shuffles
// members causes no diff. Items are sorted by name, so that git merges branches that add items; place records
// the server's order.
package lockfile
