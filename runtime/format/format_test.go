package format_test

import (
	"bytes"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/format"
)

func TestDateTime(t *testing.T) {
	noon := time.Date(2024, 1, 2, 3, 4, 5, 120e6, time.FixedZone("", 2*3600))
	for text, want := range map[format.DateTime]time.Time{
		"2024-01-02T03:04:05.120+02:00": noon,
		"2024-01-02t03:04:05.12+02:00":  noon,
		"2024-01-02T01:04:05.120z":      noon,
		"0001-01-01T00:00:00Z":          {},
	} {
		if got, err := text.Time(); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []format.DateTime{"", "2024-01-02", "2024-01-02T03:04:05", "2024-13-02T03:04:05Z", "2024-01-02 03:04:05Z"} {
		if got, err := text.Time(); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := format.DateTimeOf(noon); got != "2024-01-02T03:04:05.12+02:00" {
		t.Errorf("got %s, want 2024-01-02T03:04:05.12+02:00", got)
	}
}

func TestDate(t *testing.T) {
	day := time.Date(2024, 2, 29, 23, 0, 0, 0, time.FixedZone("", -3600))
	if got, err := format.DateOf(day).Time(); err != nil || !got.Equal(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)) {
		t.Error(got, err)
	}
	for _, text := range []format.Date{"", "2023-02-29", "2024-2-29", "2024-02-29T00:00:00Z"} {
		if got, err := text.Time(); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestURI(t *testing.T) {
	const text = "https://e.com/%7Efoo/?q=a+b#c"
	u, err := format.URI(text).Parse()
	if err != nil || u.Path != "/~foo/" || u.Fragment != "c" || format.URIOf(u) != text {
		t.Error(u, err)
	}
	if u, err := format.URI("../up?x").Parse(); err != nil || u.RawQuery != "x" {
		t.Error(u, err)
	}
	if _, err := format.URI("https://user:hunter2@e.com:port").Parse(); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	if format.URIOf((*url.URL)(nil)) != "" {
		t.Errorf("URIOf(nil) is %q, want none", format.URIOf((*url.URL)(nil)))
	}
}

func TestUUID(t *testing.T) {
	low, err := format.UUID("123e4567-e89b-12d3-a456-426614174000").Bytes()
	if err != nil || low[0] != 0x12 || low[15] != 0 {
		t.Error(low, err)
	}
	high, err := format.UUID("123E4567-E89B-12D3-A456-426614174000").Bytes()
	if err != nil || high != low || format.UUIDOf(high) != "123e4567-e89b-12d3-a456-426614174000" {
		t.Error(high, err)
	}
	for _, text := range []format.UUID{"", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a4564-26614174000", "{123e4567-e89b-12d3-a456-426614174000}", "g23e4567-e89b-12d3-a456-426614174000"} {
		if got, err := text.Bytes(); err == nil {
			t.Errorf("%q: %x", text, got)
		}
	}
}

func TestBase64(t *testing.T) {
	for _, text := range []format.Base64{"aGk=", "aGk", "a\nG\r\nk="} {
		if got, err := text.Decode(); err != nil || string(got) != "hi" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []format.Base64{"aGk==", "a", "aG-_", "se\ncret!"} {
		if got, err := text.Decode(); err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if b, err := format.Base64Of([]byte{0xff, 0xfe}).Decode(); err != nil || !bytes.Equal(b, []byte{0xff, 0xfe}) {
		t.Error(b, err)
	}
}

func TestIP(t *testing.T) {
	for text, want := range map[format.IP]netip.Addr{"192.0.2.1": netip.AddrFrom4([4]byte{192, 0, 2, 1}), "::1": netip.IPv6Loopback(), "0:0::1": netip.IPv6Loopback()} {
		if got, err := text.Addr(); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []format.IP{"", "192.0.2", "192.0.2.01", "example.com", "192.0.2.0/24"} {
		if got, err := text.Addr(); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := format.IPOf(netip.IPv6Loopback()); got != "::1" || format.IPOf(netip.Addr{}) != "" {
		t.Errorf("got %q, want ::1, and none for no address", got)
	}
}

func FuzzFormats(f *testing.F) {
	for _, seed := range []string{"2024-01-02T03:04:05.120+02:00", "2024-02-29", "https://e.com/?q", "123e4567-e89b-12d3-a456-426614174000", "aGk="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if at, err := format.DateTime(text).Time(); err == nil {
			if again, err := format.DateTimeOf(at).Time(); err != nil || !again.Equal(at) {
				t.Errorf("%q: %v, %v, %v", text, at, again, err)
			}
		}
		if day, err := format.Date(text).Time(); err == nil && string(format.DateOf(day)) != text {
			t.Errorf("%q: %v", text, day)
		}
		if b, err := format.UUID(text).Bytes(); err == nil && !strings.EqualFold(string(format.UUIDOf(b)), text) {
			t.Errorf("%q: %x", text, b)
		}
		if b, err := format.Base64(text).Decode(); err == nil {
			if again, err := format.Base64Of(b).Decode(); err != nil || !bytes.Equal(again, b) {
				t.Errorf("%q: %x, %v", text, b, err)
			}
		}
		if a, err := format.IP(text).Addr(); err == nil {
			if again, err := format.IPOf(a).Addr(); err != nil || again != a {
				t.Errorf("%q: %v, %v, %v", text, a, again, err)
			}
		}
		if u, err := format.URI(text).Parse(); err == nil && u == nil {
			t.Errorf("%q: neither a URI nor an error", text)
		}
	})
}
