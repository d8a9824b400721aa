package ledger_test

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/mcpgen/mcpgen/runtime/ledger"
)

func Example() {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	issue := ledger.Capability{Name: "github__create_issue", Server: "github", Tool: "create_issue"}
	read := ledger.Capability{Name: "fs__read", Server: "fs", Tool: "read"}

	empty := ledger.Ledger{}
	deck, err := empty.Enroll(ledger.EnrollRequest{Capability: issue, At: now}, ledger.EnrollRequest{Capability: read, At: now})
	if err != nil {
		log.Fatal(err)
	}
	left, err := deck.WithdrawServer("github", now.Add(time.Hour))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(empty.Live()), len(deck.Live()), left.Names("fs"), left.Names("github"))
	entry, err := json.Marshal(left.Log()[2])
	fmt.Println(string(entry), err)
	// Output:
	// 0 2 [fs__read] []
	// {"op":"retire","key":"bk_189bf8c3e054c2302eaf3bd87efd8ea7","server":"github","seq":3,"at":"2026-01-02T04:04:05.000Z"} <nil>
}
