package codec

// This file completes arguments of prompts and variables of resource templates.

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// CompleteArgs asks for completions of one argument: of a prompt, or of a variable of a resource
// template.
type CompleteArgs struct {
	Prompt   string            // name of the prompt, or
	Resource string            // URI or URI template; exclusive with Prompt
	Argument string            // name of the argument or variable
	Value    string            // the beginning of the value, as typed so far
	Context  map[string]string // arguments that are already set; nil means none
}

// Completion holds the values that a server proposes.
type Completion struct {
	Values  []string // whole values, not suffixes to append
	Total   int      // how many values exist; 0 if the server does not say
	HasMore bool     // there are more than Values
}

// Complete asks a server for possible values of an argument. Generated packages have a method that calls
// it.
//
// Inv and opts are as in [CallTool]. The error is a [*runtime.CallError]. It wraps
// [runtime.ErrInvalidArgs] if args name both a prompt and a resource, or neither, and [runtime.ErrDecode]
// if the answer holds no completion.
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
	ref := `{"ref":{"type":"ref/prompt","name":`
	switch {
	case a.Prompt != "" && a.Resource != "":
		return nil, &runtime.InvalidArgsError{Reason: "both a prompt and a resource are named: leave one of them out"}
	case a.Prompt == "" && a.Resource == "":
		return nil, &runtime.InvalidArgsError{Reason: "neither a prompt nor a resource is named: set one of them"}
	case a.Resource != "":
		ref = `{"ref":{"type":"ref/resource","uri":`
	}
	b := jsontext.AppendString([]byte(ref), a.Prompt+a.Resource) // one of them is ""
	b = jsontext.AppendString(append(b, `},"argument":{"name":`...), a.Argument)
	b = jsontext.AppendString(append(b, `,"value":`...), a.Value)
	if b = append(b, '}'); len(a.Context) > 0 {
		b, _ = appendValue(append(b, `,"context":{"arguments":`...), reflect.ValueOf(a.Context), 0) // texts can be encoded
		b = append(b, '}')
	}
	return append(b, '}'), nil
}

func parseCompletion(res *runtime.Result) (*Completion, error) {
	object := res.Structured
	if len(object) == 0 || object[0] != '{' {
		return nil, &runtime.DecodeError{Result: res, Err: errors.New("the answer has no completion")}
	}
	c := &Completion{HasMore: string(jsontext.Member(object, "hasMore")) == "true"}
	jsontext.Each(jsontext.Member(object, "values"), func(raw []byte) { c.Values = append(c.Values, jsontext.Text(raw)) })
	if total := jsontext.Member(object, "total"); len(total) > 0 && jsontext.TypeOf(total) == "number" {
		digits, _ := jsontext.Integer(total)     // "" if it is no integer of 64 bits
		n, _ := strconv.ParseInt(digits, 10, 64) // clamped if out of range
		c.Total = int(max(0, min(n, math.MaxInt32)))
	}
	return c, nil
}
