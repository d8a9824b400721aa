// Package tree reads JSON into a tree that keeps what encoding/json discards: the order of members, the digits
// of numbers, lone surrogates and positions. It also writes trees in canonical form.
package tree
