package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// inProject is what stands for the project's folder in the cases below.
const inProject = "/home/dev/app"

func TestLockLaunchShows(t *testing.T) {
	vars := texts.Own(inProject).Expander()
	args := func(args ...string) endpoint.Server {
		return endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: "npx", Args: args}, Expand: vars}
	}
	for name, tc := range map[string]struct {
		server endpoint.Server
		want   string // the launch in a lock, without its hash
	}{
		"package":        {args("-y", "@playwright/mcp@0.0.61"), `{"command":"npx","args":["-y","@playwright/mcp@0.0.61"]}`},
		"references":     {args("--token", "${env:TOKEN}", "{{secret:x}}", "$${literal}"), `{"command":"npx","args":["--token","${env:TOKEN}","{{secret:x}}","$${literal}"]}`},
		"the folder":     {endpoint.Server{Launch: &endpoint.Process{Command: "${dir}/bin/x", Args: []string{"--db=${dir}/${env:DB:-a.db}"}, Env: []endpoint.Var{{Name: "A", Value: "${dir}"}, {Name: "B", Value: "${env:B:-" + planted + "}"}}}, Expand: vars}, `{"command":"${dir}/bin/x","args":["--db=${dir}/${env:DB:-a.db}"],"env":{"A":"${dir}","B":"…"}}`},
		"secret flag":    {args("--api-key", planted, "--password="+planted), `{"command":"npx","args":["--api-key","…","--password=…"]}`},
		"token":          {args("ghp_0123456789abcdef0123456789abcdef0123"), `{"command":"npx","args":["…"]}`},
		"in the project": {args("/home/dev/app/x.js", "--dir=/home/dev/app", "-v", "/home/dev/app/data:/data", "file:///home/dev/app/y"), `{"command":"npx","args":["./x.js","--dir=.","-v","./data:…","file://./y"]}`},
		"outside": {args("/home/dev/My Documents/x", "--dir=/home/dev/application", `{"root":"/srv/x","port":1}`, `C:\Users\dev\x`, `\\host\share`, "sqlite:////home/dev/x.db", "/home/dev/app/a /home/dev/b"),
			`{"command":"npx","args":["…","--dir=…","{\"root\":\"…\",\"port\":1}","…","…","sqlite://…","./a …"]}`},
		"no paths":    {args("/c", "/", "a/b", "./x", "~/x", "https://a.example/home/x?y=/z", "${env:HOME}/x", "-w", "name:/bc"), `{"command":"npx","args":["/c","/","a/b","./x","~/x","https://a.example/home/x?y=/z","${env:HOME}/x","-w","name:…"]}`},
		"environment": {endpoint.Server{Launch: &endpoint.Process{Command: "/usr/bin/x", Env: []endpoint.Var{{Name: "A", Value: "${env:A}"}, {Name: "B", Value: planted}, {Name: "C", Value: "x ${env:C}"}, {Name: "D", Value: "{{secret:d}}"}}, Inherit: endpoint.Inherit{Names: []string{"Z", "P", "Z"}}}, Expand: vars}, `{"command":"…","inheritEnv":["P","Z"],"env":{"A":"${env:A}","B":"…","C":"…","D":"{{secret:d}}"}}`},
		"remote":      {endpoint.Server{Launch: &endpoint.Address{URL: "https://u:" + planted + "@a.example/mcp?token=" + planted, Transport: endpoint.SSE, Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer ${env:T}"}, {Name: "X-Key", Value: "${env:K}"}}}, Expand: vars}, `{"transport":"sse","url":"https://…@a.example/mcp?token=…","headers":{"Authorization":"…","X-Key":"${env:K}"}}`},
		"said":        {endpoint.Server{Launch: &endpoint.Process{Command: "x", Inherit: endpoint.Inherit{All: true}, EnvFile: "/home/dev/app/.env"}}, `{"command":"x","envFile":"./.env","inheritEnv":["*"]}`},
		"odd":         {args("\xff\x00", ""), `{"command":"npx","args":["�\u0000",""]}`},
	} {
		t.Run(name, func(t *testing.T) {
			l := LockLaunch(tc.server, inProject)
			got := regexp.MustCompile(`,"hash":"sha256:[0-9a-f]{64}"}$`).ReplaceAllString(string(l.JSON()), "}")
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if strings.Contains(got, "hunter2") || strings.Contains(got, "/home/") && name != "no paths" {
				t.Errorf("got %s, want neither the secret nor a home folder in a lock", got)
			}
		})
	}
}

// TestLockLaunchHash wants another hash for every launch that is another one, and
// a lock that does not change with the name of the server or its limits.
func TestLockLaunchHash(t *testing.T) {
	base := endpoint.Server{Name: "a", Launch: &endpoint.Process{Command: "npx", Args: []string{"-y", "${PKG}"}, Env: []endpoint.Var{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}}}
	edit := func(f func(*endpoint.Process)) endpoint.Server {
		s, p := base, *processOf(base.Launch)
		f(&p)
		s.Launch = &p
		return s
	}
	same := edit(func(p *endpoint.Process) { p.Dir, p.Env = inProject, []endpoint.Var{p.Env[1], p.Env[0]} })
	same.Name, same.AllowEmpty, same.Source.Line = "b", true, 7
	if LockLaunch(same, inProject).Hash != LockLaunch(base, inProject).Hash {
		t.Error("the hashes differ by what is not of the launch: name, empty variables, line and the order of env")
	}
	env := func(vars ...string) endpoint.Server {
		return edit(func(p *endpoint.Process) {
			for i := 0; i < len(vars); i += 2 {
				p.Env = append(slices.Clone(p.Env), endpoint.Var{Name: vars[i], Value: vars[i+1]})
			}
		})
	}
	seen := map[string]string{}
	for name, s := range map[string]endpoint.Server{
		"base":         base,
		"joined":       edit(func(p *endpoint.Process) { p.Args = []string{"-y ${PKG}"} }),
		"split":        edit(func(p *endpoint.Process) { p.Args = []string{"-", "y${PKG}"} }),
		"more":         edit(func(p *endpoint.Process) { p.Args = []string{"-y", "${PKG}", ""} }),
		"no args":      edit(func(p *endpoint.Process) { p.Args = nil }),
		"one empty":    edit(func(p *endpoint.Process) { p.Args = []string{""} }),
		"no env":       edit(func(p *endpoint.Process) { p.Env = nil }),
		"env as args":  edit(func(p *endpoint.Process) { p.Args = append(slices.Clone(p.Args), "A", "1", "B", "2"); p.Env = nil }),
		"preload":      env("LD_PRELOAD", "/tmp/x.so"),
		"node":         env("NODE_OPTIONS", "--require x"),
		"node, other":  env("NODE_OPTIONS", "--require y"),
		"reference":    env("NODE_OPTIONS", "${NODE_OPTIONS}"),
		"twice":        env("A", "3"),
		"header":       {Launch: &endpoint.Address{URL: "npx", Headers: []endpoint.Var{{Name: "A", Value: "1"}}}},
		"inherit":      edit(func(p *endpoint.Process) { p.Inherit.Names = []string{"AWS_SECRET_ACCESS_KEY"} }),
		"inherit all":  edit(func(p *endpoint.Process) { p.Inherit.All = true }),
		"env file":     edit(func(p *endpoint.Process) { p.EnvFile = ".env" }),
		"folder":       edit(func(p *endpoint.Process) { p.Dir = inProject + "/sub" }),
		"other folder": edit(func(p *endpoint.Process) { p.Dir = "/srv" }),
		"url":          {Launch: &endpoint.Address{URL: "npx"}},
		"sse":          {Launch: &endpoint.Address{URL: "npx", Transport: endpoint.SSE}},
		"written so":   edit(func(p *endpoint.Process) { p.Args = []string{"./x"} }),
		"in project":   edit(func(p *endpoint.Process) { p.Args = []string{inProject + "/x"} }),
		"not UTF-8":    edit(func(p *endpoint.Process) { p.Command = "npx\xff" }),
		"not either":   edit(func(p *endpoint.Process) { p.Command = "npx\xfe" }),
	} {
		h := LockLaunch(s, inProject).Hash
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[h] = name
	}
	// Locks on disk hold it: it must never change.
	const want = "sha256:8eb9d348bee73d2f"
	if hash := LockLaunch(base, inProject).Hash; !strings.HasPrefix(hash, want) {
		t.Errorf("got %s, want %s…", hash, want)
	}
}

// TestLockLaunchAnywhere reads one project in two places of two users.
func TestLockLaunchAnywhere(t *testing.T) {
	files := map[string]string{
		"mcpgen.yaml": `version: 1
import: [.mcp.json, .vscode/mcp.json, ../shared.mcp.json, ~/user.mcp.json]
servers:
  own: {command: ./server, args: ["--root", "ROOT/data"], env: {DATA: ROOT/data}}
`,
		".mcp.json":          `{"mcpServers": {"a": {"command": "node", "args": ["x.js"]}}}`,
		".vscode/mcp.json":   `{"servers": {"b": {"command": "node", "args": ["${workspaceFolder}/x.js"], "cwd": "${workspaceFolder}"}, "c": {"command": "x", "cwd": "sub"}, "d": {"command": "x", "cwd": "~/tools"}, "e": {"command": "x", "cwd": "/opt/x"}}}`,
		"../shared.mcp.json": `{"servers": {"f": {"command": "x", "cwd": "."}}}`,
	}
	read := func(home, root string) map[string]lockfile.Launch {
		t.Helper()
		t.Setenv("HOME", home)
		for name, text := range files {
			writeFile(t, filepath.Join(root, name), strings.ReplaceAll(text, "ROOT", filepath.ToSlash(root)))
		}
		writeFile(t, filepath.Join(home, "user.mcp.json"), `{"servers": {"g": {"command": "x", "cwd": "tools"}}}`)
		p, err := Load(filepath.Join(root, "mcpgen.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]lockfile.Launch{}
		for _, s := range p.Servers {
			out[s.Name] = LockLaunch(s, p.Dir)
		}
		return out
	}
	alice := read(t.TempDir(), filepath.Join(t.TempDir(), "deep", "below", "app"))
	bobs := t.TempDir()
	bob := read(bobs, filepath.Join(bobs, "src", "app"))
	if len(alice) != 8 {
		t.Fatalf("%d servers", len(alice))
	}
	for name, l := range alice {
		if got, want := string(bob[name].JSON()), string(l.JSON()); got != want {
			t.Errorf("%s: %s\nand %s", name, got, want)
		}
		if strings.Contains(string(l.JSON()), os.TempDir()) {
			t.Errorf("%s: an absolute path in %s", name, l.JSON())
		}
	}
}

// TestSameLaunch compares with locks of both forms.
func TestSameLaunch(t *testing.T) {
	s := endpoint.Server{Launch: &endpoint.Process{Command: "npx", Args: []string{"-y", "${PKG}"}}}
	preload := s
	preload.Launch = &endpoint.Process{Command: "npx", Args: []string{"-y", "${PKG}"}, Env: []endpoint.Var{{Name: "LD_PRELOAD", Value: "x"}}}
	other := s
	other.Launch = &endpoint.Process{Command: "npx", Args: []string{"-y"}}
	// What a lock of an older version holds: it must stay readable.
	old := lockfile.Launch{Hash: "sha256:c2073902b723019fc30870d7fd88e22a3fa6c25b08d2495773672dcfb0956000"}
	now := LockLaunch(s, inProject)
	for name, tc := range map[string]struct {
		locked lockfile.Launch
		server endpoint.Server
		want   bool
	}{
		"old":                 {old, s, true},
		"old and other":       {old, other, false},
		"old and preload":     {old, preload, true}, // its hash covers no variables
		"new":                 {now, s, true},
		"new and preload":     {now, preload, false},
		"new and other":       {now, other, false},
		"hash of the new":     {lockfile.Launch{Hash: now.Hash}, s, true},
		"old hash in the new": {lockfile.Launch{Command: "npx", Args: []string{"-y", "${PKG}"}, Hash: old.Hash}, s, false},
		"unknown":             {lockfile.Launch{}, s, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, same := SameLaunch(tc.locked, tc.server, inProject)
			if same != tc.want || same != (tc.locked.Differences(got) == nil) {
				t.Errorf("got %v, %v", got, same)
			}
		})
	}
}

// FuzzLockLaunch wants no secret and no path of a home folder in what a lock shows.
func FuzzLockLaunch(f *testing.F) {
	for _, seed := range []string{"-v HOME/x:/y", "file://HOME", "a=HOME b", "x:HOME", "https://h/HOME", "C:/x", "\\\\h", "ROOT/x", "--x=ROOT:HOME"} {
		f.Add(seed)
	}
	const home = "/home/somebody"
	f.Fuzz(func(t *testing.T, arg string) {
		arg = strings.NewReplacer("HOME", home, "ROOT", inProject).Replace(arg)
		s := endpoint.Server{Launch: &endpoint.Process{Command: "x", Args: []string{arg}}}
		l := LockLaunch(s, inProject)
		lock := lockfile.NewLock()
		lock.Servers["s"] = &lockfile.LockedServer{Launch: l}
		if _, err := lockfile.ParseLock(lock.Encode()); err != nil {
			t.Fatal(err)
		}
		shown := l.Args[0]
		for _, before := range []string{" ", "=", ":", ",", `"`, "'", "("} {
			if at := before + home; strings.Contains(shown, at) && !strings.Contains(shown, "://") || strings.HasPrefix(shown, home) {
				t.Errorf("%q shows %q", arg, shown)
			}
		}
		again, same := SameLaunch(l, s, inProject)
		if fmt.Sprint(again) != fmt.Sprint(l) || !same {
			t.Errorf("%v is not %v", again, l)
		}
	})
}
