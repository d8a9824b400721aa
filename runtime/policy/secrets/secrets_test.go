package secrets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/policy"
)

// asStore makes this test binary a password manager.
const asStore = "SECRETS_STORE"

func TestMain(m *testing.M) {
	if os.Getenv(asStore) == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "the-stderr-of-the-store")
	switch name := os.Args[len(os.Args)-1]; name {
	case "absent":
		os.Exit(1)
	case "broken":
		fmt.Print("half a secret")
		os.Exit(3)
	case "long":
		os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<20))
	case "nul":
		fmt.Print("nul\x00byte")
	case "lines":
		fmt.Print("one\ntwo\r\n")
	default:
		fmt.Printf("value of %s\n", name)
	}
}

func TestEnvironment(t *testing.T) {
	source := Environment(func(name string) (string, bool) {
		v, ok := map[string]string{"MCPGEN_SECRET_GITHUB_TOKEN": "the value", "MCPGEN_SECRET_EMPTY": ""}[name]
		return v, ok
	})
	if v, err := source(t.Context(), "github-token"); v != "the value" || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
	for _, name := range []string{"empty", "other"} {
		if _, err := source(t.Context(), name); !errors.Is(err, policy.ErrNoSecret) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	t.Setenv("MCPGEN_SECRET_A_B_9", "from the process")
	if v, err := Environment(nil)(t.Context(), "a.b-9"); v != "from the process" || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcpgen", "secrets.json")
	f, err := OpenFile(path)
	if err != nil || f.Path() != path {
		t.Fatal(err)
	}
	source := f.Source()
	if _, err := source(t.Context(), "a"); !errors.Is(err, policy.ErrNoSecret) {
		t.Errorf("without a file: %v", err)
	}
	for name, value := range map[string]string{"b": "value-b", "a": "value\nof a <&>"} {
		if err := f.Set(t.Context(), name, value); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := source(t.Context(), "a"); v != "value\nof a <&>" || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
	if names, err := f.Names(); fmt.Sprint(names) != "[a b]" || err != nil {
		t.Errorf("got %v, %v", names, err)
	}
	if err := f.Remove(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	for _, err := range []error{f.Remove(t.Context(), "a"), errOf(source(t.Context(), "a"))} {
		if !errors.Is(err, policy.ErrNoSecret) {
			t.Errorf("got %v", err)
		}
	}
	for _, bad := range [][2]string{{"", "value"}, {" a", "value"}, {"a}}", "value"}, {"a\n", "value"}, {strings.Repeat("a", 300), "value"}, {"a", ""}, {"a", "abc"}, {"a", "nul\x00"}, {"a", strings.Repeat("x", 1<<17)}} {
		if err := f.Set(t.Context(), bad[0], bad[1]); err == nil {
			t.Errorf("%.20q = %.20q is taken", bad[0], bad[1])
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{errOf(source(t.Context(), "b")), f.Set(t.Context(), "c", "value"), f.Remove(t.Context(), "b")} {
		if err == nil || !strings.Contains(err.Error(), "chmod 600") || errors.Is(err, policy.ErrNoSecret) {
			t.Errorf("a file that others may read: %v", err)
		}
	}
}

func errOf(_ string, err error) error { return err }

// A damaged file gives nothing away, not even in its error.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.json")
	if err := os.WriteFile(path, []byte(`{"a": "planted-secret", "planted-secret": planted-secret}`), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{errOf(f.Source()(t.Context(), "a")), f.Set(t.Context(), "b", "value")} {
		if err == nil || !strings.HasPrefix(err.Error(), path) || strings.Contains(err.Error(), "planted") {
			t.Errorf("got %v", err)
		}
	}
}

func TestCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asStore, "1")
	source := Command(self, "show", "mcpgen/{name}")
	if v, err := source(t.Context(), "github token; $(x)"); v != "value of mcpgen/github token; $(x)" || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
	plain := Command(self, placeholder)
	if v, err := plain(t.Context(), "lines"); v != "one\ntwo" || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
	if _, err := plain(t.Context(), "absent"); !errors.Is(err, policy.ErrNoSecret) {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{"broken": "failed", "long": "larger than", "nul": "NUL byte", "-flag": "begins with a dash"} {
		_, err := plain(t.Context(), name)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "half a secret") || strings.Contains(err.Error(), "stderr-of") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, argv := range [][]string{nil, {""}, {filepath.Join(t.TempDir(), "no-such-program")}} {
		if _, err := Command(argv...)(t.Context(), "x"); err == nil || errors.Is(err, policy.ErrNoSecret) {
			t.Errorf("%q: got %v", argv, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := plain(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
