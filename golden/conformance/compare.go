package main

// Are two texts the same JSON? Numbers are compared by value, exactly: 1.0 is 1
// and 1e0, and 9007199254740993 is not 9007199254740992.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// difference returns where and how got is not want; "" if it is.
func difference(want, got []byte) string {
	a, err := decodeExact(want)
	if err != nil {
		return "the value is not JSON: " + err.Error()
	}
	b, err := decodeExact(got)
	if err != nil {
		return fmt.Sprintf("came back as %.100q, which is not JSON: %v", got, err)
	}
	return differ("", a, b)
}

func decodeExact(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more than one value")
	}
	return v, nil
}

func differ(pointer string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return differObjects(pointer, w, g)
		}
	case []any:
		if g, ok := got.([]any); ok && len(g) == len(w) {
			for i := range w {
				if d := differ(fmt.Sprintf("%s/%d", pointer, i), w[i], g[i]); d != "" {
					return d
				}
			}
			return ""
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && decimal(string(w)) == decimal(string(g)) {
			return ""
		}
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s: sent %s, came back %s", pointerText(pointer), brief(want), brief(got))
}

func differObjects(pointer string, want, got map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		below := pointer + "/" + jsontext.EscapePointer(name)
		g, ok := got[name]
		if !ok {
			return fmt.Sprintf("%s: sent %s, came back without it", below, brief(want[name]))
		}
		if d := differ(below, want[name], g); d != "" {
			return d
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			return fmt.Sprintf("%s/%s: not sent, came back %s", pointer, jsontext.EscapePointer(name), brief(got[name]))
		}
	}
	return ""
}

func pointerText(pointer string) string {
	if pointer == "" {
		return "the whole"
	}
	return pointer
}

func brief(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	if len(text) > 80 {
		text = append(text[:80:80], "…"...)
	}
	return string(text)
}

// decimal gives equal numbers one spelling: digits without zeros at their ends,
// and an exponent.
func decimal(s string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	e := new(big.Int)
	if exponent != "" {
		if _, ok := e.SetString(strings.TrimPrefix(exponent, "+"), 10); !ok {
			return sign + s
		}
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	e.Sub(e, big.NewInt(int64(len(fraction))))
	short := strings.TrimRight(digits, "0")
	e.Add(e, big.NewInt(int64(len(digits)-len(short))))
	return sign + short + "e" + e.String()
}
