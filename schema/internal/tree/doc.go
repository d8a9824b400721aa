// Package tree reads JSON into a tree that keeps what encoding/json throws away: the
// order of members, the digits of numbers, lone surrogates and positions; and writes
// it in canonical form.
package tree
