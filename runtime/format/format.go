// Package format has types for the text formats that Go has a type for. Generated packages use them in
// arguments and in results. A value keeps its text as it is, and a method parses it: time.Time would lose
// trailing zeros and the case of letters, and UUIDs and URIs would lose their case and escapes. Functions
// such as [DateTimeOf] write a text. No text is checked before it is sent: see package validate.
//
// An untyped constant needs no conversion: Since: "2026-01-02". A variable of another string type does:
// Since: format.Date(text).
//
// The package depends on the standard library only.
package format

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// DateTime is a string of the format date-time, such as "2026-01-02T15:04:05Z".
type DateTime string

// DateTimeOf returns t as a DateTime with all non-zero digits of its fraction of a second.
func DateTimeOf(t time.Time) DateTime { return DateTime(t.Format(time.RFC3339Nano)) }

// Time parses d by RFC 3339, which allows "t" and "z" in either case and requires an offset from UTC. Any
// other text, also an empty one, is an error.
func (d DateTime) Time() (time.Time, error) {
	t, err := time.Parse(time.RFC3339, strings.ToUpper(string(d)))
	if err != nil {
		return time.Time{}, errFormat("date-time", string(d))
	}
	return t, nil
}

// Date is a string of the format date, such as "2026-01-02".
type Date string

// DateOf returns the date of t, in the location of t.
func DateOf(t time.Time) Date { return Date(t.Format(time.DateOnly)) }

// Time parses d and returns the start of that day in UTC. A text that is not a date is an error.
func (d Date) Time() (time.Time, error) {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}, errFormat("date", string(d))
	}
	return t, nil
}

// URI is a string of the format uri or uri-reference, such as "https://example.com/".
type URI string

// URIOf returns u as a URI; "" for nil.
func URIOf(u *url.URL) URI {
	if u == nil {
		return ""
	}
	return URI(u.String())
}

// Parse parses u with [url.Parse]. In a result, the server chose scheme and host: check them before you
// follow it.
func (u URI) Parse() (*url.URL, error) {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return nil, fmt.Errorf("a text of %d bytes is not a valid uri", len(u)) // the text may hold a secret
	}
	return parsed, nil
}

// UUID is a string of the format uuid. The same UUID may be in upper or lower case: compare the results of
// Bytes.
type UUID string

// UUIDOf returns b as a UUID in lower case.
func UUIDOf(b [16]byte) UUID {
	h := hex.EncodeToString(b[:])
	return UUID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// Bytes parses u by RFC 9562: 32 hexadecimal digits in either case, with hyphens after the 8th, 12th,
// 16th and 20th. Any other text is an error.
func (u UUID) Bytes() ([16]byte, error) {
	var b [16]byte
	digits := strings.ReplaceAll(string(u), "-", "")
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != len(b) || !strings.EqualFold(string(UUIDOf([16]byte(raw))), string(u)) {
		return b, errFormat("uuid", string(u))
	}
	return [16]byte(raw), nil
}

// Base64 is a string that holds bytes, of the format byte or the content encoding base64.
type Base64 string

// Base64Of returns b in the standard alphabet, with padding.
func Base64Of(b []byte) Base64 { return Base64(base64.StdEncoding.EncodeToString(b)) }

// Decode returns the bytes. It accepts the standard alphabet with or without padding, and skips line
// breaks. Any other text is an error.
func (b Base64) Decode() ([]byte, error) {
	encoding := base64.StdEncoding
	if !strings.Contains(string(b), "=") {
		encoding = base64.RawStdEncoding
	}
	raw, err := encoding.DecodeString(string(b))
	if err != nil {
		return nil, fmt.Errorf("a text of %d bytes is not valid base64 (format byte): %w", len(b), err)
	}
	return raw, nil
}

// IP is a string of the format ipv4 or ipv6, such as "192.0.2.1".
type IP string

// IPOf returns a in its shortest form; "" for the zero value.
func IPOf(a netip.Addr) IP {
	if !a.IsValid() {
		return ""
	}
	return IP(a.String())
}

// Addr parses p with [netip.ParseAddr]. Any other text is an error.
func (p IP) Addr() (netip.Addr, error) {
	a, err := netip.ParseAddr(string(p))
	if err != nil {
		return netip.Addr{}, errFormat("ip", string(p))
	}
	return a, nil
}

// errFormat returns the error for a text that is not of its format.
func errFormat(format, text string) error {
	return fmt.Errorf("%s is not of the format %s", strconv.Quote(text[:min(len(text), 100)]), format)
}
