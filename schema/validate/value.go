package validate

// This file reads values. Numbers keep their digits; values that would take much time or memory are rejected
// first.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// decode reads one JSON value and returns the number of values in it. The error is an [Errors] if the text is
// not JSON, and wraps ErrUnchecked beyond the limits.
func decode(raw []byte) (v any, values int, err error) {
	if values, err = measure(raw); err != nil {
		return nil, 0, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return v, values, nil
		}
		err = errors.New("more follows the value")
	}
	return nil, 0, Errors{{Reason: "not JSON: " + clean(err.Error())}}
}

// measure checks the limits of a text that may be JSON, and returns an upper bound on its values.
func measure(raw []byte) (count int, err error) {
	depth := 0
	count = 1
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			end, _, err := jsontext.SkipString(raw, i)
			if err != nil {
				return count, nil // the decoder reports it
			}
			i = end - 1
		case c == '[' || c == '{':
			depth++
			count++
		case c == ']' || c == '}':
			depth--
		case c == ',':
			count++
		case c == '-' || c >= '0' && c <= '9':
			end, _ := jsontext.SkipNumber(raw, i)
			if !measured(string(raw[i:end])) {
				return 0, fmt.Errorf("%w: the value has a number with more than %d digits", ErrUnchecked, maxNumber)
			}
			i = end - 1
		}
		if depth > maxDepth {
			return 0, fmt.Errorf("%w: the value is nested more than %d deep", ErrUnchecked, maxDepth)
		}
		if count > maxValues {
			return 0, fmt.Errorf("%w: the value holds more than %d values", ErrUnchecked, maxValues)
		}
	}
	return count, nil
}

// measured reports whether a number is within the limits.
func measured(number string) bool {
	if len(number) > maxNumber {
		return false
	}
	at := strings.IndexAny(number, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(number[at+1:])
	if err != nil {
		return !errors.Is(err, strconv.ErrRange) // the decoder reports other errors
	}
	return -maxNumber <= exponent && exponent <= maxNumber
}
