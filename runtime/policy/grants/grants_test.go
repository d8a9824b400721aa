package grants

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func openStore(t *testing.T, path, project string) *Store {
	t.Helper()
	s, err := Open(path, project)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What was granted in one project counts there, and not in another one; a link
// to a project is that project.
func TestProjects(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state", "grants.json")
	for _, p := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(dir, p), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	one, two := openStore(t, path, filepath.Join(dir, "one")), openStore(t, path, filepath.Join(dir, "two"))
	if all, err := one.Grants(); len(all) != 0 || err != nil {
		t.Errorf("got %v, %v", all, err)
	}
	g := policy.Grant{Rule: "mcp:fs_*", Time: time.Now(), By: "ada"}
	for range 2 { // the second one changes nothing
		if err := one.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	scoped := policy.Grant{Rule: "tool.call.echo", Scope: &policy.Scope{Version: 1, Arguments: policy.Arguments{Allow: json.RawMessage(`{"a":1}`)}}}
	if err := one.Add(scoped); err != nil {
		t.Fatal(err)
	}
	if all, err := openStore(t, path, filepath.Join(dir, "one")).Grants(); len(all) != 2 || err != nil || all[0].By != "ada" || all[1].Scope == nil {
		t.Errorf("got %+v, %v", all, err)
	}
	if all, err := two.Grants(); len(all) != 0 || err != nil {
		t.Errorf("the other project has %+v, %v", all, err)
	}
	if link := filepath.Join(dir, "link"); os.Symlink(filepath.Join(dir, "one"), link) == nil {
		if all, _ := openStore(t, path, link).Grants(); len(all) != 2 {
			t.Errorf("the link has %+v", all)
		}
	}
	removed, err := one.Remove(func(g policy.Grant) bool { return g.Rule == "mcp:fs_*" })
	if err != nil || len(removed) != 1 || removed[0].By != "ada" {
		t.Errorf("got %+v, %v", removed, err)
	}
	if _, err := one.Remove(func(g policy.Grant) bool { return g.Rule == "mcp:fs_*" }); !errors.Is(err, ErrNotGranted) {
		t.Errorf("got %v", err)
	}
}

// A policy over the store: what a person allows always is there for the next
// one, whatever else is granted at the same time.
func TestWithPolicy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grants.json")
	yes := policy.PrompterFunc(func(_ context.Context, _ policy.Question) (policy.Answer, error) {
		return policy.Answer{Decision: policy.Always}, nil
	})
	var work sync.WaitGroup
	for _, tool := range []string{"a", "b", "c", "d"} {
		work.Go(func() {
			p, err := policy.New(policy.Config{Mode: policy.Ask}, &policy.Options{Prompter: yes, Grants: openStore(t, path, "/project")})
			if err != nil {
				t.Error(err)
				return
			}
			if err := p.Check(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: tool}); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	p, err := policy.New(policy.Config{}, &policy.Options{Grants: openStore(t, path, "/project")})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"a", "b", "c", "d"} {
		if !p.Allows(runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: tool}) {
			t.Errorf("%s is forgotten", tool)
		}
	}
}

// A file that is damaged, of another version, or writable by others grants
// nothing, says so, and is not written over.
func TestDamaged(t *testing.T) {
	for text, want := range map[string]string{
		"{":                             "it is damaged",
		`{"version":2}`:                 "version 2",
		`{"version":1,"projects":[]}`:   "it is damaged",
		`{"version":1,"projects":null}`: "",
	} {
		path := filepath.Join(t.TempDir(), "grants.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := openStore(t, path, "/project")
		_, err := s.Grants()
		addErr := s.Add(policy.Grant{Rule: "mcp:*"})
		if want == "" {
			if err != nil || addErr != nil {
				t.Errorf("%s: %v, %v", text, err, addErr)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) || addErr == nil {
			t.Errorf("%s: %v, %v", text, err, addErr)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%s: written over with %s", text, data)
		}
	}
}

// FuzzStore reads any file: no panic.
func FuzzStore(f *testing.F) {
	f.Add([]byte(`{"version":1,"projects":{"/project":[{"rule":"mcp:*","scope":{"version":1,"arguments":{"allow":{}}}},{"secret":{"secret":"a","tool":"*"}}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &Store{project: "/project"}
		c, err := s.parse(data)
		if err != nil {
			return
		}
		for _, g := range c.Projects["/project"] {
			_, _ = policy.New(policy.Config{Grants: []policy.Grant{g}}, nil)
		}
	})
}

// What was granted for one file counts for that one, wherever it is used from, and
// not for the project around it, nor for a file beside it.
func TestFilesApart(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state", "grants.json")
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	with := func(project string, files ...string) *Store {
		t.Helper()
		s, err := Open(path, project, files...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	secret := &policy.SecretRule{Secret: "token", Tool: "*"}
	if err := with("", a).Add(policy.Grant{Secret: secret, File: a}); err != nil {
		t.Fatal(err)
	}
	if err := with(dir, a).Add(policy.Grant{Rule: "tool:own/*"}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		store *Store
		want  string
	}{
		{with("", a), "secret:token " + a}, {with("", b), ""}, {with(dir), "tool:own/* "},
		{with(dir, b), "tool:own/* "}, {with(dir, b, a), "tool:own/* ,secret:token " + a},
	} {
		all, err := tt.store.Grants()
		var got []string
		for _, g := range all {
			name := g.Rule
			if g.Secret != nil {
				name = "secret:" + g.Secret.Secret
			}
			got = append(got, name+" "+g.File)
		}
		if strings.Join(got, ",") != tt.want || err != nil {
			t.Errorf("%q: got %q, %v; want %q", tt.store.Files(), got, err, tt.want)
		}
	}
	if err := with("", a).Add(policy.Grant{Rule: "tool:own/*"}); err == nil {
		t.Error("Add of a grant without a project has no error, want one")
	}
	everything := func(policy.Grant) bool { return true }
	if _, err := with("", b).Remove(everything); !errors.Is(err, ErrNotGranted) {
		t.Errorf("got %v", err)
	}
	if removed, err := with(dir, a).Remove(everything); len(removed) != 2 || err != nil {
		t.Errorf("got %+v, %v", removed, err)
	}
}
