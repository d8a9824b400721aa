package mcptest_test

import (
	"context"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

// A nil pointer is null where the generated method takes null for a result.
func TestNullResult(t *testing.T) {
	type person struct {
		Name string `json:"name"`
	}
	ref := codec.ItemRef{Server: "s", Name: "find"}
	ft := new(fakeT)
	fake := mcptest.New(ft, codec.NewManifest("s", `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`, ref))
	find := func(context.Context, struct{}) (*person, error) { return nil, nil }
	call := func() (*person, error) {
		out := new(person)
		err := codec.CallTool(t.Context(), fake, ref, nil, &out, nil, codec.OrNull())
		return out, err
	}
	mcptest.OnTool(fake, "find", find, codec.OrNull())
	if out, err := call(); out != nil || err != nil {
		t.Errorf("%+v, %v", out, err)
	}
	ft.wants(t)
	mcptest.OnTool(fake, "find", find)
	if _, err := call(); err == nil {
		t.Error("no error of a nil result that is not null")
	}
	ft.wants(t, "neither a result nor an error")
}
