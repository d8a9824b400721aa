// Package mcptest lets an agent be tested without a process and without a
// network: with fakes of servers, and with recordings of real ones.
//
// A [Fake] is a server made of functions. Generated packages come with one that
// is typed, in a package named after them:
//
//	fake := githubtest.New(t)
//	fake.OnListPRs(func(ctx context.Context, args github.ListPRsArgs) (github.ListPRsResult, error) {
//		return github.ListPRsResult{{Number: 7}}, nil
//	})
//	ctx := runtime.NewContext(t.Context(), fake)
//
// What is asked and what is answered is checked against the schemas that the
// package was generated from, and a call that nobody expected fails the test.
// [runtime.Route] joins the fakes of several servers.
//
// [RecordOrReplay] answers calls from a file, and under MCPGEN_RECORD=1 writes it: the
// calls of a run against real servers, without their secrets:
//
//	servers := mcptest.RecordOrReplay(t, "testdata/triage.jsonl", func(ctx context.Context) (runtime.Invoker, error) {
//		return live.Connect(ctx)
//	})
//	ctx := runtime.NewContext(t.Context(), servers)
//
// [Record] and [Replay] are its two halves, with options. [Whole] stands before
// either, and fails the test where a result has something that no field reads.
//
// Everything here is safe for concurrent use. After its test has ended it still
// answers with errors, and does not panic.
package mcptest
