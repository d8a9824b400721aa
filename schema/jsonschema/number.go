package jsonschema

// This file reads and writes the numbers of schemas without rounding.

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds the digits and exponents of numbers that are computed with: longer ones are not meaningful
// and would exhaust memory.
const maxDigits = 1000

// Rational returns the exact value of a number, or nil if it is absent or too long.
func Rational(n json.Number) *big.Rat {
	text := string(n)
	if text == "" || len(text) > maxDigits {
		return nil
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		if exponent, err := strconv.Atoi(text[at+1:]); err != nil || max(exponent, -exponent) > maxDigits {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// Decimal returns a number as JSON; false if its decimal expansion is infinite or too long.
func Decimal(r *big.Rat) (string, bool) {
	digits, exact := r.FloatPrec()
	if !exact || digits > maxDigits || r.Num().BitLen() > 4*maxDigits {
		return "", false
	}
	return r.FloatString(digits), true
}

// MaxCount exceeds every count in a value; larger counts are reduced to it.
const MaxCount = 1 << 30

// Count returns the value of a counting keyword, or absent if there is none or it is invalid.
func Count(n json.Number, absent int) int {
	r := Rational(n)
	switch {
	case r == nil || !r.IsInt() || r.Sign() < 0:
		return absent
	case !r.Num().IsInt64() || r.Num().Int64() > MaxCount:
		return MaxCount
	}
	return int(r.Num().Int64())
}
