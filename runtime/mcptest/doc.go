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
// [Record] writes the calls of a run against real servers to a file, without
// their secrets, and [Replay] answers the same calls from it:
//
//	func servers(t *testing.T) runtime.Invoker {
//		const file = "testdata/triage.jsonl"
//		if !*record {
//			return mcptest.Replay(t, file, nil)
//		}
//		… // host, err := attach.Connect(…)
//		return runtime.Chain(host, mcptest.Record(t, file, nil))
//	}
//
// Everything here is safe for concurrent use. After its test has ended it still
// answers with errors, and does not panic.
package mcptest
