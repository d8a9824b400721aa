package main

import "testing"

// What the names of a package say twice, and which have a number of ours.
func TestWords(t *testing.T) {
	names := map[string]bool{"Run": false, "N8nRun": false, "N8nStop": false, "ItemItem": false, "Item": false, "Item2": false,
		"ItemLevel2": false, "ItemLevel3": false, "Size2": true, "Size": false}
	for name, want := range map[string][2]string{
		"N8nRun": {}, "N8nStop": {"N8n"}, "ItemItem": {"Item"}, "Item2": {"", "Item"}, "ItemLevel3": {}, "Size2": {},
	} {
		if got := [2]string{stutter("n8n", name, names), beforeNumber(name, names)}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
