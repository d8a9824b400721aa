// The subjects of requests.

package policy

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// targetOf returns the target of a request.
func targetOf(req runtime.Request) target {
	t := target{
		server: req.Server, kind: kindOf(req.Method), name: req.Name, args: &arguments{raw: req.Args},
		caller: cmp.Or(req.Options.Caller, localCaller), claims: req.Options.Claims,
		profile: req.Options.Profile,
	}
	if req.Method == protocol.MethodComplete {
		var values map[string]string
		t.kind, t.name, values = completed(req)
		if t.kind == aboutResource && len(values) > 0 {
			t.addresses = append(t.addresses, &address{text: expand(t.name, values)})
		}
	}
	if t.kind == aboutResource {
		t.addresses = append(t.addresses, &address{text: t.name})
	}
	return t
}

// completed returns the subject of a completion: what its reference names, since that
// is sent to the server, or else the name of the request. For a template it also
// returns the values of variables that are sent to the server.
func completed(req runtime.Request) (kind, string, map[string]string) {
	text, err := canonicalJSON(req.Args) // a duplicate member has two meanings
	var params map[string]json.RawMessage
	if err != nil || json.Unmarshal([]byte(text), &params) != nil {
		return aboutNothing, "", nil
	}
	values, err := variables(params)
	var ref map[string]string
	switch {
	case err != nil:
		return aboutNothing, "", nil
	case params["ref"] == nil && strings.Contains(req.Name, "://"):
		return aboutResource, req.Name, values
	case params["ref"] == nil:
		return aboutPrompt, req.Name, nil
	case json.Unmarshal(params["ref"], &ref) != nil:
		return aboutNothing, "", nil
	}
	_, named := ref["name"]
	_, addressed := ref["uri"]
	switch {
	case ref["type"] == "ref/prompt" && named && !addressed:
		return aboutPrompt, ref["name"], nil
	case ref["type"] == "ref/resource" && addressed && !named:
		return aboutResource, ref["uri"], values
	}
	return aboutNothing, "", nil
}

// variables returns the values that a completion sends to the server.
func variables(params map[string]json.RawMessage) (map[string]string, error) {
	var argument map[string]json.RawMessage
	var context map[string]json.RawMessage
	values := map[string]string{}
	for member, into := range map[string]any{"argument": &argument, "context": &context} {
		if raw := params[member]; raw != nil {
			if err := json.Unmarshal(raw, into); err != nil {
				return nil, err
			}
		}
	}
	if raw := context["arguments"]; raw != nil {
		if err := json.Unmarshal(raw, &values); err != nil {
			return nil, err
		}
	}
	if argument["name"] == nil || argument["value"] == nil {
		return values, nil
	}
	var name, value string
	if err := json.Unmarshal(argument["name"], &name); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(argument["value"], &value); err != nil {
		return nil, err
	}
	if values == nil { // it was null
		values = map[string]string{}
	}
	values[name] = value
	return values, nil
}

// expand puts values into a template. An expression without values is unchanged.
func expand(template string, values map[string]string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{")
		expression, after, closed := strings.Cut(rest, "}")
		b.WriteString(before)
		if !ok || !closed {
			b.WriteString(template[len(before):])
			return b.String()
		}
		const inName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_%"
		operator := strings.TrimRight(expression[:min(1, len(expression))], inName)
		var set []string
		for _, name := range strings.Split(expression[len(operator):], ",") {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
			if value, ok := values[name]; ok {
				set = append(set, url.PathEscape(value))
			}
		}
		if set == nil {
			b.WriteString("{" + expression + "}")
		} else {
			b.WriteString(strings.TrimLeft(operator, "+") + strings.Join(set, "/"))
		}
		template = after
	}
}
