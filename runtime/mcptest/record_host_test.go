package mcptest_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
)

const plantedSecret = "planted value/of+a secret"

// encodingsOf are what a server, or a model, may make of a secret.
func encodingsOf(secret string) []string {
	quoted, _ := json.Marshal(secret)
	return []string{
		secret, url.QueryEscape(secret), hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)), base64.RawStdEncoding.EncodeToString([]byte(secret)),
		base64.StdEncoding.EncodeToString([]byte("me:" + secret)), string(quoted[1 : len(quoted)-1]),
	}
}

// A secret that a host gave its server is not in a recording, in no encoding,
// whether the recorder stands before the host or in its middleware.
func TestRecordKeepsTheSecretsOfTheHost(t *testing.T) {
	for _, inside := range []bool{false, true} {
		ft, file := new(fakeT), filepath.Join(t.TempDir(), "run.jsonl")
		record := mcptest.Record(ft, file, nil)
		opts := &attach.Options{Secrets: func(context.Context, endpoint.Server, string) (string, error) { return plantedSecret, nil }}
		if inside {
			opts.Middleware = []runtime.Middleware{record}
		}
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		s := endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: exe, Args: []string{"echo"}, Env: []endpoint.Var{{Name: asServer, Value: "1"}, {Name: "GIVEN", Value: "{{secret:x}}"}}}}
		s.Expand = func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
			if text == "{{secret:x}}" {
				text, _ = lookup(endpoint.Reference{Kind: endpoint.ReferenceSecret, Name: "x"})
			}
			return text, nil
		}
		h, err := attach.Connect(t.Context(), []endpoint.Server{s}, opts)
		if err != nil {
			t.Fatal(err)
		}
		var inv runtime.Invoker = h
		if !inside {
			inv = runtime.Chain(h, record)
		}
		for _, text := range encodingsOf(plantedSecret) {
			args, _ := json.Marshal(map[string]string{"text": "it is [" + text + "]"})
			if _, err := callTool(t, inv, "s", "echo", string(args)); err != nil {
				t.Error(err)
			}
		}
		_ = h.Close()
		ft.end()
		ft.wants(t)
		holdsNone(t, file, len(encodingsOf(plantedSecret)))
	}
}

// The same of the secrets in the options.
func TestRecordKnowsEncodings(t *testing.T) {
	file := recordRun(t, echoes{}, &mcptest.RecordOptions{Secrets: []string{plantedSecret}}, func(inv runtime.Invoker) {
		for _, text := range encodingsOf(plantedSecret) {
			args, _ := json.Marshal(map[string]string{"text": "it is [" + text + "]"})
			_, _ = callTool(t, inv, "s", "echo", string(args))
		}
	})
	holdsNone(t, file, len(encodingsOf(plantedSecret)))
}

func holdsNone(t *testing.T, file string, calls int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "it is ["); n < calls {
		t.Errorf("%d calls were recorded", n)
	}
	for _, text := range encodingsOf(plantedSecret) {
		text, _ := json.Marshal(text)
		if strings.Contains(string(data), strings.Trim(string(text), `"`)) {
			t.Errorf("%s is in the recording", text)
		}
	}
	if part := base64.StdEncoding.EncodeToString([]byte("xxx" + plantedSecret))[4:20]; strings.Contains(string(data), part) {
		t.Errorf("%s is in the recording", part)
	}
}

// asServer makes the test binary a server.
const asServer = "MCPTEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(testserver.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}
