package skills_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/skills"
	"github.com/mcpgen/mcpgen/schema/extension"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func TestMain(m *testing.M) { os.Exit(testserver.Run(m.Run)) }

const (
	main = "skill://pdf-processing/SKILL.md"
	text = "---\nname: pdf-processing\ndescription: Fill PDF forms\n---\n\nSee references/FORMS.md.\n"
)

// writeFile writes a file of the served folder.
func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// attachAndLock attaches a server of one skill and returns its folder, the host, and the
// skills as they are now.
func attachAndLock(t *testing.T) (dir string, set *skills.Set) {
	t.Helper()
	dir = t.TempDir()
	writeFile(t, dir, "pdf-processing/SKILL.md", text)
	writeFile(t, dir, "pdf-processing/references/FORMS.md", "Forms.\n")
	host, err := attach.Connect(t.Context(), []endpoint.Server{{
		Name: "docs", Launch: &endpoint.Process{Command: testserver.Program(), Args: []string{"skills", dir}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	snapshot, problems, err := host.Snapshot(t.Context(), "docs", extension.Complete)
	if err != nil || problems != nil {
		t.Fatal(problems, err)
	}
	set, err = skills.New(host, codec.NewManifest("docs", string(lockfile.EncodeSnapshot(snapshot))))
	if err != nil {
		t.Fatal(err)
	}
	return dir, set
}

func TestReadSkill(t *testing.T) {
	_, set := attachAndLock(t)
	all := set.All()
	if len(all) != 1 || all[0].Server != "docs" || all[0].Name != "pdf-processing" || all[0].Description != "Fill PDF forms" || len(all[0].Files) != 2 {
		t.Fatalf("the skills are %+v", all)
	}
	skill, err := set.ReadSkill(t.Context(), "docs", main)
	if err != nil {
		t.Fatal(err)
	}
	if skill.Text != text {
		t.Errorf("text %q, expected %q", skill.Text, text)
	}
	if want := "The skill \"pdf-processing\" of the MCP server \"docs\":\n\n" + text; skill.Prompt() != want {
		t.Errorf("prompt %q, expected %q", skill.Prompt(), want)
	}
	file, err := skill.ReadFile(t.Context(), "references/FORMS.md")
	if err != nil || string(file) != "Forms.\n" {
		t.Errorf("the file is %q, %v", file, err)
	}
}

// What is not what was locked is refused, with the next step.
func TestNotLocked(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(t *testing.T, dir string)
		read   func(ctx context.Context, set *skills.Set) error
		drift  bool
		want   string
	}{
		{"another text of the same length", func(t *testing.T, dir string) {
			writeFile(t, dir, "pdf-processing/SKILL.md", strings.Replace(text, "See", "Eat", 1))
		}, readMain, true, "mcpgen update docs"},
		{"a longer text", func(t *testing.T, dir string) { writeFile(t, dir, "pdf-processing/SKILL.md", text+"More.\n") }, readMain, true, "mcpgen update docs"},
		{"a changed file", func(t *testing.T, dir string) { writeFile(t, dir, "pdf-processing/references/FORMS.md", "Evil!.\n") }, readFile("references/FORMS.md"), true, "mcpgen update docs"},
		{"a new file", func(t *testing.T, dir string) { writeFile(t, dir, "pdf-processing/new.md", "New.\n") }, readFile("new.md"), true, "mcpgen update docs"},
		{"a file outside", func(*testing.T, string) {}, readFile("../pdf-processing/SKILL.md"), true, "was not part of the skill"},
		{"a new skill", func(t *testing.T, dir string) {
			writeFile(t, dir, "other/SKILL.md", "---\nname: other\ndescription: d\n---\n")
		}, func(ctx context.Context, set *skills.Set) error {
			_, err := set.ReadSkill(ctx, "docs", "skill://other/SKILL.md")
			return err
		}, false, "mcpgen update docs"},
		{"a skill of another server", func(*testing.T, string) {}, func(ctx context.Context, set *skills.Set) error {
			_, err := set.ReadSkill(ctx, "files", main)
			return err
		}, false, "files: the skill"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir, set := attachAndLock(t)
			tc.change(t, dir)
			err := tc.read(t.Context(), set)
			if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, runtime.ErrDrift) != tc.drift {
				t.Errorf("error %v, expected %q, drift %v", err, tc.want, tc.drift)
			}
		})
	}
}

func readMain(ctx context.Context, set *skills.Set) error {
	_, err := set.ReadSkill(ctx, "docs", main)
	return err
}

func readFile(path string) func(context.Context, *skills.Set) error {
	return func(ctx context.Context, set *skills.Set) error {
		skill, err := set.ReadSkill(ctx, "docs", main)
		if err != nil {
			return err
		}
		_, err = skill.ReadFile(ctx, path)
		return err
	}
}
