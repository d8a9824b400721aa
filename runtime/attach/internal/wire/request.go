// Requests as JSON.

package wire

import "github.com/mcpgen/mcpgen/internal/jsontext"

// Append appends the request as JSON. The params are unchanged, except that the
// progress token is added to _meta if progress is wanted.
func (r *Request) Append(dst []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = r.ids.Append(dst, r.ID)
	dst = append(dst, `,"method":`...)
	dst = jsontext.AppendString(dst, r.Method)
	if r.Params != nil || r.OnProgress != nil {
		dst = append(dst, `,"params":`...)
		if r.OnProgress != nil {
			dst = r.ids.appendTokened(dst, r.Params, r.ID)
		} else {
			dst = append(dst, r.Params...)
		}
	}
	return append(dst, '}')
}

// AppendCancelled appends the notification that a request is cancelled.
func (c *Conn) AppendCancelled(dst []byte, id uint64, reason string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"`+MethodCancelled+`","params":{"requestId":`...)
	dst = c.ids.Append(dst, id)
	dst = append(dst, `,"reason":`...)
	dst = jsontext.AppendString(dst, reason)
	return append(dst, `}}`...)
}

// appendTokened appends params with the progress token in _meta, where it replaces
// another token. Nothing else is changed.
func (d requestIDs) appendTokened(dst, params []byte, id uint64) []byte {
	if params == nil {
		params = []byte("{}")
	}
	token := func(dst []byte) []byte { return d.Append(dst, id) }
	from, to := jsontext.MemberAt(params, `"_meta"`)
	if from < 0 || params[from] != '{' {
		return jsontext.AppendMember(dst, params, `"_meta"`, func(dst []byte) []byte {
			return append(token(append(dst, `{"progressToken":`...)), '}')
		})
	}
	return jsontext.AppendMember(dst, params, `"_meta"`, func(dst []byte) []byte {
		return jsontext.AppendMember(dst, params[from:to], `"progressToken"`, token)
	})
}
