// Command slowserver is an MCP server over stdio that needs the time of its one
// argument to start and then offers one tool. It links nothing that costs processor
// time at its start, as net/http does: fifty of them share a machine's cores with the
// host, and it is the host that the bench measures.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "slowserver:", err)
		os.Exit(1)
	}
}

func serve() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: slowserver DURATION")
	}
	wait, err := time.ParseDuration(os.Args[1])
	if err != nil {
		return err
	}
	time.Sleep(wait)
	for lines := bufio.NewScanner(os.Stdin); ; {
		if !lines.Scan() {
			return lines.Err()
		}
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			return err
		}
		if request.ID == nil {
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", request.ID, answer(request.Method))
	}
}

// answer is the result or the error that a method ends in.
func answer(method string) string {
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"slow","version":"1.0.0"}}`
	case "tools/list":
		return `"result":{"tools":[{"name":"wait","inputSchema":{"type":"object"}}]}`
	}
	return `"error":{"code":-32601,"message":"method not found"}`
}
