// Servers that print what is not a message, or frame messages oddly.

package testserver

import (
	"bytes"
	"encoding/json"
)

func noiseModes() map[string]func(*server) {
	return map[string]func(*server){
		"noise-stdout":  noise(banner),
		"noise-json":    noise(jsonLog),
		"noise-partial": noisePartial,
		"noise-crlf":    noiseCRLF,
		"batch":         batch,
		"wrong-id":      answerCalls(func(c *client, m message) { c.write(callAnswer(m, `"nobody-asked"`)) }),
		"string-id":     stringID,
		"pretty-init":   pretty("initialize"),
		"pretty-list":   pretty("tools/list"),
		"pretty-call":   pretty("tools/call"),
		"null-id":       answerCalls(func(c *client, m message) { c.write(nullAnswer()) }),
	}
}

const banner = "evil-server v1.2.3 listening on stdio\n\n  \x1b[32mready\x1b[0m\n"

const jsonLog = `{"level":"info","msg":"started"}` + "\n" + `{"foo":1}` + "\n" + `{"method":"GET","path":"/"}` + "\n" +
	`[]` + "\n" + `"text"` + "\n" + `null` + "\n" + `42` + "\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}` + "\n"

// noise prints lines at the start and before each answer.
func noise(lines string) func(*server) {
	return func(s *server) {
		s.greet = func(c *client) { c.raw([]byte(lines)) }
		s.rewrite = func(c *client, _ message, answer []byte) []byte {
			if !c.sync {
				c.raw([]byte(lines))
			}
			return answer
		}
	}
}

// noisePartial prints without a newline, so that answers stand behind it.
func noisePartial(s *server) {
	s.rewrite = func(c *client, _ message, answer []byte) []byte {
		if !c.sync {
			c.raw([]byte(`Loading {"tools": [1/2] `))
		}
		return answer
	}
}

// noiseCRLF begins with a byte order mark and ends lines as Windows does.
func noiseCRLF(s *server) {
	s.greet = func(c *client) { c.raw([]byte("\ufeff")) }
	s.rewrite = func(_ *client, _ message, answer []byte) []byte { return append(answer, '\r') }
}

// pretty writes the answers to one method on several lines.
func pretty(method string) func(*server) {
	return func(s *server) {
		s.rewrite = func(_ *client, m message, answer []byte) []byte {
			if m.Method != method {
				return answer
			}
			var b bytes.Buffer
			_ = json.Indent(&b, answer, "", "  ") // the answer is valid
			return b.Bytes()
		}
	}
}

// batch wraps each answer in an array, beside a notification.
func batch(s *server) {
	s.rewrite = func(_ *client, _ message, answer []byte) []byte {
		log := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"batched"}}`
		return append(append([]byte("["+log+","), answer...), ']')
	}
}

// answerCalls replaces what tools/call does.
func answerCalls(h handler) func(*server) {
	return func(s *server) {
		s.on["tools/call"] = h
	}
}

// callAnswer answers a call under another id.
func callAnswer(m message, id string) []byte {
	return append(append([]byte(`{"jsonrpc":"2.0","id":`+id+`,"result":`), encode(echoResult(arguments(m)))...), '}')
}

func nullAnswer() []byte {
	return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}`)
}

// stringID makes a string of each id.
func stringID(s *server) {
	s.rewrite = func(_ *client, m message, answer []byte) []byte {
		if len(m.ID) == 0 || m.ID[0] == '"' {
			return answer
		}
		return replaceID(answer, m.ID, encode(string(m.ID)))
	}
}
