package starter

// This file changes the servers and imports of a configuration in JSON, and keeps its comments and its order.

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// jsonFile is a configuration in JSON. While it is edited, its lines end with "\n".
type jsonFile struct {
	hujson.Value
	newline string
}

// parseJSON returns a configuration in JSON; nil if it is not in JSON.
func parseJSON(text []byte) *jsonFile {
	f := &jsonFile{newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		f.newline = "\r\n"
	}
	var err error
	f.Value, err = hujson.Parse(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	if err != nil || f.Value.Value.Kind() != '{' {
		return nil
	}
	return f
}

func (f *jsonFile) text() []byte {
	return bytes.ReplaceAll(f.Pack(), []byte("\n"), []byte(f.newline))
}

// entryJSON returns a server as JSON on one line.
func entryJSON(name string, s config.Entry) (json.RawMessage, error) {
	data, err := tree.YAMLAsJSON("", 0, []byte(strings.Join(entryLines(name, s, ""), "\n")))
	if err != nil {
		return nil, err
	}
	root, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	for v := range root.All() {
		if text, ok := v.Value.(hujson.Literal); ok && text.Kind() == '"' {
			v.Value = hujson.Literal(jsontext.AppendString(nil, text.String())) // & is not escaped
		}
	}
	return root.Find(pointer(name)).Pack(), nil
}

// add returns the configuration with one more last element of the value of a key. The value is empty if
// the key is missing. In a list, name is "-".
func (f *jsonFile) add(key, empty, name string, element json.RawMessage) ([]byte, error) {
	outer := lastSpace(&f.Value)
	if f.Find(pointer(key)) == nil {
		if err := f.patch("add", pointer(key), empty); err != nil {
			return nil, err
		}
		setSpace(&f.Value, outer)
	}
	in := f.Find(pointer(key))
	inner := lastSpace(in)
	if indent, lines := strings.CutPrefix(outer, "\n"); lines && len(spaces(in)) == 0 {
		inner = outer + indent
		switch v := in.Value.(type) {
		case *hujson.Object:
			v.AfterExtra = hujson.Extra(outer)
		case *hujson.Array:
			v.AfterExtra = hujson.Extra(outer)
		}
	}
	if indent, lines := strings.CutPrefix(inner, "\n"); lines {
		var out bytes.Buffer
		if err := json.Indent(&out, element, indent, indent[:len(indent)/2]); err != nil {
			return nil, err
		}
		element = out.Bytes()
	}
	if err := f.patch("add", pointer(key, name), string(element)); err != nil {
		return nil, err
	}
	setSpace(in, inner)
	return f.text(), nil
}

// patch makes one change.
func (f *jsonFile) patch(operation, pointer, value string) error {
	path := string(jsontext.AppendString(nil, pointer))
	patch := `[{"op": "` + operation + `", "path": ` + path + `, "value": ` + value + `}]`
	if err := f.Patch([]byte(patch)); err != nil {
		return errByHand
	}
	return nil
}

// pointer returns a JSON pointer.
func pointer(keys ...string) string {
	out := ""
	for _, key := range keys {
		out += "/" + jsontext.EscapePointer(key)
	}
	return out
}

// spaces returns what is before each member of an object, or each element of a list.
func spaces(v *hujson.Value) []*hujson.Extra {
	var out []*hujson.Extra
	switch v := v.Value.(type) {
	case *hujson.Object:
		for i := range v.Members {
			out = append(out, &v.Members[i].Name.BeforeExtra)
		}
	case *hujson.Array:
		for i := range v.Elements {
			out = append(out, &v.Elements[i].BeforeExtra)
		}
	}
	return out
}

// lastSpace returns the space before the last member or element, from its line break on. It is "" on one line.
func lastSpace(v *hujson.Value) string {
	if all := spaces(v); len(all) > 0 {
		return endOf(*all[len(all)-1])
	}
	return ""
}

// endOf returns the space at the end, from its line break on.
func endOf(extra hujson.Extra) string {
	text := string(extra[len(bytes.TrimRight(extra, " \t\n")):])
	return text[max(0, strings.LastIndexByte(text, '\n')):]
}

// endWith sets the space at the end, and keeps the comment before it.
func endWith(extra *hujson.Extra, space string) {
	if strings.Contains(space, "\n") {
		*extra = bytes.TrimRight(*extra, " \t\n")
	}
	*extra = append(*extra, space...)
}

// setSpace sets the space before the last member or element.
func setSpace(v *hujson.Value, space string) {
	all := spaces(v)
	endWith(all[len(all)-1], space)
	if object, ok := v.Value.(*hujson.Object); ok && space != "" {
		object.Members[len(object.Members)-1].Value.BeforeExtra = hujson.Extra(" ")
	}
}

// remove returns the configuration without a server.
func (f *jsonFile) remove(name string) ([]byte, error) {
	object := &hujson.Object{}
	if servers := f.Find(pointer("servers")); servers != nil && servers.Value.Kind() == '{' {
		object = servers.Value.(*hujson.Object)
	}
	if f.Find(pointer("servers", name)) == nil {
		var known []string
		for _, m := range object.Members {
			known = append(known, m.Name.Value.(hujson.Literal).String())
		}
		return nil, noServer(known, name)
	}
	end := endOf(object.AfterExtra)
	if err := f.patch("remove", pointer("servers", name), "null"); err != nil {
		return nil, err
	}
	if strings.Contains(end, "\n") { // the comment before it has another end
		endWith(&object.AfterExtra, end)
	}
	return f.text(), nil
}
