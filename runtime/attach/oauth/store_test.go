package oauth

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// What cannot be read stays as it is, and is said.
func TestStoreIsNeverLost(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"damaged": {"{\"mcpgen\": 1,\n \"tokens\": {\"a\": {\"access_token\": \"hidden\"", 0o600, "tokens.json:2: the file is damaged"},
		"typed":   {`{"mcpgen":1,"tokens":{"a":{"access_token":["hidden"]}}}`, 0o600, "damaged"},
		"newer":   {`{"mcpgen":2,"tokens":{}}`, 0o600, "version 2"},
		"open":    {`{"mcpgen":1,"tokens":{}}`, 0o644, "chmod 600"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "open" && runtime.GOOS == "windows" {
				t.Skip("files have no such mode on Windows")
			}
			path := filepath.Join(t.TempDir(), "tokens.json")
			if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
				t.Fatal(err)
			}
			s := OpenStore(path)
			_, err := s.get("a")
			put := s.put(t.Context(), "b", &entry{AccessToken: "new"})
			for _, err := range []error{err, put} {
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
					t.Errorf("error %v, want %q", err, c.want)
				}
			}
			if after, _ := os.ReadFile(path); string(after) != c.text {
				t.Errorf("the file was changed to %q", after)
			}
		})
	}
}

func TestStoreTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			s := OpenStore(path) // as another process would
			for j := range 5 {
				if err := s.put(t.Context(), fmt.Sprint(i, j), &entry{AccessToken: "t", Expiry: time.Now()}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	s := OpenStore(path)
	n := 0
	if err := s.change(t.Context(), func(all map[string]*entry) bool { n = len(all); return false }); err != nil || n != 40 {
		t.Errorf("%d entries, %v", n, err)
	}
}

// FuzzStore: whatever the file holds, it is read or refused.
func FuzzStore(f *testing.F) {
	f.Add([]byte(`{"mcpgen":1,"tokens":{"a b":{"access_token":"x","expiry":"2026-01-01T00:00:00Z"},"c":null}}`))
	f.Add([]byte(`{"mcpgen":1,"tokens":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := OpenStore("x").parse(data)
		if err != nil {
			return
		}
		for _, e := range all {
			_ = e.good()
			_ = e.config()
		}
	})
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		address string
		local   bool
		ok      bool
	}{
		{"93.184.216.34:443", false, true}, {"127.0.0.1:80", false, false}, {"127.0.0.1:80", true, true},
		{"10.0.0.1:443", false, false}, {"10.0.0.1:443", true, true}, {"169.254.169.254:80", true, false},
		{"[::1]:80", false, false}, {"[::ffff:127.0.0.1]:80", false, false}, {"[fe80::1]:80", true, false}, {"[fd00::1]:80", false, false},
		{"100.100.100.200:80", false, false}, {"100.64.0.1:80", true, true}, {"[64:ff9b::a9fe:a9fe]:80", true, false}, {"[64:ff9b::7f00:1]:80", false, false},
		{"0.0.0.0:80", true, false}, {"nonsense", true, false},
	} {
		if err := checkAddress(c.address, c.local); (err == nil) != c.ok {
			t.Errorf("%s from a local server %v: %v", c.address, c.local, err)
		}
	}
	if _, err := newClient(isLocal("https://mcp.example.com/mcp")).Get("http://mcp.example.com/token"); err == nil || !strings.Contains(err.Error(), "https") {
		t.Errorf("plain http: %v", err)
	}
	if _, err := newClient(isLocal("https://mcp.example.com/mcp")).Get("http://127.0.0.1:1/token"); err == nil || !strings.Contains(err.Error(), "a private address") {
		t.Errorf("loopback: %v", err)
	}
}

func TestPages(t *testing.T) {
	for page, ok := range map[string]bool{
		"https://as.example/authorize?state=1": true, "http://127.0.0.1:5/authorize?state=1": true,
		"https://" + strings.Repeat("a.", 200) + "example/authorize?state=1": false,
		"http://as.example/authorize?state=1":                                false, "javascript:alert(1)//?state=1": false, "file:///etc/passwd?state=1": false, "https://as.example/": false,
	} {
		if _, _, err := parsePage(page); (err == nil) != ok {
			t.Errorf("%s: %v", page, err)
		}
	}
}
