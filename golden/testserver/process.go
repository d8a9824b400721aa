// Servers whose processes are hard to end.

package testserver

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"
)

func processModes() map[string]func(*server) {
	return map[string]func(*server){
		"ignore-eof":         ignoreEOF,
		"ignore-sigterm":     ignoreSigterm,
		"grandchild":         sleeper(false),
		"daemon":             sleeper(true),
		"double-fork":        doubleFork(false),
		"double-fork-crash":  doubleFork(true),
		"noise-stderr-flood": stderrFlood,
	}
}

// programs are the modes that are not servers, or not at once.
func programs() map[string]func(config) int {
	return map[string]func(config) int{"sleep": sleep, "wrapper": wrapper, "fork-away": forkAway}
}

// ignoreEOF goes on when its input has ended, as some real servers do.
func ignoreEOF(s *server) {
	s.atEOF = func() { time.Sleep(lifetime) }
}

// ignoreSigterm ends for nothing but SIGKILL, and notes what else it gets.
func ignoreSigterm(s *server) {
	s.start = func() {
		signals := make(chan os.Signal, 8)
		signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
		go func() {
			for sig := range signals {
				s.trace.event("signal", map[string]any{"signal": sig.String()})
			}
		}()
	}
	ignoreEOF(s)
}

// sleeper starts a process that keeps the output streams open and ignores
// SIGTERM; apart puts it into a session of its own.
func sleeper(apart bool) func(*server) {
	return func(s *server) {
		s.start = func() {
			cmd := self(s.cfg, "sleep", "-delay", cmp.Or(s.cfg.delay, time.Minute).String())
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if apart {
				cmd.SysProcAttr = apartAttr()
			}
			if cmd.Start() == nil {
				s.trace.event("child", map[string]any{"child": cmd.Process.Pid})
			}
		}
	}
}

// doubleFork starts a process in a session of its own through another one that
// has ended by the time the server answers: nothing leads from the server to it.
// With crash, each call ends the server.
func doubleFork(crash bool) func(*server) {
	return func(s *server) {
		s.start = func() {
			out, err := self(s.cfg, "fork-away", "-delay", cmp.Or(s.cfg.delay, time.Minute).String()).Output()
			if pid, parseErr := strconv.Atoi(string(out)); err == nil && parseErr == nil {
				s.trace.event("child", map[string]any{"child": pid})
			}
		}
		if crash {
			s.on["tools/call"] = func(*client, message) { die(7, "evil: crashed in a call") }
		}
	}
}

// forkAway starts a process, says its id and ends.
func forkAway(cfg config) int {
	cmd := self(cfg, "sleep", "-delay", cfg.delay.String())
	cmd.SysProcAttr = apartAttr()
	if cmd.Start() != nil {
		return 1
	}
	fmt.Print(cmd.Process.Pid)
	return 0
}

func sleep(cfg config) int {
	signal.Ignore(syscall.SIGTERM, os.Interrupt)
	time.Sleep(cmp.Or(cfg.delay, time.Minute))
	return 0
}

// wrapper runs the server as its child, as npx does. The server does not end
// with its input, and nobody tells it that the wrapper has ended.
func wrapper(cfg config) int {
	cmd := self(cfg, append([]string{"ignore-eof"}, cfg.args[1:]...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// self is this program again, with other arguments. It keeps the name and the
// first arguments, by which a test binary may know what it is to be.
func self(cfg config, args ...string) *exec.Cmd {
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	before := os.Args[:max(1, len(os.Args)-len(cfg.args))]
	return &exec.Cmd{Path: path, Args: slices.Concat(before, args)}
}

// stderrFlood fills standard error before it reads, and at each call.
func stderrFlood(s *server) {
	line := append(slices.Repeat([]byte("evil noise "), 1024/11), '\n')
	flood := func(size int64) {
		for n := int64(0); n < size; n += int64(len(line)) {
			_, _ = os.Stderr.Write(line) // nobody reading it is the client's fault, and it blocks
		}
	}
	s.start = func() { flood(cmp.Or(s.cfg.size, 16<<20)) }
	s.on["tools/call"] = func(c *client, m message) {
		flood(1 << 20)
		s.standard(c, m)
	}
}
