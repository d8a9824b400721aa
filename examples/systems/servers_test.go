package systems

// The servers of the scripts: what the programs that their configuration files
// name stand for. They are made with the protocol's own SDK, as others' are.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// npx starts the server of a package, as the program of this name would after it
// has fetched it: npx -y PACKAGE ARGUMENTS… The file npx-started in the user's folder
// has the packages that were started.
func npx() {
	args := os.Args[1:]
	if len(args) < 2 || args[0] != "-y" {
		fatal(errors.New("usage: npx -y PACKAGE ARGUMENTS…"))
	}
	if err := noteStart(args[1]); err != nil {
		fatal(err)
	}
	if dir := os.Getenv(installedVar); dir != "" {
		published(filepath.Join(dir, "node_modules", ".bin", "mcp-"+path.Base(args[1])), args[2:])
	}
	switch name := args[1]; name {
	case "@modelcontextprotocol/server-filesystem":
		if len(args) != 3 {
			fatal(errors.New("name one folder"))
		}
		serve(files(args[2]))
	case "@modelcontextprotocol/server-github":
		serve(github(os.Getenv("GITHUB_TOKEN")))
	default:
		fatal(fmt.Errorf("there is no package %s", name))
	}
}

func noteStart(pkg string) error {
	home := os.Getenv("HOME")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(home, "npx-started"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, pkg)
	return errors.Join(err, f.Close())
}

// installedVar names the folder of published packages, which then are started.
const installedVar = "MCPGEN_TEST_PACKAGES"

func published(program string, args []string) {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		fatal(err)
	}
	os.Exit(0)
}

func serve(s *mcp.Server) {
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fatal(err)
	}
	os.Exit(0)
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func server(name, instructions string) *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: name, Version: "1.0.0"}, &mcp.ServerOptions{Instructions: instructions})
}

// add registers a tool that returns a text.
func add[Args any](s *mcp.Server, name, description string, f func(Args) (string, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: description}, func(_ context.Context, _ *mcp.CallToolRequest, args Args) (*mcp.CallToolResult, any, error) {
		text, err := f(args)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// files reads and writes files below one folder.
func files(root string) *mcp.Server {
	dir, err := os.OpenRoot(root)
	if err != nil {
		fatal(err)
	}
	type at struct {
		Path string `json:"path"`
	}
	s := server("filesystem", "Paths are relative to the folder that the server was given.")
	add(s, "list_directory", "Lists the files of a folder.", func(a at) (string, error) {
		entries, err := os.ReadDir(filepath.Join(root, filepath.Clean("/"+a.Path)))
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, "\n"), err
	})
	add(s, "read_file", "Returns the text of a file.", func(a at) (string, error) {
		text, err := dir.ReadFile(a.Path)
		return string(text), err
	})
	add(s, "write_file", "Writes a file. What it held is lost.", func(a struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}) (string, error) {
		return "written", dir.WriteFile(a.Path, []byte(a.Content), 0o644)
	})
	return s
}

// github is a tracker whose tools work with the right token only.
func github(token string) *mcp.Server {
	authorized := func(text string) (string, error) {
		if token != tokenOf("github") {
			return "", errors.New("bad credentials")
		}
		return text, nil
	}
	s := server("github", "")
	add(s, "create_issue", "Opens an issue.", func(a struct {
		Title string `json:"title"`
	}) (string, error) {
		return authorized(fmt.Sprintf("issue 12: %s", a.Title))
	})
	add(s, "list_prs", "Lists open pull requests. Drafts are left out.", func(struct {
		Repo  string `json:"repo,omitempty"`
		State string `json:"state,omitempty"`
	}) (string, error) {
		return authorized("#7 Read the lock before the snapshot\n#8 Say which server is late")
	})
	return s
}

// tokenOf is what a remote or local service wants to see.
func tokenOf(service string) string { return service + "-token-0123456789" }

// search is a remote server.
func search() *mcp.Server {
	s := server("search", "")
	for _, name := range []string{"image.find", "web_search"} {
		add(s, name, "Searches for pictures or pages.", func(a struct {
			Query string `json:"query"`
		}) (string, error) {
			return fmt.Sprintf("1 result for %q", a.Query), nil
		})
	}
	return s
}

// echoes is a server with a tool of the most common name.
func echoes() *mcp.Server {
	s := server("echo", "")
	add(s, "echo", "Returns its text.", func(a struct {
		Text string `json:"text"`
	}) (string, error) {
		return a.Text, nil
	})
	return s
}

// notes is a server that asks the user before it acts.
func notes() *mcp.Server {
	s := server("notes", "Call forget for each note alone.")
	tool := &mcp.Tool{Name: "forget", Description: "Removes a note, if the user agrees."}
	mcp.AddTool(s, tool, func(_ context.Context, req *mcp.CallToolRequest, a struct {
		Note string `json:"note"`
	}) (*mcp.CallToolResult, any, error) {
		answer, ok := req.Params.InputResponses["agree"].(*mcp.ElicitResult)
		if !ok {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"agree": &mcp.ElicitParams{
				Message: "Remove the note " + a.Note + "?", RequestedSchema: map[string]any{"type": "object"},
			}}}, nil, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the user's answer: " + answer.Action}}}, nil, nil
	})
	return s
}

// remote starts the servers that are reached by address, and returns the
// variables that hold the addresses.
func remote(t *testing.T) map[string]string {
	streamable := func(s *mcp.Server) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	}
	events := func(s *mcp.Server) http.Handler {
		return mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil)
	}
	addresses := map[string]string{}
	for name, h := range map[string]http.Handler{
		"SEARCH": streamable(search()),
		"GITHUB": behind("Bearer "+tokenOf("github"), streamable(github(tokenOf("github")))),
		"EVENTS": behind("Bearer "+tokenOf("events"), events(search())),
	} {
		at := httptest.NewServer(h)
		t.Cleanup(func() { at.CloseClientConnections(); at.Close() })
		addresses[name] = at.URL
	}
	return addresses
}

// behind wants a header of each request.
func behind(authorization string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != authorization {
			http.Error(w, "bad credentials", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}
