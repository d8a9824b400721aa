package schema

// This file compares numbers by their value without rounding them.

import (
	"math/big"
	"strconv"
	"strings"
)

// normalNumber writes a number so that equal numbers are equal texts: digits
// without zeros at either end, and an exponent.
func normalNumber(text string) string {
	digits, exponent := text, int64(0)
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.ParseInt(text[i+1:], 10, 32)
		if err != nil {
			return text
		}
		digits, exponent = text[:i], e
	}
	digits, negative := strings.CutPrefix(digits, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	exponent -= int64(len(fraction))
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	short := strings.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(short))
	if negative {
		short = "-" + short
	}
	if exponent != 0 {
		short += "e" + strconv.FormatInt(exponent, 10)
	}
	return short
}

// integerOf returns the integer that a normal number is, nil if it is not an integer or
// too long to be a bound that somebody meant.
func integerOf(text string) *big.Int {
	digits, e, _ := strings.Cut(text, "e")
	zeros := 0
	if e != "" {
		var err error
		if zeros, err = strconv.Atoi(e); err != nil || zeros < 0 {
			return nil
		}
	}
	if len(digits)+zeros > 40 {
		return nil
	}
	n, ok := new(big.Int).SetString(digits+strings.Repeat("0", zeros), 10)
	if !ok {
		return nil
	}
	return n
}
