package native_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/native"
)

func ExampleNew() {
	type args struct {
		Name  string `json:"name" jsonschema:"description=Whom to greet."`
		Times int    `json:"times,omitempty" jsonschema:"minimum=1"`
	}
	greet, err := native.New("greet", "Greets somebody.", func(_ context.Context, a args) (string, error) {
		return "Hello, " + a.Name + "!", nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(greet.Spec().InputSchema))
	res, err := greet.Call(context.Background(), json.RawMessage(`{"name":"Ada"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Text())
	_, err = greet.Call(context.Background(), json.RawMessage(`{"name":"Ada","times":0}`))
	fmt.Println(err)
	// Output:
	// {"properties":{"name":{"type":"string","description":"Whom to greet."},"times":{"type":"integer","minimum":1}},"additionalProperties":false,"type":"object","required":["name"]}
	// Hello, Ada!
	// greet: gate: invalid arguments: at "/times": must be at least 1
}

// Native tools stand behind the same middleware as the tools of servers.
func ExampleSet_Middleware() {
	set, err := native.NewSet(native.Echo())
	if err != nil {
		log.Fatal(err)
	}
	logged := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			fmt.Printf("call of %q\n", req.Server+"/"+req.Name)
			return next.Invoke(ctx, req)
		})
	}
	// In a program these are the Middleware of attach.Options, and inv is the host.
	inv := runtime.Chain(runtime.Route{}, logged, set.Middleware())
	for _, tool := range set.Tools(inv) {
		res, err := tool.Call(context.Background(), json.RawMessage(`{"text":"hi"}`))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.Text())
	}
	// Output:
	// call of "/echo"
	// hi
}

// A model finds the tool that it needs, in place of reading the definitions of all.
func ExampleSearch() {
	var all []runtime.Tool // in a program host.Tools, of a live.Host or an agent.View
	for _, tool := range []*native.Tool{native.Echo(), native.Clock(nil)} {
		all = append(all, tool)
	}
	set := native.Search(func(context.Context) ([]runtime.Tool, error) { return all, nil })
	for _, call := range [][2]string{
		{native.FindToolsName, `{"query":"what time is it"}`},
		{native.CallToolName, `{"name":"echo","arguments":{"text":"hi"}}`},
	} {
		res, err := set.Call(context.Background(), call[0], json.RawMessage(call[1]))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.Text())
	}
	// Output:
	// {"tools":[{"name":"clock","summary":"Returns the time in milliseconds since 1970."}],"more":0}
	// hi
}
