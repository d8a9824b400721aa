package codec

// This file names the text formats that Go has a type for. The text itself stays
// as it was sent: a time that goes through time.Time loses trailing zeros and the
// case of its letters, a UUID its case, a URI its escapes. So the types are
// texts, and what they stand for is asked for.

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// DateTime is a text of the format date-time, such as "2026-01-02T15:04:05Z", as
// results have it. In arguments such texts are plain strings: DateTime(s) reads
// one, and string(DateTimeOf(t)) writes one.
type DateTime string

// DateTimeOf returns t as a text, with as many digits of a second as it has.
func DateTimeOf(t time.Time) DateTime { return DateTime(t.Format(time.RFC3339Nano)) }

// Time parses d by RFC 3339, which takes "t" and "z" in either case and wants an
// offset from UTC. The error is for any other text, the empty one too.
func (d DateTime) Time() (time.Time, error) {
	t, err := time.Parse(time.RFC3339, strings.ToUpper(string(d)))
	if err != nil {
		return time.Time{}, errFormat("date-time", string(d))
	}
	return t, nil
}

// Date is a text of the format date, such as "2026-01-02", as results have it. In
// arguments such texts are plain strings.
type Date string

// DateOf returns the date of t, in the location of t.
func DateOf(t time.Time) Date { return Date(t.Format(time.DateOnly)) }

// Time parses d and returns the start of that day in UTC. The error is for any
// text that is not a date.
func (d Date) Time() (time.Time, error) {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}, errFormat("date", string(d))
	}
	return t, nil
}

// URI is a text of the format uri or uri-reference, as results have it. In
// arguments such texts are plain strings.
type URI string

// URIOf returns u as a text; that of nil is empty.
func URIOf(u *url.URL) URI {
	if u == nil {
		return ""
	}
	return URI(u.String())
}

// Parse parses u with [url.Parse]. Its scheme and host are whatever the server
// wrote: look at them before you follow it.
func (u URI) Parse() (*url.URL, error) {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return nil, fmt.Errorf("a text of %d bytes is not of the format uri", len(u)) // it may hold a secret
	}
	return parsed, nil
}

// UUID is a text of the format uuid, as results have it. In arguments such texts
// are plain strings. Two texts may be the same UUID in another case: compare
// what Bytes returns.
type UUID string

// UUIDOf returns b as a text in lower case.
func UUIDOf(b [16]byte) UUID {
	h := hex.EncodeToString(b[:])
	return UUID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// Bytes parses u by RFC 9562: 32 hexadecimal digits in either case, with hyphens
// after the 8th, 12th, 16th and 20th. The error is for any other text.
func (u UUID) Bytes() ([16]byte, error) {
	var b [16]byte
	digits := strings.ReplaceAll(string(u), "-", "")
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != len(b) || !strings.EqualFold(string(UUIDOf([16]byte(raw))), string(u)) {
		return b, errFormat("uuid", string(u))
	}
	return [16]byte(raw), nil
}

// Base64 is a text that holds bytes, of the format byte or the content encoding
// base64, as results have it. In arguments such texts are plain strings:
// string(Base64Of(b)) writes one.
type Base64 string

// Base64Of returns b in the standard alphabet, with padding.
func Base64Of(b []byte) Base64 { return Base64(base64.StdEncoding.EncodeToString(b)) }

// Decode returns the bytes. It takes the standard alphabet with padding or without,
// and passes over line breaks. The error is for any other text.
func (b Base64) Decode() ([]byte, error) {
	encoding := base64.StdEncoding
	if !strings.Contains(string(b), "=") {
		encoding = base64.RawStdEncoding
	}
	raw, err := encoding.DecodeString(string(b))
	if err != nil {
		return nil, fmt.Errorf("a text of %d bytes is not of the format byte: %w", len(b), err)
	}
	return raw, nil
}

// errFormat says that a text is not of its format.
func errFormat(format, text string) error {
	return fmt.Errorf("%s is not of the format %s", strconv.Quote(safetext.Cut(text, 100)), format)
}
