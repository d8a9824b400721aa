package decide

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A renamed tool has every symbol twice: under the name that it has, and under the one
// that it had, in the types of its symbols too.
func TestOldSymbols(t *testing.T) {
	snapshot := snapshotOf(t, `{"name":"search_files","inputSchema":{"type":"object","required":["in"],"properties":{"in":{"enum":["names","texts"]},"limit":{"type":"integer"}}},
		"outputSchema":{"type":"object","required":["hits"],"properties":{"hits":{"type":"integer"}}}}`)
	in := Input{Server: Server{Name: "srv", Snapshot: snapshot, Locked: lockOf(snapshot, nil)}}
	tool := in.Locked.Tools["search_files"]
	tool = WithPins(tool, Pins{Was: map[string]string{"search_file": "SearchFile"}})
	in.Locked.Tools["search_files"] = tool
	in.PlaceNames = true
	symbols, err := Symbols(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range symbols {
		got[string(s.Role)+" "+s.Go] = s.Type
		if s.Item != "search_files" {
			t.Errorf("%s is of the tool %q", s.Go, s.Item)
		}
	}
	want := map[string]string{
		"func SearchFiles": "*SearchFilesResult", "func SearchFile": "*SearchFileResult",
		"type SearchFilesResult": "struct", "type SearchFileResult": "struct",
		"field SearchFilesResult.Hits": "int", "field SearchFileResult.Hits": "int",
		"field SearchFilesResult.Extra": "json.RawMessage", "field SearchFileResult.Extra": "json.RawMessage",
		"type SearchFilesArgs": "struct", "type SearchFileArgs": "struct",
		"field SearchFilesArgs.In": "In", "field SearchFileArgs.In": "In",
		"field SearchFilesArgs.Limit": "*int", "field SearchFileArgs.Limit": "*int",
		"type In": "string", "type SearchFilesArgsIn": "string", "type SearchFileArgsIn": "string",
		"const InNames": "In", "const SearchFilesArgsInNames": "In", "const SearchFileArgsInNames": "In",
		"const InTexts": "In", "const SearchFilesArgsInTexts": "In", "const SearchFileArgsInTexts": "In",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Without its old names a server has none of them.
func TestSymbolsWithoutOldNames(t *testing.T) {
	snapshot := snapshotOf(t, `{"name":"b","inputSchema":{"type":"object"}}`)
	server := Server{Name: "srv", Snapshot: snapshot, Locked: lockOf(snapshot, nil)}
	tool := server.Locked.Tools["b"]
	tool = WithPins(tool, Pins{Was: map[string]string{"a": "A"}})
	server.Locked.Tools["b"] = tool
	symbols, err := Symbols(t.Context(), Input{Server: server.WithoutOldNames()})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Go == "A" || s.Go == "AArgs" {
			t.Errorf("%s %s is there", s.Role, s.Go)
		}
	}
}
