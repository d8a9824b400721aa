package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/corpus"
)

// sampleLock is a lock with something in every member.
func sampleLock(t testing.TB) *Lock {
	t.Helper()
	s := snapshotOf(t, "demo", schema.KindTool, json.RawMessage(`{"name":"b"}`), json.RawMessage(`{"name":"a","inputSchema":{"type":"object"}}`))
	s.Identity = json.RawMessage(`{"version":"1","name":"demo"}`)
	s.Capabilities = json.RawMessage(`{"tools":{}}`)
	s.Instructions = "Be careful."
	s.Prompts = []schema.Item{{Kind: schema.KindPrompt, Name: "p", Raw: json.RawMessage(`{"name":"p"}`)}}
	s.Resources = []schema.Item{{Kind: schema.KindResource, Name: "file:///x", Raw: json.RawMessage(`{"uri":"file:///x"}`)}}
	locked := mustLock(t, s)
	locked.ClientCapabilities = json.RawMessage(`{}`)
	locked.Launch = Launch{
		Command: "npx", Args: []string{"-y", "demo@1", ""}, EnvFile: ".env", Inherit: []string{"*"},
		Env: map[string]string{"B": Hidden, "A": "${env:A}"}, Hash: TextHash("npx demo"),
	}
	it := locked.Tools["a"]
	it.Go = json.RawMessage(`{"names":{"/inputSchema/properties/x":"AArgsX2","":"A2"}}`)
	it.Accepted = []Acceptance{{"text-directs-model", TextHash("1"), TextHash("2")}, {Rule: "tool-added", After: TextHash("3")}}
	it.Result = LockedResult{ResultObserved, TextHash("shape")}
	locked.Tools["a"] = it
	locked.Source = Source{Scope: ScopeUser, Dialect: "claude-code", File: "~/.claude.json"}
	locked.Accepted = []Acceptance{{"server-launch-changed", TextHash("a"), TextHash("b")}}
	locked.Go = json.RawMessage(`{"package":"demo0"}`)
	lock := NewLock()
	lock.Servers["demo"] = locked
	lock.Servers["other"] = &LockedServer{Protocol: "2024-11-05", Launch: Launch{Hash: TextHash("old")}}
	lock.Servers["remote"] = &LockedServer{Launch: Launch{
		Transport: "sse", URL: "https://mcp.example.com/x", Headers: map[string]string{"Authorization": Hidden}, Hash: TextHash("remote"),
	}}
	return lock
}

func TestLockForm(t *testing.T) {
	got := string(sampleLock(t).Encode())
	for _, want := range []string{
		`{
  "mcpgen": 3,
  "contracts": 1,
  "servers": {
    "demo": {
      "source": {
        "scope": "user",
        "dialect": "claude-code",
        "file": "~/.claude.json"
      },
      "identity": {
        "version": "1",
        "name": "demo"
      },
      "protocol": "2025-11-25",
      "capabilities": {
        "tools": {}
      },
      "clientCapabilities": {},
      "launch": {
        "command": "npx",
        "args": [
          "-y",
          "demo@1",
          ""
        ],
        "envFile": ".env",
        "inheritEnv": [
          "*"
        ],
        "env": {
          "A": "${env:A}",
          "B": "…"
        },
        "hash": "` + TextHash("npx demo") + `"
      },
      "instructions": "sha256:`,
		`        },
        "b": {
          "contract": "sha256:`,
		`          "result": {
            "source": "observed",
            "hash": "` + TextHash("shape") + `"
          },
          "place": 2000,
          "accepted": [
            {
              "rule": "text-directs-model",
              "before": "` + TextHash("1") + `",
              "after": "` + TextHash("2") + `"
            },
            {
              "rule": "tool-added",
              "after": "` + TextHash("3") + `"
            }
          ],
          "go": {
            "names": {
              "/inputSchema/properties/x": "AArgsX2",
              "": "A2"
            }
          }
        },
`,
		`      "go": {
        "package": "demo0"
      },
      "tools": {
`,
		`          "place": 1000,
          "go": {}
        }
      },
      "prompts": {
        "p": {
          "contract": "sha256:`,
		`    "other": {
      "protocol": "2024-11-05",
      "launch": "` + TextHash("old") + `",
      "tools": {}
    },
    "remote": {
      "launch": {
        "transport": "sse",
        "url": "https://mcp.example.com/x",
        "headers": {
          "Authorization": "…"
        },
        "hash": "` + TextHash("remote") + `"
      },
      "tools": {}
    }
  }
}
`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q\nis not in\n%s", want, got)
		}
	}
}

func TestLockRoundTrip(t *testing.T) {
	lock := sampleLock(t)
	for server, raws := range corpus.Tools(t, "../../golden/corpus/servers") {
		lock.Servers[server] = mustLock(t, snapshotOf(t, server, schema.KindTool, raws...))
	}
	file := lock.Encode()
	back, err := ParseLock(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, back.Encode()) {
		t.Errorf("a second Encode gives\n%s\nwant\n%s", back.Encode(), file)
	}
	for _, of := range []*Lock{lock, back} { // their JSON has another form
		for name, it := range of.Servers["demo"].Tools {
			it.Go = nil
			of.Servers["demo"].Tools[name] = it
		}
	}
	if !reflect.DeepEqual(back.Servers["demo"].Tools, lock.Servers["demo"].Tools) {
		t.Errorf("got %v", back.Servers["demo"].Tools)
	}
	for _, name := range []string{"demo", "other", "remote"} {
		if got, want := back.Servers[name].Launch, lock.Servers[name].Launch; !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if back, err = ParseLock(bytes.ReplaceAll(file, []byte("\n"), []byte("\r\n"))); err != nil || !bytes.Equal(back.Encode(), file) {
		t.Errorf("with other line endings: %v", err)
	}
	if empty, err := ParseLock(NewLock().Encode()); err != nil || len(empty.Servers) != 0 {
		t.Errorf("an empty lock: %v, %v; want no server", empty, err)
	}
}

func TestParseLockRefuses(t *testing.T) {
	hash := TextHash("x")
	tool := func(members string) string {
		return `{"mcpgen":3,"servers":{"s":{"tools":{"t":{` + members + `}}}}}`
	}
	source := func(value string) string { return `{"mcpgen":3,"servers":{"s":{"source":` + value + `,"tools":{}}}}` }
	whole := fmt.Sprintf(`"contract":%q,"full":%q,"key":"bk_%s"`, hash, hash, strings.Repeat("0", 32))
	if _, err := ParseLock([]byte(tool(whole))); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", "1:1: no JSON value"},
		{"not ours", "{}", "1:1: not a lock of mcpgen"},
		{"cut", `{"mcpgen":3,"servers":{`, "1:24: at \"/servers\": the JSON ends"},
		{"version", `{"mcpgen":"1"}`, `1:2: at "/mcpgen": this version of mcpgen reads format 3`},
		{"newer", `{"mcpgen":4,"servers":[]}`, "use the version of mcpgen that wrote the lock"},
		{"no servers", `{"mcpgen":3}`, `1:1: at "/servers": missing`},
		{"servers", `{"mcpgen":3,"servers":[]}`, "must be an object, is an array"},
		{"server", `{"mcpgen":3,"servers":{"s":null}}`, `at "/servers/s": must be an object, is null`},
		{"no tools", `{"mcpgen":3,"servers":{"s":{}}}`, `1:28: at "/servers/s/tools": missing`},
		{"unordered of form 2", `{"mcpgen":2,"servers":{"s":{"unordered":true,"tools":{}}}}`, `at "/servers/s/unordered": unknown member`},
		{"unordered", `{"mcpgen":3,"servers":{"s":{"unordered":false,"tools":{}}}}`, `at "/servers/s/unordered": must be true, or absent`},
		{"unknown", "{\"mcpgen\":2,\"servers\":{},\n\"hash\":1}", `2:1: at "/hash": unknown member`},
		{"unknown in server", `{"mcpgen":3,"servers":{"s":{"time":1,"tools":{}}}}`, `1:29: at "/servers/s/time": unknown member`},
		{"unknown in tool", tool(`"sum":1,` + whole), `at "/servers/s/tools/t/sum": unknown member`},
		{"order", tool(`"full":"` + hash + `","contract":"` + hash + `"`), `must come before "full"`},
		{"no contract", tool(`"full":"` + hash + `"`), `at "/servers/s/tools/t/contract": missing`},
		{"no full", tool(`"contract":"` + hash + `"`), `at "/servers/s/tools/t/full": missing`},
		{"no key", tool(`"contract":"` + hash + `","full":"` + hash + `"`), `at "/servers/s/tools/t/key": missing`},
		{"key", strings.Replace(tool(whole), "bk_0", "bk_X", 1), "must be bk_ and 32 hexadecimal digits"},
		{"key of a prompt", strings.Replace(tool(whole), `"tools"`, `"tools":{},"prompts"`, 1), "only tools have one"},
		{"result of a prompt", strings.Replace(tool(whole+`,"result":{"source":"user","hash":"`+hash+`"}`), `"tools"`, `"tools":{},"prompts"`, 1), `/t/result": only tools have one`},
		{"result", tool(whole + `,"result":"user"`), `/t/result": must be an object, is a string`},
		{"source of a result", tool(whole + `,"result":{"source":"server","hash":"` + hash + `"}`), `/t/result/source": must be "user" or "observed"`},
		{"no hash of a result", tool(whole + `,"result":{"source":"user"}`), `/t/result/hash": missing`},
		{"unknown in a result", tool(whole + `,"result":{"source":"user","hash":"` + hash + `","file":"x"}`), `/t/result/file": unknown member`},
		{"short hash", strings.Replace(tool(whole), hash, hash[:70], 1), "must be sha256: and 64 hexadecimal digits"},
		{"upper case", strings.Replace(tool(whole), hash, strings.ToUpper(hash), 1), "must be sha256: and 64"},
		{"other hash", strings.Replace(tool(whole), "sha256", "sha512", 1), "must be sha256: and 64"},
		{"launch", `{"mcpgen":3,"servers":{"s":{"launch":5,"tools":{}}}}`, `at "/servers/s/launch": must be an object, or sha256:`},
		{"short hash of a launch", `{"mcpgen":3,"servers":{"s":{"launch":"sha256:0","tools":{}}}}`, `at "/servers/s/launch": must be an object, or sha256:`},
		{"launch of nothing", `{"mcpgen":3,"servers":{"s":{"launch":{"hash":"` + hash + `"},"tools":{}}}}`, `at "/servers/s/launch": must have either a command or a url`},
		{"launch of two", `{"mcpgen":3,"servers":{"s":{"launch":{"command":"x","url":"y","hash":"` + hash + `"},"tools":{}}}}`, `at "/servers/s/launch": must have either a command or a url`},
		{"launch without a hash", `{"mcpgen":3,"servers":{"s":{"launch":{"command":"x"},"tools":{}}}}`, `at "/servers/s/launch/hash": missing`},
		{"arguments", `{"mcpgen":3,"servers":{"s":{"launch":{"command":"x","args":"-y","hash":"` + hash + `"},"tools":{}}}}`, `at "/servers/s/launch/args": must be an array, is a string`},
		{"argument", `{"mcpgen":3,"servers":{"s":{"launch":{"command":"x","args":["a",1],"hash":"` + hash + `"},"tools":{}}}}`, `at "/servers/s/launch/args/1": must be a text`},
		{"variable", `{"mcpgen":3,"servers":{"s":{"launch":{"command":"x","env":{"A":null},"hash":"` + hash + `"},"tools":{}}}}`, `at "/servers/s/launch/env/A": must be a text`},
		{"order in a launch", `{"mcpgen":3,"servers":{"s":{"launch":{"hash":"` + hash + `","command":"x"},"tools":{}}}}`, `must come before "hash"`},
		{"protocol", `{"mcpgen":3,"servers":{"s":{"protocol":5,"tools":{}}}}`, `at "/servers/s/protocol": must be a text`},
		{"names of form 1", tool(whole + `,"names":{}`), `at "/servers/s/tools/t/names": unknown member`},
		{"decisions", tool(whole + `,"go":[1]`), `at "/servers/s/tools/t/go": must be an object, is an array`},
		{"place", tool(whole + `,"place":1.5`), `at "/servers/s/tools/t/place": must be a whole number from 1`},
		{"no place", tool(whole + `,"place":0`), `at "/servers/s/tools/t/place": must be a whole number from 1`},
		{"acceptances", tool(whole + `,"accepted":{}`), `at "/servers/s/tools/t/accepted": must be an array, is an object`},
		{"acceptance", tool(whole + `,"accepted":["x"]`), `at "/servers/s/tools/t/accepted/0": must be an object, is a string`},
		{"acceptance of nothing", tool(whole + `,"accepted":[{}]`), `at "/servers/s/tools/t/accepted/0/rule": missing`},
		{"rule", tool(whole + `,"accepted":[{"rule":"A b"}]`), `/accepted/0/rule": must be the name of a rule`},
		{"hash of an acceptance", tool(whole + `,"accepted":[{"rule":"a","after":"x"}]`), `/accepted/0/after": must be sha256:`},
		{"many acceptances", tool(whole + `,"accepted":[` + strings.Repeat("{},", maxAccepted) + `{}]`), `/accepted": must have at most 20 elements`},
		{"source", source(`"file"`), `at "/servers/s/source": must be an object, is a string`},
		{"scope", source(`{"scope":"mine","file":"x"}`), `/source/scope": must be "project" or "user"`},
		{"no file", source(`{"scope":"project"}`), `/source/file": must be a slash path relative to the lock`},
		{"absolute file", source(`{"scope":"project","file":"/etc/x"}`), `/source/file": must be a slash path relative to the lock`},
		{"file of somebody else", source(`{"scope":"user","file":"~/../x"}`), `/source/file": must be a slash path after ~/`},
		{"dialect", source(`{"scope":"user","dialect":"A"}`), `/source/dialect": must be a name of small letters`},
		{"unknown in a source", source(`{"scope":"user","line":1}`), `/source/line": unknown member`},
		{"empty name", `{"mcpgen":3,"servers":{"":{"tools":{}}}}`, `the name "" is not allowed`},
		{"duplicate tool", `{"mcpgen":3,"servers":{"s":{"tools":{"t":{},"t":{}}}}}`, `at "/servers/s/tools/t": duplicate member name`},
		{"conflict", "{\n  \"mcpgen\": 2,\n  \"servers\": {\n<<<<<<< HEAD\n=======\n>>>>>>> branch\n  }\n}\n", "4:1: git conflict markers: take the same side of mcpgen.lock"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseLock([]byte(tc.in))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v\nwant %s", err, tc.want)
			}
			if !strings.Contains(err.Error(), "run mcpgen generate") && tc.name != "conflict" { // update reads the lock first
				t.Errorf("no next step in %v", err)
			}
		})
	}
}

// Two branches that change different items of one server merge cleanly; the
// result is the lock with both changes.
func TestLockMerges(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	names := []string{"a", "b", "c", "d", "e"}
	base := NewLock()
	base.Servers["s"] = &LockedServer{Source: Source{ScopeProject, "", "mcpgen.yaml"}, Launch: launchOf("npx", "-y", "a@1"), Tools: map[string]LockedItem{}, Prompts: map[string]LockedItem{"p": fakeItem("p0", false)}}
	for _, n := range names {
		base.Servers["s"].Tools[n] = fakeItem(n, true)
	}
	type edit func(*LockedServer)
	update := func(n string) edit { return func(s *LockedServer) { s.Tools[n] = fakeItem(n+"2", true) } }
	remove := func(n string) edit { return func(s *LockedServer) { delete(s.Tools, n) } }
	number := func(n string) edit {
		return func(s *LockedServer) {
			it := fakeItem(n+"3", true)
			it.Go = json.RawMessage(`{"names":{"":"X2"}}`)
			s.Tools[n] = it
		}
	}
	launch := func(s *LockedServer) { s.Launch = launchOf("npx", "-y", "a@2", "--flag") }
	accept := func(n string) edit {
		return func(s *LockedServer) {
			it := fakeItem(n+"4", true)
			it.Accepted = []Acceptance{{"text-directs-model", TextHash("1"), TextHash("2")}}
			s.Tools[n] = it
		}
	}
	file := func(s *LockedServer) { s.Source.File = "other.json" }
	prompt := func(s *LockedServer) { s.Prompts["p"] = fakeItem("p1", false) }
	for _, tc := range []struct {
		name         string
		ours, theirs edit
	}{
		{"neighbours", update("b"), update("c")},
		{"first two", update("a"), update("b")},
		{"launch and first", launch, update("a")},
		{"last two", update("d"), update("e")},
		{"last tool and prompt", update("e"), prompt},
		{"far apart", update("a"), update("e")},
		{"added at the end, last updated", update("f"), update("e")},
		{"added at the front, first updated", update("Z"), update("a")},
		{"added between, before updated", update("bb"), update("b")},
		{"added between, after updated", update("bb"), update("c")},
		{"removed, before updated", remove("c"), update("b")},
		{"removed, after updated", remove("c"), update("d")},
		{"last removed, before updated", remove("e"), update("d")},
		{"both removed", remove("b"), remove("d")},
		{"numbered and updated", number("b"), update("c")},
		{"updated and numbered", update("b"), number("c")},
		{"accepted and updated", accept("b"), update("c")},
		{"updated and accepted", update("b"), accept("c")},
		{"both accepted", accept("b"), accept("c")},
		{"last accepted, one added", accept("e"), update("f")},
		{"source and first", file, update("a")},
	} {
		for _, swap := range []bool{false, true} {
			t.Run(fmt.Sprint(tc.name, swap), func(t *testing.T) {
				ours, theirs := tc.ours, tc.theirs
				if swap {
					ours, theirs = theirs, ours
				}
				a, b, both := cloneLock(t, base), cloneLock(t, base), cloneLock(t, base)
				ours(a.Servers["s"])
				theirs(b.Servers["s"])
				ours(both.Servers["s"])
				theirs(both.Servers["s"])
				merged := mergeFile(t, base.Encode(), a.Encode(), b.Encode())
				if string(merged) != string(both.Encode()) {
					t.Errorf("merged to\n%s", merged)
				}
			})
		}
	}
}

func fakeItem(text string, key bool) LockedItem {
	it := LockedItem{Full: TextHash("full " + text), Contract: TextHash("contract " + text), Place: 1000}
	if key {
		it.Key, _ = ContentKey("s", text, nil)
	}
	return it
}

func cloneLock(t *testing.T, l *Lock) *Lock {
	t.Helper()
	c, err := ParseLock(l.Encode())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mergeFile is what git does with one file of two branches.
func mergeFile(t *testing.T, base, ours, theirs []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "merge-file", "-p", "ours", "base", "theirs")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git merge-file: %v\n%s", err, out)
	}
	return out
}

func TestSnapshotMerges(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	edit := func(tools ...string) []byte {
		s := snapshotOf(t, "s", schema.KindTool, corpus.Tools(t, "../../golden/corpus/servers")["memory"]...)
		for i, it := range s.Tools {
			for _, name := range tools {
				if it.Name == name {
					s.Tools[i].Raw = bytes.Replace(it.Raw, []byte(`"description":`), []byte(`"description":"New. ","was":`), 1)
				}
			}
		}
		return EncodeSnapshot(s)
	}
	merged := mergeFile(t, edit(), edit("create_entities"), edit("create_relations"))
	if !bytes.Equal(merged, edit("create_entities", "create_relations")) {
		t.Errorf("merged to\n%s", merged)
	}
}

func TestVerify(t *testing.T) {
	base := func() *schema.Snapshot {
		return &schema.Snapshot{
			Server: "s", ProtocolVersion: "2025-11-25", Identity: json.RawMessage(`{"name":"n","version":"1"}`),
			Tools: []schema.Item{
				{Kind: schema.KindTool, Name: "a", Raw: json.RawMessage(`{"name":"a","description":"d","inputSchema":{"type":"object"}}`)},
				{Kind: schema.KindTool, Name: "b", Raw: json.RawMessage(`{"name":"b"}`)},
			},
			Prompts: []schema.Item{{Kind: schema.KindPrompt, Name: "p", Raw: json.RawMessage(`{"name":"p"}`)}},
		}
	}
	set := func(i int, raw string) func(*schema.Snapshot) {
		return func(s *schema.Snapshot) { s.Tools[i].Raw = json.RawMessage(raw) }
	}
	for _, tc := range []struct {
		name string
		edit func(*schema.Snapshot)
		want string
	}{
		{"same", func(*schema.Snapshot) {}, ""},
		{"spacing", set(0, ` {"inputSchema" : {"type":"object"}, "description":"d","name":"\u0061"}`), ""},
		{"identity in another order", func(s *schema.Snapshot) { s.Identity = json.RawMessage(`{"version":"1", "name":"n"}`) }, ""},
		{"reworded", set(0, `{"name":"a","description":"e","inputSchema":{"type":"object"}}`), "tool a reworded"},
		{"changed", set(0, `{"name":"a","description":"d","inputSchema":{"type":"object","required":["x"]}}`), "tool a changed"},
		{"not JSON", set(0, `{"name":"a","name":"b"}`), "tool a changed"},
		{"another name in it", set(0, `{"name":"c"}`), "tool a changed"},
		{"removed", func(s *schema.Snapshot) { s.Tools = s.Tools[:1] }, "tool b removed"},
		{"added", func(s *schema.Snapshot) {
			s.Tools = append(s.Tools, schema.Item{Kind: schema.KindTool, Name: "aa", Raw: json.RawMessage(`{"name":"aa"}`)})
		}, "tool aa added"},
		{"twice", func(s *schema.Snapshot) { s.Tools = append(s.Tools, s.Tools[0]) }, "tool a added"},
		{"prompt", func(s *schema.Snapshot) { s.Prompts = nil }, "prompt p removed"},
		{"parts", func(s *schema.Snapshot) {
			s.Identity, s.Capabilities, s.Instructions, s.ProtocolVersion = nil, json.RawMessage(`{}`), "x", "2024-11-05"
		}, "identity  removed, capabilities  added, instructions  added, protocol  changed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			locked := mustLock(t, base())
			s := base()
			tc.edit(s)
			var got []string
			for _, d := range locked.Verify(s) {
				got = append(got, fmt.Sprintf("%s %s %s", d.Kind, d.Name, d.Change))
			}
			if strings.Join(got, ", ") != tc.want {
				t.Errorf("got %v, want %s", got, tc.want)
			}
		})
	}
	for _, edit := range []func(*LockedItem){
		func(it *LockedItem) { it.Contract = TextHash("x") },
		func(it *LockedItem) { it.Key, _ = ContentKey("s", "x", nil) },
	} {
		locked := mustLock(t, base())
		it := locked.Tools["a"]
		edit(&it)
		locked.Tools["a"] = it
		if d := locked.Verify(base()); len(d) != 1 || d[0].Change != Mismatched {
			t.Errorf("an edited lock gives %v", d)
		}
	}
}

func TestLockSnapshotRefuses(t *testing.T) {
	s := &schema.Snapshot{Server: "srv", Tools: []schema.Item{
		{Kind: schema.KindTool, Name: "a", Raw: json.RawMessage(`{"name":"a","x":1,"x":2}`)},
		{Kind: schema.KindTool, Name: "b", Raw: json.RawMessage(`{"name":"c"}`)},
		{Kind: schema.KindTool, Name: "d", Raw: json.RawMessage(`{"name":"d"}`)},
		{Kind: schema.KindTool, Name: "d", Raw: json.RawMessage(`{"name":"d"}`)},
	}}
	_, err := LockSnapshot(s)
	for _, want := range []string{`srv: tool "a": at "/x": duplicate`, `srv: tool "b": at "/name": is "c"`, `srv: second tool named "d"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

func FuzzParseLock(f *testing.F) {
	small := NewLock()
	small.Servers["s"] = &LockedServer{Launch: Launch{Hash: TextHash("x")}, Tools: map[string]LockedItem{"t": fakeItem("t", true)}}
	f.Add(small.Encode())
	f.Add(sampleLock(f).Encode())
	f.Add([]byte(`{"mcpgen":3,"servers":{"s":{"tools":{}}}}`))
	f.Add([]byte(`{"mcpgen":1,"servers":{"s":{"package":"x","tools":{"t":{"was":{"a":"A"},"names":{"":"B"}}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ParseLock(data)
		if err != nil {
			return
		}
		file := l.Encode()
		back, err := ParseLock(file)
		if err != nil {
			t.Fatalf("%q became %q: %v", data, file, err)
		}
		if !bytes.Equal(file, back.Encode()) {
			t.Fatalf("%q is not stable", file)
		}
	})
}

// The digest of a snapshot in a registry comes back from a lock as it went in, and another text is refused.
func TestStoreInLock(t *testing.T) {
	locked, err := LockSnapshot(&schema.Snapshot{Server: "s"})
	if err != nil {
		t.Fatal(err)
	}
	locked.Store = "sha256:" + strings.Repeat("a", 64)
	l := NewLock()
	l.Servers["s"] = locked
	file := l.Encode()
	back, err := ParseLock(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Servers["s"].Store; got != locked.Store {
		t.Errorf("got %q, want %q", got, locked.Store)
	}
	broken := strings.Replace(string(file), locked.Store, "latest", 1)
	if _, err := ParseLock([]byte(broken)); err == nil || !strings.Contains(err.Error(), "/servers/s/store") {
		t.Errorf("got error %v, want one about the store", err)
	}
}
