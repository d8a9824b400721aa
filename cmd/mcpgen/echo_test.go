package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/rogpeppe/go-internal/testscript"
)

// echoServer is the smallest server that is useful: one tool, echo, which
// returns its text, and one that says what it was given in $TOKEN, in a result,
// in an error and on standard error.
func echoServer() {
	fmt.Fprintln(os.Stderr, "starting with", os.Getenv("TOKEN"))
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments struct{ Text string }
			}
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, echoAnswer(m.Method, m.Params.Name, m.Params.Arguments.Text))
	}
}

func echoAnswer(method, tool, text string) string {
	token := os.Getenv("TOKEN")
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`
	case "tools/list":
		return `"result":{"tools":[` +
			`{"name":"echo","description":"Returns its text.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}},` +
			`{"name":"leak","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}` + toolNaming(token) + `]}`
	case "tools/call":
		switch {
		case tool == "echo":
			return `"result":{"content":[{"type":"text","text":` + quoteJSON(text) + `}]}`
		case text == "exit":
			fmt.Fprintln(os.Stderr, "dying with", token, "and", quoteJSON(token))
			os.Exit(7)
		case text == "result":
			return `"result":{"content":[{"type":"text","text":` + quoteJSON(token) + `}]}`
		}
		return `"error":{"code":-32000,"message":` + quoteJSON("the token is "+token+"\n"+strings.Repeat("x", 50)) + `,"data":` + quoteJSON(token) + `}`
	}
	return `"error":{"code":-32601,"message":"no such method"}`
}

// toolNaming is two tools that repeat the token, if there is one.
func toolNaming(token string) string {
	if token == "" {
		return ""
	}
	rest := `,"description":` + quoteJSON("Uses "+token) + `,"inputSchema":{"type":"object"}}`
	return `,{"name":"told"` + rest + `,{"name":` + quoteJSON("has-"+token) + rest
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// noSecret demands that no file, or no file below a folder, holds a secret in
// any of its spellings: nosecret FILE-WITH-THE-SECRET PATH…
func noSecret(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: nosecret FILE-WITH-THE-SECRET PATH…")
	}
	spellings := credentials.Spellings(strings.TrimSpace(ts.ReadFile(args[0])))
	if len(spellings) < 10 {
		ts.Fatalf("%s holds no secret", args[0])
	}
	read := 0
	for _, arg := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(arg), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, s := range spellings {
				if strings.Contains(string(data), s) {
					ts.Fatalf("%s holds %q", path, s)
				}
			}
			read += len(data)
			return err
		}))
	}
	if read == 0 {
		ts.Fatalf("there is nothing to read")
	}
}
