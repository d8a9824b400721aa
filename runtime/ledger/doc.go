// Package ledger keeps an append-only log of which tools are enrolled. The set of
// live tools is never stored: the pure function [Reduce] folds the log into it. So
// the same log always gives the same view, to the byte, in whatever order its entries
// arrive.
//
//	deck := ledger.Ledger{}
//	deck, err = deck.Enroll(ledger.EnrollRequest{Capability: card, At: now})
//	deck, err = deck.WithdrawServer("github", now)
//
// A [Ledger] is an immutable value: each transition returns a new one. A [Recorder]
// keeps a ledger up to date with a host. A [File] keeps the ledgers of many hosts on
// disk, one run for each; [Read] reads them back.
package ledger
