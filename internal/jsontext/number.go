package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// JSON Schema has one kind of number: 3, 3.0 and 30e-1 are all the integer 3.
// encoding/json takes only the first for a Go integer. This file reads all of
// them, and never through a float, so that every integer arrives exactly.

// ErrNotInteger is a number whose value is not an integer.
var ErrNotInteger = errors.New("want an integer, got a number with a fraction")

var errHuge = errors.New("more digits than 64 bits can hold")

// Integer returns the plain decimal digits of a number literal whose value is an
// integer. The error is [ErrNotInteger], or another one for a literal such as
// 1e999999999, whose digits no integer type can hold and no memory should.
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

// Decompose splits a valid number literal into its sign, its significant digits
// without zeros at either end, and the power of ten to multiply them by.
// Of an exponent beyond ±2^30 that bound is taken.
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

// clampedInt reads an exponent, cut at a size that no other part of a literal
// can outweigh and no sum of two can overflow.
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

// plainIntegers returns data with each number whose value is an integer spelled
// as one, for decoders that know no other spelling. Data is valid JSON.
func plainIntegers(data []byte) []byte {
	return respell(data, func(literal []byte) []byte {
		if text, err := Integer(literal); err == nil {
			return []byte(text)
		}
		return literal
	})
}

// NormalNumbers returns data with each number in the one spelling of its value, see
// [NormalNumber]. Data is valid JSON.
func NormalNumbers(data []byte) []byte { return respell(data, NormalNumber) }

// respell returns data with each number as spell spells it.
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

// maxPlain bounds the digits of a number that is written without an exponent.
const maxPlain = 400

// NormalNumber returns the one spelling of a number's value: 1, 1.0 and 1e0 are 1, 1.50
// is 1.5, and a number of more than 400 digits is its digits and an exponent. One that is
// too large to be meant stays.
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

// SameNumber reports whether two number literals have the same value. They are
// compared digit by digit, never as floats.
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

// Unmarshal is [json.Unmarshal] that takes every spelling of an integer. It tries
// again only after a failure, since spelling a number anew changes what a
// json.RawMessage gets.
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.HasPrefix(wrong.Value, "number") {
		if again := plainIntegers(data); !slices.Equal(again, data) {
			return json.Unmarshal(again, v)
		}
	}
	return err
}
