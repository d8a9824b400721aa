// The value types of mcpgen.yaml that are more than a string or a number.

package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// parseDuration parses a duration in Go's notation, such as 30s, 1m30s or 500ms. Zero, negative durations
// and more than a day are errors.
func parseDuration(text string) (time.Duration, error) {
	v, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, errors.New("want a duration such as 30s or 1m30s")
	case v <= 0:
		return 0, errors.New("want a duration above zero")
	case v > dialect.MaxTime:
		return 0, errors.New("want a duration of at most 24h")
	}
	return v, nil
}

// maxSize bounds sizes in bytes: larger messages and their copies do not fit into memory.
const maxSize = 1 << 30

var sizeText = regexp.MustCompile(`^([0-9]+) ?(B|KB|MB|GB|KiB|MiB|GiB)$`)

// parseSize parses a number of bytes such as 16MiB, a whole number with a unit: B; KB, MB and GB by 1000;
// KiB, MiB and GiB by 1024. Zero and more than 1 GiB are errors.
func parseSize(text string) (int64, error) {
	m := sizeText.FindStringSubmatch(text)
	if m == nil {
		return 0, errors.New("want a size such as 16MiB; the units are B, KB, MB, GB, KiB, MiB, GiB")
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	unit := map[string]int64{"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[m[2]]
	if err != nil || n > math.MaxInt64/unit || n*unit > maxSize {
		return 0, errors.New("want a size of at most 1GiB")
	}
	if n == 0 {
		return 0, errors.New("want a size above zero")
	}
	return n * unit, nil
}

// Inherit is a list of variable names, or the word all.
type Inherit endpoint.Inherit

// JSONSchemaAlias returns the schema type: a list of strings.
func (Inherit) JSONSchemaAlias() any { return []string(nil) }

// Docs are the pages that are generated next to the code of each server.
type Docs string

// The pages: none by default, markdown, or a catalogue of HTML pages.
const (
	docsNone     Docs = ""
	docsMarkdown Docs = "markdown"
	HTML         Docs = "html"
)

// String returns d as mcpgen.yaml writes it: false, true or html.
func (d Docs) String() string {
	switch d {
	case docsNone:
		return "false"
	case docsMarkdown:
		return "true"
	}
	return string(d)
}

// JSONSchemaAlias returns a placeholder, since d has several types.
func (Docs) JSONSchemaAlias() any { return "" }

func decodeDocs(d *tree.Decoder, n *tree.Node, at tree.Path) any {
	switch {
	case n.Kind == tree.Bool && n.Bool():
		return docsMarkdown
	case n.Kind == tree.Bool:
		return docsNone
	case n.Kind == tree.String && n.Text == "html":
		return HTML
	}
	d.Fail(n.Pos, at, fmt.Sprintf("want true, false or html, found %s", found(n)))
	return docsNone
}

// elicitation is the input that a server may request from a person.
type elicitation struct{ Forms, Pages bool }

// JSONSchemaAlias returns a placeholder, since e has several types.
func (elicitation) JSONSchemaAlias() any { return "" }

func decodeElicitation(d *tree.Decoder, n *tree.Node, at tree.Path) any {
	switch {
	case n.Kind == tree.Bool:
		return elicitation{n.Bool(), n.Bool()}
	case n.Kind == tree.String && n.Text == "form":
		return elicitation{Forms: true}
	}
	d.Fail(n.Pos, at, fmt.Sprintf("want true, false or form, found %s", found(n)))
	return elicitation{}
}

// offers returns what the client declares to a server: the keys of own override the keys of all. It is nil
// if both are.
func offers(all, own *clientKeys) *endpoint.Offers {
	if all == nil && own == nil {
		return nil
	}
	o := new(endpoint.Offers)
	for _, c := range []*clientKeys{all, own} {
		if c == nil {
			continue
		}
		if c.Elicitation != nil {
			o.Forms, o.Pages = c.Elicitation.Forms, c.Elicitation.Pages
		}
		if c.Sampling != nil {
			o.Sampling = *c.Sampling
		}
		if c.Roots != nil {
			o.Roots = *c.Roots
		}
	}
	return o
}

// variables are names with values, in file order.
type variables []endpoint.Var

// JSONSchemaAlias returns the schema type: a mapping.
func (variables) JSONSchemaAlias() any { return map[string]string(nil) }

// customTypes returns the types with special decoding. All times and all 64-bit numbers, which are bytes,
// are texts with a unit.
func customTypes() map[reflect.Type]tree.Custom {
	return map[reflect.Type]tree.Custom{
		reflect.TypeFor[time.Duration](): unitText(parseDuration),
		reflect.TypeFor[int64]():         unitText(parseSize),
		reflect.TypeFor[variables]():     decodeVars,
		reflect.TypeFor[Inherit]():       decodeInherit,
		reflect.TypeFor[Docs]():          decodeDocs,
		reflect.TypeFor[elicitation]():   decodeElicitation,
	}
}

// unitText decodes a text with its parser.
func unitText[T any](parse func(string) (T, error)) tree.Custom {
	return func(d *tree.Decoder, n *tree.Node, at tree.Path) any {
		var value T
		if n.Kind != tree.Int && n.Kind != tree.Float && !d.Want(tree.String, n, at) { // a number lacks a unit
			return value
		}
		value, err := parse(n.Text)
		if err != nil {
			d.FailErr(n.Pos, at, err)
		}
		return value
	}
}

func decodeVars(d *tree.Decoder, n *tree.Node, at tree.Path) any {
	if !d.Map(n, at) {
		return variables(nil)
	}
	vars := make(variables, 0, len(n.Members))
	for _, m := range n.Members {
		if d.Want(tree.String, m.Value, at.Key(m.Name)) {
			vars = append(vars, endpoint.Var{Name: m.Name, Value: m.Value.Text})
		}
	}
	return vars
}

func decodeInherit(d *tree.Decoder, n *tree.Node, at tree.Path) any {
	if n.Kind == tree.String && n.Text == "all" {
		return Inherit{All: true}
	}
	if n.Kind != tree.List {
		d.Fail(n.Pos, at, fmt.Sprintf("want a list of variable names or the word all, found %s", found(n)))
		return Inherit{}
	}
	in := Inherit{Names: make([]string, 0, len(n.List))}
	for i, item := range n.List {
		if !d.Want(tree.String, item, at.Index(i)) {
			continue
		}
		if reason := texts.EnvName(item.Text); reason != "" {
			d.Fail(item.Pos, at.Index(i), reason)
		}
		in.Names = append(in.Names, item.Text)
	}
	return in
}

// found returns a value's kind, or the value itself if it is a string.
func found(n *tree.Node) string {
	if n.Kind == tree.String {
		return tree.Quote(n.Text)
	}
	return n.Kind.String()
}
