// Package lockfile has the files that facts are kept in: mcpgen.lock with the hashes
// that were accepted, and beside the generated code snapshot.json and observed.json.
// Equal contents give equal bytes, which merge line by line; what was edited by hand
// is refused with line and column.
package lockfile
