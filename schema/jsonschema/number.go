package jsonschema

// This file reads and writes the numbers of schemas without rounding them.

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds the numbers that are reckoned with, and their exponents: nobody
// means longer ones, and their digits would fill the memory.
const maxDigits = 1000

// Rational returns a number exactly; nil if there is none, or if it is longer than
// anybody can mean.
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

// Decimal writes a number as JSON; false if it has no end, or is too long.
func Decimal(r *big.Rat) (string, bool) {
	digits, exact := r.FloatPrec()
	if !exact || digits > maxDigits || r.Num().BitLen() > 4*maxDigits {
		return "", false
	}
	return r.FloatString(digits), true
}

// MaxCount is more than anything of a value that is counted: larger counts are cut to it.
const MaxCount = 1 << 30

// Count returns a number that counts something, and absent if there is none or it makes
// no sense.
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
