package cases_test

// Tools that run as tasks, called by generated code: over live sessions, from several
// processes, and with the fake.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/cases/tasks"
	"github.com/mcpgen/mcpgen/golden/cases/tasks/taskstest"
	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What this test binary is beside a test: see TestMain.
const (
	asServer = "MCPGEN_CASES_TEST_SERVER" // the test server, with the arguments
	asClient = "MCPGEN_CASES_TEST_CLIENT" // a program that starts a task at this URL and ends
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asServer) != "":
		os.Exit(testserver.Main(os.Args[1:]))
	case os.Getenv(asClient) != "":
		startAndEnd(os.Getenv(asClient))
	}
	os.Exit(m.Run())
}

// startAndEnd starts a task, prints its ID and ends without closing anything, as a program
// does that crashes.
func startAndEnd(url string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	h, err := attach.Connect(ctx, []endpoint.Server{{Name: "tasks", Launch: &endpoint.Address{URL: url}}}, nil)
	if err == nil {
		var task *codec.Task[*tasks.ResearchResult]
		task, err = tasks.New(h).StartResearch(ctx, tasks.ResearchArgs{Topic: "bees", Polls: new(2), Ask: new(true), Pause: new(10)})
		if err == nil {
			fmt.Println(task.ID)
			os.Exit(0)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// runAs is this test binary as another program, which is killed with the test.
func runAs(t *testing.T, variable, value string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), variable+"="+value)
	cmd.Stderr = os.Stderr
	return cmd
}

// startServer runs the test server as a process, and returns its URL.
func startServer(t *testing.T, args ...string) string {
	t.Helper()
	cmd := runAs(t, asServer, "1", append(args, "-http", "127.0.0.1:0")...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

// attachAnswering attaches to a server with somebody who answers.
func attachAnswering(t *testing.T, server endpoint.Server) *attach.Host {
	t.Helper()
	ada := func(context.Context, string, input.ElicitRequest) (input.ElicitResult, error) {
		return input.ElicitResult{Action: input.ElicitAccept, Content: map[string]any{"name": "Ada"}}, nil
	}
	h, err := attach.Connect(t.Context(), []endpoint.Server{server}, &attach.Options{Input: input.Handlers{Elicit: ada}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	return h
}

// A task that a process has started is taken up by its ID when that process is gone, and
// finished: three processes, with the server's.
func TestTaskOutlivesItsProgram(t *testing.T) {
	for _, mode := range []string{"tasks", "tasks-2025"} {
		t.Run(mode, func(t *testing.T) {
			url := startServer(t, mode)
			id, err := runAs(t, asClient, url).Output()
			if err != nil {
				t.Fatal(err)
			}
			ctx := runtime.NewContext(t.Context(), attachAnswering(t, endpoint.Server{Name: "tasks", Launch: &endpoint.Address{URL: url}}))
			task := tasks.ResumeResearch(strings.TrimSpace(string(id)))
			status, message, err := task.Status(ctx)
			if err != nil || status != "input_required" || message != "looking up bees" {
				t.Errorf("status %q, %q, %v", status, message, err)
			}
			got, err := task.Wait(ctx)
			if err != nil || got.Report != "all about bees" || got.For == nil || *got.For != "Ada" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// A call and a task come to the same.
func TestTasksOfAServer(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := attachAnswering(t, endpoint.Server{Name: "tasks", Launch: &endpoint.Process{Command: exe, Args: []string{"tasks"}, Env: []endpoint.Var{{Name: asServer, Value: "1"}}}})
	c := tasks.New(h)
	got, err := c.Research(t.Context(), tasks.ResearchArgs{Topic: "ants", Polls: new(1)})
	if err != nil || got.Report != "all about ants" {
		t.Errorf("%+v, %v", got, err)
	}
	task, err := c.StartResearch(t.Context(), tasks.ResearchArgs{Topic: "ants", End: tasks.EndRefusal})
	if err != nil {
		t.Fatal(err)
	}
	var te *runtime.ToolError
	if got, err := task.Wait(t.Context()); !errors.As(err, &te) || got != nil {
		t.Errorf("a refusal: %+v, %v", got, err)
	}
	// A tool that answers at once is a task that is over.
	echo, err := c.StartEcho(t.Context(), tasks.EchoArgs{Text: "x"})
	if err != nil || echo.ID != "" {
		t.Fatalf("%+v, %v", echo, err)
	}
	if got, err := echo.Wait(t.Context()); err != nil || got.Text != "x" {
		t.Errorf("%+v, %v", got, err)
	}
	maybe, err := c.StartMaybe(t.Context(), tasks.MaybeArgs{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := maybe.Wait(t.Context()); err != nil || string(got.Structured) != "{}" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTasksOfAFake(t *testing.T) {
	fake := taskstest.New(t)
	fake.OnResearch(func(_ context.Context, args tasks.ResearchArgs) (*tasks.ResearchResult, error) {
		return &tasks.ResearchResult{Report: "of " + args.Topic}, nil
	})
	ctx := runtime.NewContext(t.Context(), fake)
	task, err := tasks.StartResearch(ctx, tasks.ResearchArgs{Topic: "bees"})
	if err != nil || task.ID == "" {
		t.Fatalf("%+v, %v", task, err)
	}
	if got, err := tasks.ResumeResearch(task.ID).Wait(ctx); err != nil || got.Report != "of bees" {
		t.Errorf("%+v, %v", got, err)
	}
	if status, _, err := task.Status(ctx); err != nil || status != "completed" {
		t.Errorf("status %q, %v", status, err)
	}
	if err := task.Cancel(ctx); err != nil {
		t.Error(err)
	}
	if _, err := task.Wait(ctx); !errors.Is(err, runtime.ErrRPC) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := tasks.ResumeMaybe(task.ID).Wait(ctx); !errors.Is(err, runtime.ErrRPC) {
		t.Errorf("the task of another tool: %v", err)
	}
	if _, err := json.Marshal(task); err != nil { // its ID can be kept
		t.Error(err)
	}
}
