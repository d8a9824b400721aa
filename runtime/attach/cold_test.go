//go:build unix

package attach

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// npxServer describes a server behind a program called npx, which runs a script
// with the test server in $SERVER, and $WORK as its folder.
func npxServer(t *testing.T, script string) (s endpoint.Server, work string) {
	t.Helper()
	work = t.TempDir()
	syscall.ForkLock.RLock() // a child of another test that inherits the open file makes it "text file busy"
	err := os.WriteFile(filepath.Join(work, "npx"), []byte("#!/bin/sh\n"+script), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	s = processServer(t, "-y", "@scope/x@1.0.0")
	processOf(s).Env = append(processOf(s).Env, endpoint.Var{Name: "SERVER", Value: processOf(s).Command}, endpoint.Var{Name: "WORK", Value: work},
		endpoint.Var{Name: "HOME", Value: work}, endpoint.Var{Name: "PATH", Value: work + ":/usr/bin:/bin"})
	processOf(s).Command = "npx"
	return s, work
}

func createFile(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A server that is still being installed does not hold Connect up. The same
// process goes on, and a call waits for it.
func TestInstallGoesOn(t *testing.T) {
	t.Parallel()
	s, work := npxServer(t, `echo started >>"$WORK/starts"
until [ -e "$WORK/go" ]; do sleep 0.01; done
exec "$SERVER" echo`)
	s.Timeout.Start = 100 * time.Millisecond
	var states []State
	ctx, cancel := context.WithCancel(t.Context())
	h, err := Connect(ctx, []endpoint.Server{s, withName(httpServer(t, "echo"), "z")}, &Options{Parallel: 1, OnEvent: onState(func(server string, state State) {
		if server == "s" {
			states = append(states, state)
		}
	})})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	cancel() // it bounded the attaching alone
	st := h.Status()[0]
	if st.State != Connecting || !errors.Is(st.Err, runtime.ErrUnavailable) || !strings.Contains(st.Err.Error(), "npx @scope/x@1.0.0 may still be installing the server") {
		t.Fatalf("state %s, error %v", st.State, st.Err)
	}
	if err := h.Err(); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("Err: %v", err)
	}
	if err := callOf(t.Context(), h, "z"); err != nil {
		t.Error("the other server:", err)
	}
	called := make(chan error, 1)
	go func() { called <- callOf(t.Context(), h, "s") }()
	createFile(t, work+"/go")
	if err := <-called; err != nil {
		t.Error("the call that waited:", err)
	}
	if err := h.Err(); err != nil {
		t.Error(err)
	}
	_ = h.Close()
	if want := []State{Connecting, Connecting, Ready, Closed}; !equalStates(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
	if data, err := os.ReadFile(work + "/starts"); err != nil || string(data) != "started\n" {
		t.Errorf("starts: %q, %v", data, err)
	}
}

func equalStates(got, want []State) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	return true
}

// Without an installation in the background, a package runner is a program like
// any other.
func TestInstallInTheForeground(t *testing.T) {
	t.Parallel()
	s, _ := npxServer(t, `sleep 60`)
	s.Timeout.Start = 100 * time.Millisecond
	h := connectAll(t, &Options{Install: -1}, s)
	if st := h.Status()[0]; st.State != Failed || !errors.Is(st.Err, runtime.ErrTimeout) {
		t.Errorf("state %s, error %v", st.State, st.Err)
	}
}

// What is being installed gets the time to put its half away, however it is ended.
func TestInstallIsEndedGently(t *testing.T) {
	// Half a second is more than a server gets whose handshake is given up.
	const script = `trap 'sleep 0.5; echo done >"$WORK/away"; exit 1' TERM
touch "$WORK/ready"
while :; do sleep 0.05; done`
	for name, end := range map[string]func(h *Host){
		"Close":  func(h *Host) { _ = h.Close() },
		"Detach": func(h *Host) { _ = h.Detach("s") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, work := npxServer(t, script)
			s.Timeout.Start = 50 * time.Millisecond
			h := connectAll(t, nil, s)
			eventually(t, "the script runs", func() bool { return fileExists(work + "/ready") })
			end(h)
			if !fileExists(work + "/away") {
				t.Error("the installation was killed, want an end by SIGTERM that is waited for")
			}
		})
	}
	t.Run("context", func(t *testing.T) {
		t.Parallel()
		s, work := npxServer(t, script)
		ctx, cancel := context.WithCancel(t.Context())
		type connecting struct {
			h   *Host
			err error
		}
		result := make(chan connecting, 1)
		go func() {
			h, err := Connect(ctx, []endpoint.Server{s}, nil)
			result <- connecting{h, err}
		}()
		eventually(t, "the script runs", func() bool { return fileExists(work + "/ready") })
		cancel()
		got := <-result
		if got.err != nil {
			t.Fatal(got.err)
		}
		defer got.h.Close()
		if st := got.h.Status()[0]; st.State != Failed || !errors.Is(st.Err, context.Canceled) {
			t.Errorf("got state %s, error %v, want failed by the end of the context", st.State, st.Err)
		}
		if !fileExists(work + "/away") {
			t.Error("the installation was killed, want an end by SIGTERM that is waited for")
		}
	})
}

// A probe that is not answered ends no installation.
func TestProbeEndsNoInstall(t *testing.T) {
	t.Parallel()
	s, work := npxServer(t, `echo started >>"$WORK/starts"
sleep 1
exec "$SERVER" discover-silent`)
	s.Timeout.Start = 1200 * time.Millisecond // two thirds of it are over before the server runs
	h := connectAll(t, nil, s)
	if err := callOf(t.Context(), h, "s"); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(work + "/starts"); err != nil || string(data) != "started\n" {
		t.Errorf("starts: %q, %v", data, err)
	}
}

// Two servers of one package that is not installed yet start one after the other:
// npx would spoil the folder that both fill.
func TestOneInstallPerFolder(t *testing.T) {
	t.Parallel()
	s, work := npxServer(t, `if [ ! -e "$WORK/.npm/_npx/done" ]; then
	mkdir "$WORK/filling" || exit 9
	sleep 0.3
	for d in "$WORK"/.npm/_npx/*/; do echo '{}' >"$d/package.json"; done
	touch "$WORK/.npm/_npx/done"
	rmdir "$WORK/filling"
fi
exec "$SERVER" echo`)
	// The name that npm gives to the folder of this package.
	if err := os.MkdirAll(work+"/.npm/_npx/47b6f02ea0025fe8", 0o755); err != nil {
		t.Fatal(err)
	}
	h := connectAll(t, nil, withName(s, "a"), withName(s, "b"), withName(s, "c"))
	if err := h.Err(); err != nil {
		t.Error(err)
	}
}

// What cannot start fails before anything is started, and all of it; secrets are
// not asked for to find that out.
func TestPrecheck(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(t.TempDir(), "trace")
	good := processServer(t, "echo", "-trace", trace)
	processOf(good).Env = append(processOf(good).Env, endpoint.Var{Name: "KEY", Value: "$SECRET"})
	good.Expand = func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		if text == "$SECRET" {
			text, _ = lookup(endpoint.Reference{Kind: endpoint.ReferenceSecret, Name: "key"})
		}
		if text == "$UNSET" {
			return "", errors.New("the environment variable UNSET is not set")
		}
		return text, nil
	}
	command, variable, folder := withName(good, "b-command"), withName(good, "c-variable"), withName(good, "d-folder")
	good.Name = "a-good"
	processOf(command).Command = "no-such-program-anywhere"
	processOf(variable).Args = []string{"$UNSET"}
	processOf(folder).Dir = "/no/such/folder"
	asked := 0
	var order []string
	h := connectAll(t, &Options{
		Secrets: func(context.Context, endpoint.Server, string) (string, error) {
			asked++
			return "secret-value", nil
		},
		OnEvent: onState(func(server string, state State) {
			order = append(order, server+" "+string(state))
			if _, err := os.Stat(trace); err == nil && state == Failed {
				t.Errorf("%s failed after a server was started", server)
			}
		}),
	}, good, command, variable, folder)
	for i, want := range []string{"", "no-such-program-anywhere", "UNSET is not set", "working directory does not exist"} {
		st := h.Status()[i]
		if (st.Err == nil) != (want == "") || st.Err != nil && !strings.Contains(st.Err.Error(), want) {
			t.Errorf("%s: %v, want %q", st.Server, st.Err, want)
		}
	}
	if asked != 1 {
		t.Errorf("%d secrets were asked for, want that of the server that starts", asked)
	}
	if got := strings.Join(order[:6], ", "); got != "b-command connecting, b-command failed, c-variable connecting, c-variable failed, d-folder connecting, d-folder failed" {
		t.Errorf("order: %s", got)
	}
}

// A failed handshake says what the process showed, and what to do.
func TestFailedHandshakeSaysWhatWasSeen(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		want   []string
	}{
		"lines": {`echo "listening on port 3000"; echo more; exit 3`, []string{"exit status 3", `on standard output the server wrote 2 lines that are not messages; the first is "listening on port 3000"`}},
		"trace": {`printf 'Traceback (most recent call last):\n  File "s.py", line 1\nModuleNotFoundError: No module named mcp\n' >&2; exit 1`,
			[]string{"exit status 1", `stderr: Traceback (most recent call last): | ModuleNotFoundError: No module named mcp`}},
		"cache": {`echo "npm error code ENOTEMPTY
npm error path $HOME/.npm/_npx/c8ccc168155bafa0/node_modules/ajv" >&2; exit 217`,
			[]string{"exit status 217", "ENOTEMPTY", "the package cache of npx is broken: run rm -rf HOME/.npm/_npx/c8ccc168155bafa0, then try again"}},
		"another cache": {`echo "npm error code ENOTEMPTY
npm error path /etc/_npx/0000000000000000/x" >&2; exit 217`, []string{"check the server's command, args and env"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, work := npxServer(t, tt.script)
			if err := os.MkdirAll(work+"/.npm/_npx/c8ccc168155bafa0", 0o755); err != nil {
				t.Fatal(err)
			}
			for i, want := range tt.want {
				tt.want[i] = strings.ReplaceAll(want, "HOME", work)
			}
			checkError(t, connectAll(t, &Options{Install: -1}, s).Err(), tt.want...)
		})
	}
	t.Run("lines and silence", func(t *testing.T) {
		t.Parallel()
		s, _ := npxServer(t, `echo "listening on port 3000"; exec sleep 60`)
		const seen = "the server wrote a line to standard output that is not a message"
		var err error
		// On a busy machine the time to start is over before the script has begun.
		for s.Timeout.Start = 300 * time.Millisecond; s.Timeout.Start < time.Minute; s.Timeout.Start *= 2 {
			if err = connectAll(t, &Options{Install: -1}, s).Err(); strings.Contains(err.Error(), seen) {
				break
			}
		}
		checkError(t, err, "not ready within", seen)
	})
}
