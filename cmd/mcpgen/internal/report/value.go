// Values and names on one line: JSON and shell words without characters that control a terminal, a shell
// or a program that reads the output.

package report

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// line makes foreign text one printable, inert line: see [console.Inert].
func line(text string) string { return console.Inert(console.Clean(text)) }

// inertJSON is [safetext.JSON], and also escapes single quotes, for shells, and the beginning of
// commands: see [console.Inert].
func inertJSON(raw []byte) []byte {
	raw = bytes.ReplaceAll(safetext.JSON(raw), []byte("'"), []byte(`\u0027`))
	return bytes.ReplaceAll(raw, []byte("##"), []byte(`#\u0023`))
}

// compact writes a value on one line, inert. A value that is not JSON becomes a string.
func compact(raw json.RawMessage) string {
	line := jsontext.Compact(raw)
	if line == nil {
		line, _ = json.Marshal(string(raw)) // strings can always be marshalled
	}
	return string(inertJSON(line))
}

// tokens splits compact JSON where spaces are allowed: after commas, colons and opening brackets outside
// strings.
func tokens(text string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case ',', ':', '{', '[':
			if !quoted {
				out = append(out, text[start:i+1])
				start = i + 1
			}
		}
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// isResult reports whether a change's witness is a result, not arguments.
func isResult(c *Change) bool {
	return c.Rule.Part() == drift.Results || strings.HasPrefix(c.Path, "/outputSchema")
}

// isCall reports whether a change's witness can be sent with mcpgen call.
func isCall(c *Change) bool {
	return c.Witness != nil && c.Kind == schema.KindTool && !isResult(c)
}

// command returns a call, on one line, that shows what a change breaks.
func command(server string, c *Change) string {
	return "mcpgen call " + hint.Word(server+"/"+c.Name) + " --args '" + compact(c.Witness) + "'"
}

// Selector returns a finding as mcpgen update --accept expects it: server, item and rule, or server and
// rule for the server itself. Characters that cannot be typed are escaped as in a Go string.
func Selector(server string, c *drift.Change) string {
	return selector(server, c.Kind, c.Name, c.Rule.String())
}

func selector(server string, kind schema.Kind, name, rule string) string {
	text := server + "/" + name + "/" + rule
	if kind == drift.KindServer {
		text = server + "/" + rule
	}
	if text != line(text) {
		quoted := strconv.QuoteToASCII(text)
		return quoted[1 : len(quoted)-1]
	}
	return text
}

// title names the item of a change.
func title(kind schema.Kind, name string) string {
	if kind == drift.KindServer {
		return "server"
	}
	return string(kind) + " " + line(name)
}
