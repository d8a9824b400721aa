package codec

// This file decodes numbers. JSON Schema has one kind of number: 3, 3.0 and 30e-1 are all the integer 3.
// Integers are never converted through a float.

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// setNumber sets v, an integer or a float, to the value of a literal.
func setNumber(literal []byte, v reflect.Value) error {
	text, bits := string(literal), v.Type().Bits()
	if !v.CanFloat() {
		var err error
		if text, err = jsontext.Integer(literal); err == jsontext.ErrNotInteger {
			return err
		}
	}
	switch {
	case v.CanInt():
		if n, err := strconv.ParseInt(text, 10, bits); err == nil {
			v.SetInt(n)
			return nil
		}
	case v.CanUint():
		if n, err := strconv.ParseUint(text, 10, bits); err == nil {
			v.SetUint(n)
			return nil
		}
	default:
		x, _ := strconv.ParseFloat(text, bits) // infinity if it is out of range
		v.SetFloat(x)
		return nil
	}
	return errNumber(literal, v)
}

// isExact reports whether the scalar v has exactly the value of raw. Numbers of up to 15 characters
// without an exponent always do: a float64 keeps that many digits.
func isExact(v reflect.Value, raw []byte) bool {
	if !v.CanFloat() || len(raw) <= 15 && bytes.IndexByte(raw, 'e') < 0 && bytes.IndexByte(raw, 'E') < 0 {
		return true
	}
	var room [32]byte
	x := v.Float()
	text := strconv.AppendFloat(room[:0], x, 'g', -1, v.Type().Bits())
	return bytes.Equal(raw, text) || !math.IsInf(x, 0) && jsontext.SameNumber(string(raw), string(text))
}

// errNumber returns the error for a number that v cannot hold. It names a Go type that can.
func errNumber(literal []byte, v reflect.Value) error {
	return fmt.Errorf("%s does not fit the Go type %s: write decimal for it under types: in mcpgen.yaml", safetext.Cut(string(literal), 40), v.Kind())
}

// appendNumber appends the text of a [json.Number]. A text that is not a JSON number is an error, also
// the empty text, which encoding/json would encode as 0.
func appendNumber(b []byte, text string) ([]byte, error) {
	if text == "" {
		return b, errors.New(`want a number, got an empty json.Number; zero is "0"`)
	}
	raw, err := jsontext.Whole([]byte(text))
	if err != nil || string(raw) != text || jsontext.TypeOf(raw) != "number" {
		return b, fmt.Errorf("want a number such as 12.50, got the json.Number %s", safetext.Quote(text, 40))
	}
	return append(b, text...), nil
}
