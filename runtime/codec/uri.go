package codec

// This file expands URI templates (RFC 6570). The generator parses the template: literal text is in the
// generated code, and each expression is one call.

import (
	"strings"
	"unicode/utf8"
)

// URIVar is a variable in an expression of a URI template: a string or a list of strings. With neither it
// is undefined, and the expression omits it.
type URIVar struct {
	Name    string
	Text    *string
	List    []string
	Explode bool // each item of the list separately
	Prefix  int  // number of characters to take from Text; 0 is all
}

// uriOp describes how the values of an operator are written: RFC 6570, appendix A.
type uriOp struct {
	first    string // before the first value
	sep      string // between values
	named    bool   // values follow their names
	empty    string // follows the name of an empty value
	reserved bool   // reserved characters stay as they are
}

func uriOpOf(op string) uriOp {
	switch op {
	case "+":
		return uriOp{sep: ",", reserved: true}
	case "#":
		return uriOp{first: "#", sep: ",", reserved: true}
	case ".", "/":
		return uriOp{first: op, sep: op}
	case ";":
		return uriOp{first: ";", sep: ";", named: true}
	case "?":
		return uriOp{first: "?", sep: "&", named: true, empty: "="}
	case "&":
		return uriOp{first: "&", sep: "&", named: true, empty: "="}
	}
	return uriOp{sep: ","}
}

// ExpandURI expands one expression of a URI template. Op is its operator: "" or one of + # . / ; ? and &.
// Unlike in the RFC, names of variables may contain hyphens.
func ExpandURI(op string, vars ...URIVar) string {
	var out []byte
	o := uriOpOf(op)
	sep := o.first
	for i := range vars {
		if v := &vars[i]; v.Text != nil || len(v.List) > 0 {
			out = v.expand(append(out, sep...), o)
			sep = o.sep
		}
	}
	return string(out)
}

// expand appends the value of a defined variable.
func (v *URIVar) expand(out []byte, o uriOp) []byte {
	texts, sep := v.List, ","
	if v.Text != nil {
		texts = []string{beginning(*v.Text, v.Prefix, o.reserved)}
	}
	if v.Explode {
		sep = o.sep
	}
	for i, text := range texts {
		if i > 0 {
			out = append(out, sep...)
		}
		if o.named && (i == 0 || v.Explode) {
			out = appendURI(out, v.Name, true)
			if text == "" && (v.Text != nil || v.Explode) {
				out = append(out, o.empty...)
				continue
			}
			out = append(out, '=')
		}
		out = appendURI(out, text, o.reserved)
	}
	return out
}

// beginning returns the first n characters of text; all of it if n is 0. If reserved is set, each
// percent-encoded byte counts as one character.
func beginning(text string, n int, reserved bool) string {
	if n == 0 {
		return text
	}
	end := 0
	for ; n > 0 && end < len(text); n-- {
		width := 3
		if !reserved || !isTriplet(text[end:]) {
			_, width = utf8.DecodeRuneInString(text[end:])
		}
		end += width
	}
	return text[:end]
}

// The unreserved and the reserved characters of RFC 3986.
const (
	unreservedBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	reservedBytes   = ":/?#[]@!$&'()*+,;="
)

// appendURI appends text and percent-encodes all characters except the unreserved ones. If reserved is
// set, reserved characters and percent-encoded bytes stay as they are.
func appendURI(out []byte, text string, reserved bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(text); i++ {
		c := text[i]
		if strings.IndexByte(unreservedBytes, c) >= 0 || reserved && (strings.IndexByte(reservedBytes, c) >= 0 || isTriplet(text[i:])) {
			out = append(out, c)
			continue
		}
		out = append(out, '%', hex[c>>4], hex[c&15])
	}
	return out
}

// isTriplet reports whether text begins with a percent-encoded byte.
func isTriplet(text string) bool {
	return len(text) >= 3 && text[0] == '%' && strings.Trim(text[1:3], "0123456789abcdefABCDEF") == ""
}
