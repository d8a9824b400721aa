package main

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// An image reaches a terminal in the form that it takes, and only as base64.
func TestInlineImage(t *testing.T) {
	hostile := runtime.Content{Type: protocol.ContentImage, MIMEType: "image/png", Data: bytes.Repeat([]byte("\x1b]0;x\a"), 2000)}
	data := base64.StdEncoding.EncodeToString(hostile.Data)
	for _, tt := range []struct{ variable, value, want string }{
		{"TERM_PROGRAM", "iTerm.app", `^\x1b\]1337;File=inline=1;size=12000:([A-Za-z0-9+/=]+)\x07$`},
		{"KITTY_WINDOW_ID", "1", `^\x1b_Ga=T,f=100,m=1;[A-Za-z0-9+/=]+\x1b\\(?:\x1b_Gm=1;[A-Za-z0-9+/=]+\x1b\\){2}\x1b_Gm=0;([A-Za-z0-9+/=]+)\x1b\\$`},
		{"TERM", "xterm-ghostty", `^\x1b_Ga=T`},
		{"TERM", "xterm", ""},
	} {
		got, ok := inlineImage(hostile, func(name string) string { return map[string]string{tt.variable: tt.value}[name] })
		if ok != (tt.want != "") || ok && !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s=%s: %v %q", tt.variable, tt.value, ok, got)
		}
		joined := regexp.MustCompile(`\x1b_G[^;]*;|\x1b\\|\x1b\][^:]*:|\x07`).ReplaceAllString(got, "")
		if ok && joined != data {
			t.Errorf("%s: another image", tt.variable)
		}
	}
	hostile.MIMEType = "image/webp"
	if _, ok := inlineImage(hostile, func(name string) string { return map[string]string{"TERM": "xterm-kitty"}[name] }); ok {
		t.Error("inlineImage of WebP is ok for kitty, which takes PNG alone")
	}
	var out bytes.Buffer
	if showImage(&out, hostile, func(string) string { return "iTerm.app" }) || out.Len() > 0 {
		t.Errorf("showImage wrote %d bytes to a buffer, want none: it is not a terminal", out.Len())
	}
}

func TestExtension(t *testing.T) {
	for kind, want := range map[string]string{"image/png": ".png", "image/jpeg; q=1": ".jpg", "": ".bin", "../x": ".bin", "application/x-unknown-thing": ".bin"} {
		if got := extension(kind); got != want || strings.ContainsAny(got, "/\\") {
			t.Errorf("%q: %s", kind, got)
		}
	}
}
