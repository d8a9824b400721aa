package codec_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// decodeWatched calls a tool that answers with in, and returns what was not read.
func decodeWatched(t *testing.T, in string, out any, parts ...codec.Part) []string {
	t.Helper()
	answer := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Structured: json.RawMessage(in)}, nil
	})
	var got []string
	inv := runtime.Chain(answer, codec.OnUnread(func(req runtime.Request, list []runtime.Unread) {
		if req.Name != "tool" {
			t.Errorf("the request is %+v", req)
		}
		for _, u := range list {
			got = append(got, u.Pointer+": "+u.Reason)
		}
	}))
	var raw runtime.Result
	if err := codec.CallTool(t.Context(), inv, codec.ItemRef{Server: "server", Name: "tool"}, nil, out, []runtime.CallOption{runtime.WithRaw(&raw)}, parts...); err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	if raw.OnUnread != nil {
		t.Error("OnUnread is set in a result that is kept, want nil")
	}
	return got
}

func TestUnread(t *testing.T) {
	const (
		extra   = ": the type has no field for this member; it is in Extra"
		dropped = ": the type has no field for this member, so it is dropped"
		other   = ": the value matches no variant of its union; it is kept as blockOther"
		text    = ": the Go type rounds this number; the exact text is kept, too"
	)
	blocksPart := codec.UnionOf((*block)(nil), decodeBlock)
	for _, tt := range []struct {
		in   string
		out  any
		want []string
	}{
		{`{"number":1,"title":"t","state":"s","created_at":"c","html_url":"u","user":{"login":"l","id":1}}`, new(pull), nil},
		{`{"number":1,"title":"t","state":"s","created_at":"c","html_url":"u","user":{"login":"l","id":1,"a/b":2},"x":{"y":[]},"labels":[{"name":"n","color":"c"},{"name":"n","color":"c","z":1}]}`,
			new(pull), []string{"/user/a~1b" + extra, "/x" + extra, "/labels/1/z" + extra}},
		{`[{"a":1}]`, new([]struct{}), []string{"/0/a" + dropped}},
		{`{"n":9007199254740993,"list":[0.5,9007199254740993],"in":{"n":9007199254740993}}`, new(measured), []string{"/n" + text, "/list/1" + text, "/in/n" + text}},
		{`[{"name":"a","at":[9007199254740993,1]}]`, new([]place), []string{"/0/at/0" + text}},
		{`["a",{"type":"text","text":"a"},{"type":"image","data":"","v":1},1.5,{"inside":{"type":"video"},"more":{}}]`, new(blocks),
			[]string{"/3" + other, "/4/inside" + other, "/4/more" + other}},
		{`["a",1,"b"]`, new(pair), nil},
		{`{"a":{"b":9007199254740993}}`, new(any), nil},
		{`null`, new(*pull), nil},
	} {
		if got := decodeWatched(t, tt.in, tt.out, blocksPart, codec.OrNull()); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestUnreadIsBounded(t *testing.T) {
	in := "[" + strings.Repeat(`{"x":1},`, 1000) + `{"x":1}]`
	if got := decodeWatched(t, in, new([]struct{})); len(got) != 100 || got[99] != "/99/x: the type has no field for this member, so it is dropped" {
		t.Errorf("%d are reported: %q", len(got), got[len(got)-1])
	}
}
