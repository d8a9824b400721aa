// Own requests as bytes.

package wire

import "encoding/json"

// appendRequest appends a request. The params are taken as they are, except
// that the progress token goes into their _meta.
func (d IDs) appendRequest(dst []byte, r *request) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = d.Append(dst, r.id)
	dst = append(dst, `,"method":`...)
	dst = appendString(dst, r.method)
	if r.params != nil || r.progress {
		dst = append(dst, `,"params":`...)
		if r.progress {
			dst = d.appendTokened(dst, r.params, r.id)
		} else {
			dst = append(dst, r.params...)
		}
	}
	return append(dst, '}')
}

func (d IDs) appendCancelled(dst []byte, id uint64, reason string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`...)
	dst = d.Append(dst, id)
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
