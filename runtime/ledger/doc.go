// Package ledger keeps which tools are enrolled as an append-only log. What is
// live is never stored: it is the fold of the log by one pure function, [Reduce],
// so the same log always gives the same view, to the byte, whoever replays it and
// in whatever order the entries arrive.
//
//	deck := ledger.Empty()
//	deck, err = deck.Enroll(ledger.EnrollRequest{Capability: card, At: now})
//	deck, err = deck.WithdrawServer("github", now)
//
// A [Ledger] is a value that never changes: each transition returns a new one. A
// [Recorder] keeps one up to date with a host. A [File] keeps the ledgers of many
// hosts on disk, one run for each; [Read] reads them back.
package ledger
