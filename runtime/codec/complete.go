package codec

// This file completes arguments of prompts and variables of resource templates.

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// CompleteArgs asks how the value of an argument can go on. The argument is one
// of a prompt, or a variable of a resource template.
type CompleteArgs struct {
	Prompt   string            // name of the prompt, or
	Resource string            // URI or URI template; never both
	Argument string            // name of the argument or variable
	Value    string            // what is there of the value so far
	Context  map[string]string // arguments that have their value already; nil means none
}

// Completion is what a server proposes.
type Completion struct {
	Values  []string // whole values, not what is to be appended
	Total   int      // how many there are in all; 0 if the server does not say
	HasMore bool     // Values are not all
}

// Complete asks a server for the values that an argument can have. The method of
// a generated package is one call of it.
//
// Inv and opts are those of [CallTool]. The error is a [*runtime.CallError]: that of
// args which name both a prompt and a resource, or neither, is
// [runtime.ErrInvalidArgs], that of an answer without a completion [runtime.ErrDecode].
func Complete(ctx context.Context, inv runtime.Invoker, server string, args CompleteArgs, opts []runtime.CallOption) (*Completion, error) {
	item := ItemRef{Server: server, Name: args.Prompt + args.Resource} // one of them is ""
	data, err := encodeCompletion(args)
	if err != nil {
		return nil, notSent(item, err)
	}
	res, err := request(ctx, inv, protocol.MethodComplete, item, data, opts)
	if err != nil {
		return nil, err
	}
	c, err := parseCompletion(res)
	if err != nil {
		return nil, &runtime.CallError{Server: item.Server, Name: item.Name, Stage: stage.Decode, Sent: true, Err: err}
	}
	return c, nil
}

// encodeCompletion returns the parameters of completion/complete.
func encodeCompletion(a CompleteArgs) (json.RawMessage, error) {
	type ref struct {
		Type string `json:"type"`
		Name string `json:"name,omitzero"`
		URI  string `json:"uri,omitzero"`
	}
	type argument struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type given struct {
		Arguments map[string]string `json:"arguments"`
	}
	params := struct {
		Ref      ref      `json:"ref"`
		Argument argument `json:"argument"`
		Context  *given   `json:"context,omitzero"`
	}{Argument: argument{a.Argument, a.Value}}
	switch {
	case a.Prompt != "" && a.Resource != "":
		return nil, &runtime.InvalidArgsError{Reason: "both a prompt and a resource are named: leave one of them out"}
	case a.Prompt != "":
		params.Ref = ref{Type: "ref/prompt", Name: a.Prompt}
	case a.Resource != "":
		params.Ref = ref{Type: "ref/resource", URI: a.Resource}
	default:
		return nil, &runtime.InvalidArgsError{Reason: "neither a prompt nor a resource is named: set one of them"}
	}
	if len(a.Context) > 0 {
		params.Context = &given{a.Context}
	}
	return encodeArgs(params)
}

func parseCompletion(res *runtime.Result) (*Completion, error) {
	object := res.Structured
	if len(object) == 0 || object[0] != '{' {
		return nil, &runtime.DecodeError{Result: res, Err: errors.New("the answer has no completion")}
	}
	c := &Completion{HasMore: string(jsontext.Member(object, "hasMore")) == "true"}
	jsontext.Each(jsontext.Member(object, "values"), func(raw []byte) { c.Values = append(c.Values, jsontext.Text(raw)) })
	if total := jsontext.Member(object, "total"); len(total) > 0 && jsontext.KindOf(total) == "a number" {
		digits, err := jsontext.Integer(total)
		if err == nil {
			n, _ := strconv.ParseInt(digits, 10, 64) // of one out of range the nearest
			c.Total = int(max(0, min(n, math.MaxInt32)))
		}
	}
	return c, nil
}
