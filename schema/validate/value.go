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
			i = endOfString(raw, i)
		case c == '[' || c == '{':
			depth++
			count++
		case c == ']' || c == '}':
			depth--
		case c == ',':
			count++
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(raw) && strings.IndexByte("0123456789+-.eE", raw[end]) >= 0 {
				end++
			}
			if !measured(string(raw[i:end])) {
				return 0, fmt.Errorf("%w: the value has a number of more than %d digits", ErrUnchecked, MaxNumber)
			}
			i = end - 1
		}
		if depth > MaxDepth {
			return 0, fmt.Errorf("%w: the value is nested more than %d deep", ErrUnchecked, MaxDepth)
		}
		if count > MaxValues {
			return 0, fmt.Errorf("%w: the value holds more than %d values", ErrUnchecked, MaxValues)
		}
	}
	return count, nil
}

// endOfString returns the index of the quote that ends the string at i.
func endOfString(raw []byte, i int) int {
	for i++; i < len(raw) && raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i
}

// measured reports whether a number is within the limits.
func measured(number string) bool {
	if len(number) > MaxNumber {
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
	return -MaxNumber <= exponent && exponent <= MaxNumber
}
