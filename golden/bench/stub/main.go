// Command stub is an MCP server over stdio that does next to nothing: it answers calls
// with a prepared result. It links nothing that costs processor time at its start, as
// net/http does: fifty of them share a machine's cores with the host, and it is the
// host that the bench measures.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	wait := flag.Duration("wait", 0, "sleep before the first answer")
	listing := flag.String("listing", "", "offer the tools of this file; without one, a tool called wait")
	size := flag.Int("size", 0, "bytes of a call's structured content")
	flag.Parse()
	if err := serve(*wait, *listing, *size); err != nil {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(1)
	}
}

// maxLine is the longest request that is read, in bytes.
const maxLine = 1 << 20

func serve(wait time.Duration, listing string, size int) error {
	tools := json.RawMessage(`[{"name":"wait","inputSchema":{"type":"object"}}]`)
	if listing != "" {
		data, err := os.ReadFile(listing)
		if err != nil {
			return err
		}
		var file struct{ Tools json.RawMessage }
		if err := json.Unmarshal(data, &file); err != nil {
			return err
		}
		var line bytes.Buffer
		if err := json.Compact(&line, file.Tools); err != nil {
			return err
		}
		tools = line.Bytes()
	}
	result := prepare(size)
	time.Sleep(wait)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	var out []byte
	for lines.Scan() {
		id := requestID(lines.Bytes())
		if id == nil {
			continue
		}
		out = append(append(append(out[:0], `{"jsonrpc":"2.0","id":`...), id...), ',')
		switch line := lines.Bytes(); {
		case bytes.Contains(line, []byte(`"method":"tools/call"`)):
			out = append(out, result...)
		case bytes.Contains(line, []byte(`"method":"tools/list"`)):
			out = fmt.Appendf(out, `"result":{"tools":%s}}`, tools)
		case bytes.Contains(line, []byte(`"method":"initialize"`)):
			out = append(out, `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1.0.0"}}}`...)
		default:
			out = append(out, `"error":{"code":-32601,"message":"method not found"}}`...)
		}
		if _, err := os.Stdout.Write(append(out, '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// requestID returns the number or text that is a request's id, and nil for a
// notification. The clients that are measured write nothing else called id before it,
// and no comma in it.
func requestID(line []byte) []byte {
	_, rest, ok := bytes.Cut(line, []byte(`"id":`))
	if !ok {
		return nil
	}
	return rest[:bytes.IndexAny(rest, ",}")]
}

// prepare returns the answer of a call after the id: a graph of entities of at least so
// many bytes, each of about 190, as the result of server-memory.
func prepare(size int) []byte {
	const one = `{"name":"entity %07d","entityType":"program","observations":["%s","another one of about the same length"]}`
	observation := strings.Repeat("observation ", 6)
	content := []byte(`{"entities":[`)
	for i := 0; i == 0 || len(content) < size; i++ {
		if i > 0 {
			content = append(content, ',')
		}
		content = fmt.Appendf(content, one, i, observation)
	}
	content = append(content, `]}`...)
	return fmt.Appendf(nil, `"result":{"content":[{"type":"text","text":"done"}],"structuredContent":%s}}`, content)
}
