package linefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An unfinished line is measured to the byte, however long it is, and ended before
// the next one.
func TestUnfinished(t *testing.T) {
	for _, whole := range []string{"", "{}\n", strings.Repeat("x", 200<<10) + "\n"} {
		for _, tail := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 300 << 10} {
			path := filepath.Join(t.TempDir(), "folder", "log.jsonl")
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			before := whole + strings.Repeat("y", tail)
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			if n, err := f.Unfinished(); n != int64(tail) || err != nil {
				t.Errorf("%d after %d: got %d, %v", tail, len(whole), n, err)
			}
			if err := f.Append([]byte("next\n")); err != nil {
				t.Fatal(err)
			}
			if tail > 0 {
				before += "\n"
			}
			if after, err := os.ReadFile(path); string(after) != before+"next\n" || err != nil {
				t.Errorf("%d after %d: %d bytes, %v", tail, len(whole), len(after), err)
			}
		}
	}
}

// What another process left unfinished behind our own line is ended, too, and so is what
// stands in a file that was moved into the place of ours.
func TestUnfinishedBehindOwnLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	add := func(line string) {
		t.Helper()
		if err := f.Append([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	other := func(path, text string) {
		t.Helper()
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	add("one")
	add("two")
	other(path, "cut")
	add("three")
	if got, err := os.ReadFile(path); string(got) != "one\ntwo\ncut\nthree\n" || err != nil {
		t.Errorf("the log is %q, %v", got, err)
	}
	other(path+".new", "one\ntwo\ncut\nthree!") // as long as ours
	if err := os.Rename(path+".new", path); err != nil {
		t.Skip("an open file cannot be replaced here: ", err)
	}
	add("four")
	if got, err := os.ReadFile(path); string(got) != "one\ntwo\ncut\nthree!\nfour\n" || err != nil {
		t.Errorf("the new log is %q, %v", got, err)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("z", 100<<10)
	var got []string
	for l, err := range Lines(strings.NewReader("a\n\n  b \r\n"+long+"\nc"), 80<<10) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %.3s %v", l.Number, l.Text, l.Long))
	}
	want := []string{"1 a false", "3 b false", "4 zzz true", "5 c false"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A folder that is made for a log keeps it out of git; one that is there is left alone.
func TestOpenIgnored(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"log.jsonl", ".mcpgen/log.jsonl"} {
		f, err := Open(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if _, err := os.Stat(filepath.Join(dir, ".gitignore")); err == nil {
		t.Error("a folder that was there before got a .gitignore, want none")
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".mcpgen/.gitignore")); string(text) != "*\n" {
		t.Errorf("%q, %v", text, err)
	}
}
