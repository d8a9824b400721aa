package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// JSON Schema has one kind of number: 3, 3.0 and 30e-1 are all the integer 3. encoding/json only accepts
// the first for a Go integer. This file reads all of them without a float, so that every integer is
// exact.

// ErrNotInteger is the error for a number whose value is not an integer.
var ErrNotInteger = errors.New("want an integer, got a number with a fraction")

var errHuge = errors.New("more digits than 64 bits can hold")

// Integer returns the plain decimal digits of a number literal whose value is an integer. For other
// values the error is [ErrNotInteger]. It is another error for a literal such as 1e999999999, whose
// digits no integer type and no reasonable memory can hold.
func Integer(literal []byte) (string, error) {
	if isPlainInteger(literal) {
		return string(literal), nil
	}
	const most = 20 // digits of the largest uint64
	sign, digits, exponent := Decompose(literal)
	switch {
	case len(digits) == 0:
		return "0", nil
	case exponent < 0:
		return "", ErrNotInteger
	case len(digits)+exponent > most:
		return "", errHuge
	}
	text := make([]byte, 0, most+1)
	text = append(append(text, sign...), digits...)
	for range exponent {
		text = append(text, '0')
	}
	return string(text), nil
}

func isPlainInteger(literal []byte) bool {
	for i, c := range literal {
		if !isDigit(c) && (i != 0 || c != '-') {
			return false
		}
	}
	return string(literal) != "-0"
}

// Decompose splits a valid number literal into its sign, its significant digits without zeros at either
// end, and the power of ten to multiply them by. Exponents are clamped to ±2^30.
func Decompose(literal []byte) (sign string, digits []byte, exponent int) {
	if literal[0] == '-' {
		sign, literal = "-", literal[1:]
	}
	fraction := false
	for i, c := range literal {
		switch {
		case c == '.':
			fraction = true
		case c == 'e' || c == 'E':
			exponent += clampedInt(literal[i+1:])
			return sign, trimZeros(digits, &exponent), exponent
		default:
			digits = append(digits, c)
			if fraction {
				exponent--
			}
		}
	}
	return sign, trimZeros(digits, &exponent), exponent
}

func trimZeros(digits []byte, exponent *int) []byte {
	short := bytes.TrimRight(digits, "0")
	*exponent += len(digits) - len(short)
	return bytes.TrimLeft(short, "0")
}

// clampedInt parses an exponent. The limit is larger than any other part of a literal, and a sum of two
// limits does not overflow.
func clampedInt(text []byte) int {
	const limit = 1 << 30
	n, err := strconv.Atoi(string(text))
	switch {
	case err == nil:
		return max(-limit, min(n, limit))
	case text[0] == '-':
		return -limit
	}
	return limit
}

// plainIntegers returns data with each integer number in plain digits, for decoders that accept no other
// spelling. Data is valid JSON.
func plainIntegers(data []byte) []byte {
	return respell(data, func(literal []byte) []byte {
		if text, err := Integer(literal); err == nil {
			return []byte(text)
		}
		return literal
	})
}

// NormalNumbers returns data with each number in its canonical spelling, see [NormalNumber]. Data is
// valid JSON.
func NormalNumbers(data []byte) []byte { return respell(data, NormalNumber) }

// respell returns data with each number replaced by the result of spell.
func respell(data []byte, spell func(literal []byte) []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		start := i
		switch c := data[i]; {
		case c == '"':
			i, _, _ = SkipString(data, i)
		case c == '-' || isDigit(c):
			i, _ = SkipNumber(data, i)
			out = append(out, spell(data[start:i])...)
			continue
		default:
			i++
		}
		out = append(out, data[start:i]...)
	}
	return out
}

// maxPlain bounds the digits of a number without an exponent.
const maxPlain = 400

// NormalNumber returns the canonical spelling of a number: 1, 1.0 and 1e0 are 1, 1.50 is 1.5, and a
// number of more than 400 digits has an exponent. Numbers with an extreme exponent are returned
// unchanged.
func NormalNumber(literal []byte) []byte {
	sign, digits, exponent := Decompose(literal)
	switch point := len(digits) + exponent; {
	case len(digits) == 0:
		return []byte("0")
	case max(exponent, -exponent) >= 1<<30-len(literal): // perhaps the bound of Decompose
		return literal
	case max(len(digits), point, -exponent) > maxPlain:
		return append(append([]byte(sign), digits...), "e"+strconv.Itoa(exponent)...)
	case exponent >= 0:
		return append(append([]byte(sign), digits...), strings.Repeat("0", exponent)...)
	case point > 0:
		return append(append(append([]byte(sign), digits[:point]...), '.'), digits[point:]...)
	default:
		return append([]byte(sign+"0."+strings.Repeat("0", -point)), digits...)
	}
}

// SameNumber reports whether two number literals have the same value. They are compared digit by digit,
// never as floats.
func SameNumber(a, b string) bool {
	if a == b {
		return true
	}
	signA, digitsA, powerA := Decompose([]byte(a))
	signB, digitsB, powerB := Decompose([]byte(b))
	if len(digitsA) == 0 || len(digitsB) == 0 {
		return len(digitsA) == len(digitsB) // zeros have neither sign nor power
	}
	return signA == signB && powerA == powerB && string(digitsA) == string(digitsB)
}

// Unmarshal is [json.Unmarshal], but accepts every spelling of an integer. It only respells numbers after
// a failure, since respelling changes the content of a json.RawMessage.
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.HasPrefix(wrong.Value, "number") {
		if again := plainIntegers(data); !slices.Equal(again, data) {
			return json.Unmarshal(again, v)
		}
	}
	return err
}
