// Package mcptest supports tests of agents without processes or a network: with fakes of servers, and
// with recordings of real servers.
//
// A [Fake] is a server made of functions. Each generated package has a typed one, in a package named
// after it:
//
//	fake := githubtest.New(t)
//	fake.OnListPRs(func(ctx context.Context, args github.ListPRsArgs) (github.ListPRsResult, error) {
//		return github.ListPRsResult{{Number: 7}}, nil
//	})
//	ctx := runtime.NewContext(t.Context(), fake)
//
// Arguments and results are checked against the schemas that the package was generated from, and an
// unexpected call fails the test. [runtime.Route] combines the fakes of several servers.
//
// [RecordOrReplay] answers calls from a file. Under MCPGEN_RECORD=1 it writes the file: it records the
// calls of a run against real servers, without their secrets:
//
//	servers := mcptest.RecordOrReplay(t, "testdata/triage.jsonl", func(ctx context.Context) (runtime.Invoker, error) {
//		return live.Connect(ctx)
//	})
//	ctx := runtime.NewContext(t.Context(), servers)
//
// [Record] and [Replay] are its two halves, with options. [Whole] wraps either of them, and fails the
// test if a part of a result is not read by any field.
//
// Everything here is safe for concurrent use. After the test has ended, calls return errors instead of
// panicking.
package mcptest
