//go:build peers

package peers

// Clients that others wrote see the same of a server through a gateway as directly.
//
// A client takes steps, which are the lines of a file in testdata/steps: a request, and
// what of the server's requests and notifications it wants to see before the next step. It
// prints a line for each step, with the result or the error and what it saw. At a step to
// meet it prints that it is there, and goes on when it reads a line: so several clients are
// in the middle of the same call at once, each of which answers with its own name.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// run is what one client sees of one server.
type run struct{ client, transport, revision, server string }

func (r run) String() string {
	return strings.Join([]string{r.client, r.transport, r.revision, r.server}, " ")
}

// seen is what a client prints, by step.
type seen map[string]any

// peerClient is a client that takes steps.
type peerClient struct {
	name       string
	revisions  []string
	transports []string // nil: both
	// isCommandLine: it takes one step each time, and meets nobody.
	isCommandLine bool
	// take takes the steps of a file as a person with a folder home, and calls meet where
	// it meets others.
	take func(p person, r run, steps string, target []string, meet func()) (seen, error)
}

// person is who uses a client.
type person struct{ name, home string }

var legacyRevisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", session2025}

// programs are the clients that are libraries, in a program of ours. The first three of
// 2025-11-25 have tasks.
func programs() []peerClient {
	goClients := filepath.Join(installed, "go", "clients")
	all := slices.Concat(legacyRevisions, []string{request2026})
	return []peerClient{
		{"typescript", all, nil, false, program("node", filepath.Join("testdata", "client.cjs"), installed, "client")},
		{"mcp-go", all, nil, false, program(goClients, "mcp-go")},
		{"typescript-1", []string{session2025}, nil, false, program("node", filepath.Join("testdata", "client.cjs"), installed, "sdk")},
		{"go-sdk", all, nil, false, program(goClients, "go-sdk")},
	}
}

// bridge is mcp-remote: the TypeScript SDK's client speaks to it over stdio.
func bridge() peerClient {
	take := program("node", filepath.Join("testdata", "client.cjs"), installed, "client")
	return peerClient{"mcp-remote", legacyRevisions, []string{"http"}, false, func(p person, r run, steps string, target []string, meet func()) (seen, error) {
		return take(p, r, steps, []string{"env", "HOME=" + p.home, "node", bin("mcp-remote"), target[0], "--transport", "http-only"}, meet)
	}}
}

// program takes steps with a program.
func program(line ...string) func(person, run, string, []string, func()) (seen, error) {
	return func(p person, r run, steps string, target []string, meet func()) (seen, error) {
		cmd := exec.Command(line[0], slices.Concat(line[1:], []string{r.revision, p.name, p.home, steps}, target)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		late := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
		defer late.Stop()
		got := seen{}
		lines := json.NewDecoder(out)
		for lines.More() {
			var line map[string]any
			if err := lines.Decode(&line); err != nil {
				_ = cmd.Process.Kill()
				return nil, fmt.Errorf("%w\n%s", err, stderr.String())
			}
			if line["meet"] != nil {
				meet()
				_, _ = in.Write([]byte("\n"))
				continue
			}
			step := line["step"].(string)
			delete(line, "step")
			got[step] = line
		}
		if err := cmd.Wait(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, stderr.String())
		}
		return got, nil
	}
}

// peerServer is a server that clients see directly and through a gateway.
type peerServer struct {
	name, steps string
	revisions   []string
	command     []string
	listen      func(t *testing.T) string // returns an address; nil: it has none
}

func peerServers(files string) []peerServer {
	conformance := filepath.Join(installed, "go", "sdk-conformance")
	listening := func(command, path string, args ...string) func(t *testing.T) string {
		return func(t *testing.T) string {
			return "http://" + listen(t, endpoint.Server{Launch: &endpoint.Process{Command: command, Args: args}}, "-http") + path
		}
	}
	tasks := func(steps, revision, mode string) peerServer {
		command := []string{testserver, mode, "-lifetime", "20m"}
		return peerServer{"tasks", steps, []string{revision}, command, listening(command[0], "/mcp", command[1:]...)}
	}
	script := func(name string, args ...string) []string {
		return append([]string{"node", filepath.Join(installed, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")}, args...)
	}
	return []peerServer{
		{"everything", "everything.jsonl", legacyRevisions, script("server-everything", "stdio"), func(t *testing.T) string {
			return startPeer(t, "server-everything", "streamableHttp").url("/mcp")
		}},
		{"conformance", "conformance.jsonl", []string{session2025}, []string{conformance}, listening(conformance, "", "-stateless=false")},
		{"conformance", "rounds.jsonl", []string{request2026}, []string{conformance}, listening(conformance, "")},
		{"files", "files.jsonl", []string{session2025}, script("server-filesystem", files), nil},
		tasks("tasks-2025.jsonl", session2025, "tasks-2025"),
		tasks("tasks-2026.jsonl", request2026, "tasks"),
	}
}

// comparison collects what clients see of a server, directly or through a gateway.
type comparison struct {
	t     *testing.T
	mu    sync.Mutex
	slots chan bool // how many groups take steps at once
	by    map[run]seen

	people *atomic.Int32
}

func newComparison(t *testing.T, people *atomic.Int32) *comparison {
	return &comparison{t: t, slots: make(chan bool, 3), by: map[run]seen{}, people: people}
}

// take takes the steps of a server with several clients at once, each with its target.
func (c *comparison) take(s peerServer, revision, transport string, clients []peerClient, target []string) {
	c.slots <- true
	defer func() { <-c.slots }()
	meet, leave := meeting(len(clients))
	var all sync.WaitGroup
	for i, client := range clients {
		name := fmt.Sprintf("%s%04d", []string{"Ann", "Bob", "Carl"}[i], c.people.Add(1)) // occurs nowhere else
		p := person{name, c.home(name)}
		all.Go(func() {
			defer leave()
			r := run{client.name, transport, revision, s.name}
			got, err := client.take(p, r, filepath.Join("testdata", "steps", s.steps), target, meet)
			if err != nil {
				c.t.Errorf("%s: %v", r, err)
				return
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.by[r] = p.normal(got)
		})
	}
	all.Wait()
}

// home makes the folder of a person.
func (c *comparison) home(name string) string {
	home, err := filepath.EvalSymlinks(c.t.TempDir())
	if err == nil {
		err = os.Mkdir(filepath.Join(home, "deep"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "note.txt"), []byte("note of "+name), 0o600)
	}
	if err != nil {
		c.t.Error(err)
	}
	return home
}

// meeting returns a function that waits until all who have not left have called it.
func meeting(n int) (meet, leave func()) {
	var mu sync.Mutex
	waiting := make(chan bool)
	here := 0
	gather := func() { // mu is held
		if here == n {
			here = 0
			close(waiting)
			waiting = make(chan bool)
		}
	}
	meet = func() {
		mu.Lock()
		here++
		all := waiting
		gather()
		mu.Unlock()
		<-all
	}
	return meet, func() {
		mu.Lock()
		defer mu.Unlock()
		n--
		gather()
	}
}

var (
	uuid    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	token   = regexp.MustCompile(`mcpgen-[0-9A-Z]{26}-\d+`) // of the gateway, for progress
	instant = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
)

// normal is what a client saw without what differs from run to run.
func (p person) normal(s seen) seen {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // it was decoded
	}
	text := strings.NewReplacer(p.home, "<home>", p.name, "<name>").Replace(string(data))
	text = token.ReplaceAllString(instant.ReplaceAllString(uuid.ReplaceAllString(text, "<id>"), "<time>"), "<token>")
	var out seen
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		panic(err) // only text has changed
	}
	return out
}

// asking is a client that answers all requests of servers.
const asking = "client: {elicitation: true, sampling: true, roots: true}\n"

// gatewayTo locks a server in a project, and returns the command line of its gateway. Client is
// what the configuration says of the client.
func gatewayTo(t *testing.T, launch, client string) []string {
	t.Helper()
	m := emptyModule(t)
	m.write("mcpgen.yaml", "version: 1\nnaming: bare\n"+client+"output: internal/mcp\nservers:\n  peer: "+launch+"\n")
	m.do(mcpgen, "generate")
	return []string{mcpgen, "--config", filepath.Join(m.dir, "mcpgen.yaml"), "serve"}
}

// TestClients compares what clients see directly and through a gateway. Over HTTP, three
// clients use the gateway at once.
func TestClients(t *testing.T) {
	files := t.TempDir()
	var people atomic.Int32
	direct, through := newComparison(t, &people), newComparison(t, &people)
	var all sync.WaitGroup
	for _, s := range peerServers(files) {
		launch := "{command: " + quote(s.command[0]) + ", args: " + list(s.command[1:]) + "}"
		byCommand := gatewayTo(t, launch, asking)
		address, line := "", byCommand
		if s.listen != nil {
			address = s.listen(t)
			line = gatewayTo(t, "{url: "+quote(address)+"}", asking)
		}
		url := served(t, line)
		for _, revision := range s.revisions {
			var clients []peerClient
			for _, client := range slices.Concat(programs(), []peerClient{bridge()}, commandLines()) {
				if !slices.Contains(client.revisions, revision) || address == "" && client.transports != nil {
					continue
				}
				clients = append(clients, client)
				if address != "" {
					all.Go(func() { direct.take(s, revision, "http", []peerClient{client}, []string{address}) })
				}
				if client.transports == nil {
					all.Go(func() { direct.take(s, revision, "stdio", []peerClient{client}, s.command) })
					all.Go(func() { through.take(s, revision, "stdio", []peerClient{client}, byCommand) })
				}
			}
			for _, group := range groups(clients) {
				all.Go(func() { through.take(s, revision, "http", group, []string{url}) })
			}
		}
	}
	all.Wait()
	judge(t, direct.by, through.by)
}

// groups are the clients that use the gateway at once: three programs, which meet, or one
// command line.
func groups(clients []peerClient) [][]peerClient {
	var all [][]peerClient
	var programs []peerClient
	for _, c := range clients {
		if c.isCommandLine {
			all = append(all, []peerClient{c})
		} else {
			programs = append(programs, c)
		}
	}
	return slices.AppendSeq(all, slices.Chunk(programs, 3))
}

// list is a list in YAML.
func list(of []string) string {
	data, _ := json.Marshal(of) // strings always marshal
	return string(data)
}
