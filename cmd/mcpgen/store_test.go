package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpgen/mcpgen/golden/ociregistry"
)

// ociRegistry is about a registry of OCI artifacts: oci start puts its address into $OCI; oci tamper OLD NEW
// replaces text in what it has; oci point REPOSITORY TAG AS moves a tag; oci fail PATH [N] has requests of
// paths with that text fail, but for the first N; oci mend ends that; oci lose TEXT removes what has that
// text, as a crash may; oci has TEXT and oci lacks TEXT say whether the registry has a text.
func ociRegistry(ts *testscript.TestScript, neg bool, args []string) {
	g := ts.Value("oci").(*ociregistry.Registry)
	switch {
	case neg || len(args) == 0:
		ts.Fatalf("usage: oci start|tamper|lose|point|fail|mend")
	case args[0] == "start":
		server := httptest.NewServer(g)
		ts.Defer(server.Close)
		ts.Setenv("OCI", strings.TrimPrefix(server.URL, "http://"))
		ts.Setenv("DOCKER_CONFIG", ts.MkAbs("docker"))
	case args[0] == "tamper" && len(args) == 3:
		g.Tamper(args[1], args[2])
	case args[0] == "lose" && len(args) == 2:
		g.Lose(args[1])
	case args[0] == "point" && len(args) == 4:
		g.Point(args[1], args[2], args[3])
	case args[0] == "fail":
		var left atomic.Int64
		left.Store(int64(len(args) - 2))
		g.Fault = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.Method+" "+r.URL.Path, args[1]) || left.Add(-1) >= 0 {
				return false
			}
			http.Error(w, "the disk is full", http.StatusTeapot)
			return true
		}
	case (args[0] == "has" || args[0] == "lacks") && len(args) == 2:
		if g.Has(args[1]) != (args[0] == "has") {
			ts.Fatalf("the registry: %q", args)
		}
	case args[0] == "mend":
		g.Fault = nil
	default:
		ts.Fatalf("oci: unknown: %q", args)
	}
}
