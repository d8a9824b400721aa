//go:build peers

package peers

import (
	"testing"
)

// A call is one tool call, for the untyped side. The typed side is the program
// testdata/<program>/main.go, which makes the same calls in the same order.
type call struct {
	tool string
	args map[string]any
}

// everythingCalls covers numbers, a typed result, an enum, a default that is
// left out, images and a tool without a result schema.
var everythingCalls = []call{
	{"get-sum", map[string]any{"a": 2, "b": 3}},
	{"echo", map[string]any{"message": "grüezi\n\u2028</script>"}},
	{"get-structured-content", map[string]any{"location": "New York"}},
	{"get-structured-content", map[string]any{"location": "Chicago"}},
	{"get-annotated-message", map[string]any{"messageType": "success", "includeImage": true}},
	{"get-annotated-message", map[string]any{"messageType": "error"}},
	{"get-resource-links", map[string]any{"count": 2}},
	{"get-resource-reference", map[string]any{"resourceType": "Text", "resourceId": 1}},
	{"get-tiny-image", map[string]any{}},
	{"get-structured-content", map[string]any{"location": "Zug"}}, // not in the enum: an error
}

func TestEverythingStdio(t *testing.T) {
	m := newModule(t, "everything")
	m.link("mcp-server-everything")
	m.configure(`command: ./bin/mcp-server-everything`, `args: [stdio]`)
	m.run(everythingCalls, stdioClient(t, nil, bin("mcp-server-everything"), "stdio"))
}

func TestEverythingHTTP(t *testing.T) {
	p := startPeer(t, "server-everything", "streamableHttp")
	m := newModule(t, "everything")
	m.configure(`url: ` + p.url("/mcp"))
	m.gone = p.stop
	m.run(everythingCalls, httpClient(t, p.url("/mcp")))
}

func TestEverythingSSE(t *testing.T) {
	p := startPeer(t, "server-everything", "sse")
	m := newModule(t, "everything")
	m.configure(`transport: sse`, `url: `+p.url("/sse"))
	m.gone = p.stop
	m.run(everythingCalls, sseClient(t, p.url("/sse")))
}

func TestFilesystem(t *testing.T) {
	t.Parallel()
	m := newModule(t, "filesystem")
	dir := m.sample()
	m.link("mcp-server-filesystem")
	m.configure(`command: ./bin/mcp-server-filesystem`, `args: [`+quote(dir)+`]`)
	m.env = append(m.env, "SAMPLE="+dir)
	path := func(name string) map[string]any { return map[string]any{"path": dir + name} }
	m.run([]call{
		{"read_text_file", path("/hello.txt")},
		{"read_text_file", map[string]any{"path": dir + "/lines.txt", "head": 2}},
		{"list_directory", path("")},
		{"directory_tree", map[string]any{"path": dir, "excludePatterns": []string{"*.txt"}}},
		{"read_multiple_files", map[string]any{"paths": []string{dir + "/hello.txt", dir + "/lines.txt"}}},
		{"list_allowed_directories", map[string]any{}},
		{"read_text_file", path("/absent.txt")}, // an error
	}, stdioClient(t, nil, bin("mcp-server-filesystem"), dir))
}

func TestMemory(t *testing.T) {
	t.Parallel()
	m := newModule(t, "memory")
	m.link("mcp-server-memory")
	m.configure(`command: ./bin/mcp-server-memory`, `env: {MEMORY_FILE_PATH: `+quote(m.dir+"/typed.jsonl")+`}`)
	entity := func(name, kind string, notes ...string) map[string]any {
		return map[string]any{"name": name, "entityType": kind, "observations": append([]string{}, notes...)}
	}
	untyped := stdioClient(t, []string{"MEMORY_FILE_PATH=" + m.dir + "/untyped.jsonl"}, bin("mcp-server-memory"))
	m.run([]call{
		{"create_entities", map[string]any{"entities": []any{
			entity("mcpgen", "tool", "writes Go", "likes \"quotes\""), entity("Go", "language"),
		}}},
		{"create_relations", map[string]any{"relations": []any{
			map[string]any{"from": "mcpgen", "to": "Go", "relationType": "emits"},
		}}},
		{"add_observations", map[string]any{"observations": []any{
			map[string]any{"entityName": "Go", "contents": []string{"has modules"}},
		}}},
		{"search_nodes", map[string]any{"query": "modules"}},
		{"read_graph", map[string]any{}},
		{"delete_entities", map[string]any{"entityNames": []string{"Go"}}},
		{"open_nodes", map[string]any{"names": []string{"mcpgen", "Go"}}},
	}, untyped)
}

func TestSequentialThinking(t *testing.T) {
	t.Parallel()
	m := newModule(t, "thinking")
	m.link("mcp-server-sequential-thinking")
	m.configure(`command: ./bin/mcp-server-sequential-thinking`)
	m.run([]call{
		{"sequentialthinking", map[string]any{
			"thought": "first", "nextThoughtNeeded": true, "thoughtNumber": 1, "totalThoughts": 2,
		}},
		{"sequentialthinking", map[string]any{
			"thought": "second", "nextThoughtNeeded": false, "thoughtNumber": 2, "totalThoughts": 2, "isRevision": true, "revisesThought": 1,
		}},
	}, stdioClient(t, nil, bin("mcp-server-sequential-thinking")))
}
