package lockfile

// This file reads the launch of a locked server.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// launch reads how a server is started or reached. Locks of older versions contain only a hash.
func (r *fileReader) launch(v *tree.Value, pointer string) Launch {
	switch {
	case v == nil:
		return Launch{}
	case v.Kind == tree.String && isHash(v.Text):
		return Launch{Hash: strings.Clone(v.Text)}
	case v.Kind != tree.Object:
		r.fail(v.Pos, pointer, "must be an object, or sha256: and 64 hexadecimal digits in lower case")
		return Launch{}
	}
	r.order(v, []string{"transport", "command", "args", "envFile", "inheritEnv", "env", "url", "headers", "artifacts", "installScripts", "hash"}, pointer)
	l := Launch{
		Transport: r.text(v, "transport", pointer),
		Command:   r.text(v, "command", pointer),
		Args:      r.texts(v, "args", pointer),
		EnvFile:   r.text(v, "envFile", pointer),
		Inherit:   r.texts(v, "inheritEnv", pointer),
		Env:       r.pairs(v, "env", pointer),
		URL:       r.text(v, "url", pointer),
		Headers:   r.pairs(v, "headers", pointer),
		Artifacts: r.text(v, "artifacts", pointer),
		Scripts:   r.texts(v, "installScripts", pointer),
		Hash:      r.hash(v, "hash", pointer),
	}
	if (l.Command == "") == (l.URL == "") {
		r.fail(v.Pos, pointer, "must have either a command or a url")
	}
	r.need(v, pointer, "hash")
	return l
}

// texts reads a list of texts, or returns nil if it is absent or empty.
func (r *fileReader) texts(v *tree.Value, name, pointer string) []string {
	m := v.Get(name)
	if m == nil {
		return nil
	}
	if m.Kind != tree.Array {
		r.fail(m.Pos, pointer+"/"+name, fmt.Sprintf("must be an array, is %v", m.Kind))
		return nil
	}
	var out []string
	for i := range m.Kids {
		out = append(out, r.asText(&m.Kids[i].Value, pointer+"/"+name+"/"+strconv.Itoa(i)))
	}
	return out
}

// pairs reads an object of texts, or returns nil if it is absent or empty.
func (r *fileReader) pairs(v *tree.Value, name, pointer string) map[string]string {
	m := v.Get(name)
	if m == nil {
		return nil
	}
	out := map[string]string{}
	r.each(m, pointer+"/"+name, m.Pos, func(m *tree.Member, at string) { out[strings.Clone(m.Name)] = r.asText(&m.Value, at) })
	return orNil(out)
}
