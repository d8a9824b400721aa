package policy_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// github is a server that answers every call.
func github(_ context.Context, req runtime.Request) (*runtime.Result, error) {
	return req.ParseResult([]byte(`{"content":[{"type":"text","text":"done"}]}`))
}

func ExamplePolicy_Middleware() {
	p, err := policy.New(policy.Config{
		Allow: []string{"tool:github/*"},
		Deny:  []string{"tool:*/delete_*"}, // beats allow
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	servers := runtime.Chain(runtime.InvokerFunc(github), p.Middleware())
	for _, tool := range []string{"list_prs", "delete_repo"} {
		_, err := runtime.Request{Server: "github", Method: protocol.MethodCallTool, Name: tool}.Do(context.Background(), servers)
		fmt.Println(tool, errors.Is(err, runtime.ErrDenied))
	}
	// Output:
	// list_prs false
	// delete_repo true
}
