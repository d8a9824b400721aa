package contract

// This file compares numbers by value without rounding.

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// normalNumber writes equal numbers as equal texts: digits without zeros at either end, and an exponent.
// Numbers with an implausibly large exponent are unchanged.
func normalNumber(text string) string {
	sign, digits, exponent := jsontext.Decompose([]byte(text))
	short := sign + string(digits)
	switch {
	case len(digits) == 0:
		return "0"
	case max(exponent, -exponent) > 1<<29:
		return text
	case exponent != 0:
		short += "e" + strconv.Itoa(exponent)
	}
	return short
}

// integerOf returns the integer value of a normal number; nil if it is not an integer, or too long for a
// plausible bound.
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
	n, _ := new(big.Int).SetString(digits+strings.Repeat("0", zeros), 10)
	return n
}
