package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/runtime"
)

// maxShown bounds an image that is shown in a terminal, in bytes.
const maxShown = 8 << 20

// showImage writes an image to a terminal that can show it, and reports whether it did.
// Its bytes reach the terminal as base64 alone.
func showImage(w io.Writer, block runtime.Content, lookup func(string) string) bool {
	if !console.IsTerminal(w) || block.Type != runtime.ContentImage || len(block.Data) == 0 || len(block.Data) > maxShown {
		return false
	}
	text, ok := inlineImage(block, lookup)
	if ok {
		fmt.Fprintln(w, text)
	}
	return ok
}

// inlineImage is an image as the terminal takes it that the environment names: by
// kitty's graphics protocol, which has PNG alone, or by that of iTerm2.
func inlineImage(block runtime.Content, lookup func(string) string) (string, bool) {
	data := base64.StdEncoding.EncodeToString(block.Data)
	switch {
	case slices.Contains([]string{"iTerm.app", "WezTerm", "vscode"}, lookup("TERM_PROGRAM")):
		return fmt.Sprintf("\x1b]1337;File=inline=1;size=%d:%s\a", len(block.Data), data), true
	case block.MIMEType == "image/png" && (lookup("KITTY_WINDOW_ID") != "" || slices.Contains([]string{"xterm-kitty", "xterm-ghostty"}, lookup("TERM"))):
		return kittyImage(data), true
	}
	return "", false
}

// kittyImage sends a PNG in pieces of 4096 bytes, as
// https://sw.kovidgoyal.net/kitty/graphics-protocol has it.
func kittyImage(data string) string {
	var b strings.Builder
	for i, first := 0, "a=T,f=100,"; i < len(data); i, first = i+4096, "" {
		end, more := min(i+4096, len(data)), 1
		if end == len(data) {
			more = 0
		}
		fmt.Fprintf(&b, "\x1b_G%sm=%d;%s\x1b\\", first, more, data[i:end])
	}
	return b.String()
}

// notInName is what the name of a saved file does not have.
var notInName = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// saveBlock writes the bytes of a block into a new file of a folder, which is made if
// it is not there, and returns its path. Nothing is overwritten.
func saveBlock(dir, tool string, block runtime.Content) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", usage("--save: %v", err)
	}
	base := strings.Trim(notInName.ReplaceAllString(tool, "-"), "-.")
	for n := 1; ; n++ {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d%s", base, n, extension(block.MIMEType)))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", usage("--save: %v", err)
		}
		_, err = f.Write(block.Data)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", usage("--save: %v", errors.Join(err, os.Remove(path)))
		}
		return path, nil
	}
}

// extension is the ending of files of a type; .bin if it is not known.
func extension(mimeType string) string {
	known := map[string]string{
		"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
		"audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/ogg": ".ogg", "application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt",
	}
	kind, _, err := mime.ParseMediaType(mimeType)
	if err != nil {
		return ".bin"
	}
	if ending := known[kind]; ending != "" {
		return ending
	}
	if endings, err := mime.ExtensionsByType(kind); err == nil && len(endings) > 0 {
		return endings[0] // they are sorted
	}
	return ".bin"
}
