// Package lockfile has the files that facts are kept in: mcpgen.lock with the hashes
// that were accepted, and beside the generated code snapshot.json and observed.json.
// Equal contents give equal bytes, which merge line by line; what was edited by hand
// is refused with line and column.
//
// # The lock
//
// A lock begins with its form, "mcpgen": 3, and the revision of the contract hashes. What
// a server offers is kept as facts, which know no programming language. Its members, in
// their order; all but "tools" are left out where there is nothing to say:
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
//	store               the digest of a snapshot in a store
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
// The members "go" belong to their generator, which reads them strictly; this package
// hands them on as they are. They stand in the entry of what they are about, not in a
// section of their own, because git would otherwise see two branches that add a tool each
// insert at the same place there. Systems, tree and store have no reader yet and are
// refused until they have.
//
// The snapshot has clientCapabilities, too, unless nothing was declared: a program that runs
// without the lock knows it from there.
//
// Form 1 had no source, place and acceptances, and the decisions stood beside the hashes.
// Forms 1 and 2 were written with snapshots whose members are sorted. Both are read, and
// written as form 3, unordered.
//
// # The snapshot
//
// Members keep the order in which the server wrote them, at every level. Hashes do not
// depend on it, so an item that has its locked hash stays as it was written
// ([LockedServer.KeepOrder]): a server that shuffles causes no diff. Items are sorted by
// name, so that git merges branches that add some; how the server lists them is said by
// place.
package lockfile
