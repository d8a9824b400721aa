// Requests as bytes.

package wire

import "encoding/json"

// Append appends the request as bytes. The params are taken as they are, except
// that the token goes into their _meta where progress is wanted.
func (r *Request) Append(dst []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = r.ids.Append(dst, r.ID)
	dst = append(dst, `,"method":`...)
	dst = appendString(dst, r.Method)
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

// AppendCancelled appends the notification that a request is not wanted any more.
func (c *Conn) AppendCancelled(dst []byte, id uint64, reason string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`...)
	dst = c.ids.Append(dst, id)
	dst = append(dst, `,"reason":`...)
	dst = appendString(dst, reason)
	return append(dst, `}}`...)
}

// appendString appends s as JSON.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b > '~' || b == '"' || b == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil { // strings always can be written
				quoted = []byte(`""`)
			}
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// appendTokened appends params with the progress token in _meta, where it
// replaces another one. Nothing else changes.
func (d IDs) appendTokened(dst, params []byte, id uint64) []byte {
	if params == nil {
		params = []byte("{}")
	}
	token := func(dst []byte) []byte { return d.Append(dst, id) }
	from, to := memberAt(params, `"_meta"`)
	if from < 0 || !isObject(params[from:to]) {
		return appendMember(dst, params, `"_meta"`, func(dst []byte) []byte {
			return append(token(append(dst, `{"progressToken":`...)), '}')
		})
	}
	return appendMember(dst, params, `"_meta"`, func(dst []byte) []byte {
		return appendMember(dst, params[from:to], `"progressToken"`, token)
	})
}

// appendMember appends object with one member set to a value. The name is given
// with its quotes.
func appendMember(dst, object []byte, name string, value func([]byte) []byte) []byte {
	if from, to := memberAt(object, name); from >= 0 {
		dst = value(append(dst, object[:from]...))
		return append(dst, object[to:]...)
	}
	open := skipSpace(object, 0) + 1
	dst = append(dst, object[:open]...)
	dst = append(dst, name...)
	dst = value(append(dst, ':'))
	if next := skipSpace(object, open); next < len(object) && object[next] != '}' {
		dst = append(dst, ',')
	}
	return append(dst, object[open:]...)
}
