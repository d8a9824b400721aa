// Package testserver is an MCP server for tests: it replays real servers from
// files, and it misbehaves on demand, one fault per mode. It is written by hand
// against the protocol and shares no code with any SDK or with this module.
//
//	mcptestserver MODE [flags]
//	mcptestserver replay FILE [flags]
//
// It speaks over standard input and output, with -http over streamable HTTP and
// with -sse over the older HTTP transport. The first line it then prints is its
// URL.
package testserver

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lifetime bounds every process unless -lifetime says otherwise, so that a test
// that loses one leaves nothing.
const lifetime = 5 * time.Minute

// config is what the command line says.
type config struct {
	args    []string // as given, without the program
	mode    string
	file    string // replay
	trace   string
	state   string
	http    string
	sse     string
	json    bool
	page    int
	shuffle int64
	drop    string
	delay   time.Duration
	n       int
	size    int64
	canary  string

	lifetime time.Duration
}

// Main runs the server as a program would, and returns its exit status.
func Main(args []string) int {
	cfg, err := parse(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcptestserver:", err)
		return 2
	}
	time.AfterFunc(cfg.lifetime, func() { os.Exit(99) })
	if run := programs()[cfg.mode]; run != nil {
		return run(cfg)
	}
	srv, err := newServer(cfg)
	if err == nil {
		err = srv.serve()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcptestserver:", err)
		return 1
	}
	return 0
}

func (s *server) serve() error {
	switch {
	case s.cfg.http != "":
		return s.listen(s.cfg.http, "/mcp", s.streamable())
	case s.cfg.sse != "":
		return s.listen(s.cfg.sse, "/sse", s.legacy())
	}
	return s.stdio(os.Stdin, os.Stdout)
}

// parse reads the command line. Flags and the file may stand in any order.
func parse(args []string) (config, error) {
	cfg := config{args: args}
	if len(args) == 0 {
		return cfg, errors.New("usage: mcptestserver MODE [flags]; modes: " + strings.Join(Modes(), " "))
	}
	cfg.mode = args[0]
	fs := flag.NewFlagSet(cfg.mode, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&cfg.trace, "trace", "", "append starts and received messages to this file")
	fs.StringVar(&cfg.state, "state", "", "file that counts the starts")
	fs.StringVar(&cfg.http, "http", "", "serve streamable HTTP at this address")
	fs.StringVar(&cfg.sse, "sse", "", "serve the older HTTP transport at this address")
	fs.BoolVar(&cfg.json, "json", false, "streamable HTTP: answer with JSON, not with event streams")
	fs.IntVar(&cfg.page, "page", 0, "items a page; 0 is all")
	fs.Int64Var(&cfg.shuffle, "shuffle", 0, "list in an order drawn with this seed; 0 is the file's")
	fs.StringVar(&cfg.drop, "drop", "", "leave this tool out")
	fs.DurationVar(&cfg.lifetime, "lifetime", lifetime, "end after this time, whatever happens")
	fs.DurationVar(&cfg.delay, "delay", 0, "how long the slow modes take")
	fs.IntVar(&cfg.n, "n", 0, "how many, for the modes that count")
	fs.StringVar(&cfg.canary, "canary", "", "URL that the redirecting modes point to")
	fs.Func("size", "bytes, with an optional unit KiB, MiB or GiB", func(s string) (err error) {
		cfg.size, err = parseSize(s)
		return err
	})
	for rest := args[1:]; ; {
		if err := fs.Parse(rest); err != nil {
			return cfg, err
		}
		if rest = fs.Args(); len(rest) == 0 {
			return cfg, nil
		}
		if cfg.file != "" {
			return cfg, fmt.Errorf("unexpected argument %q", rest[0])
		}
		cfg.file, rest = rest[0], rest[1:]
	}
}

func parseSize(s string) (int64, error) {
	shift := 0
	for unit, n := range map[string]int{"KiB": 10, "MiB": 20, "GiB": 30} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			s, shift = number, n
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n << shift, err
}

// Modes returns the names of all modes, sorted.
func Modes() []string {
	names := slices.Concat(slices.Collect(maps.Keys(modes())), slices.Collect(maps.Keys(programs())))
	slices.Sort(names)
	return names
}

// modes are the servers: each function changes a well-behaved one.
func modes() map[string]func(*server) {
	all := map[string]func(*server){
		"echo": func(*server) {},
		"asks": asks, "asks-alone": asksAlone, "asks-modern": asksModern, "page-first": pageFirst,
		"for-clients": forClients, "for-clients-modern": forClientsModern,
		"idle-flood": idleFlood, "elicit-flood": elicitFlood, "call-flood": callFlood,
		"forge": forge, "behind": behind,
		"mutable": mutable, "mutable-modern": mutableModern, "no-return": noReturn, "task-anyway": taskAnyway,
		"updates": updates, "updates-modern": updatesModern,
		"modern": modern, "modern-mrtr": modernRounds,
		"replay": replay, "replay-text": replayText,
		"skills": skills, "app": app,
		"tasks": tasks, "tasks-2025": oldTasks, "tasks-suite": tasksSuite, "tasks-2025-suite": oldTasksSuite,
	}
	for _, group := range []map[string]func(*server){
		startModes(), processModes(), noiseModes(), surfaceModes(), pagingModes(),
		callModes(), resultModes(), trafficModes(), webModes(), brokenModes(),
	} {
		maps.Copy(all, group)
	}
	return all
}
