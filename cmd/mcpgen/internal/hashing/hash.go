// Package hashing is the command hash: it returns the texts from which the hashes of a definition are computed.
package hashing

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/calling"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Hashed is a hash with its text.
type Hashed struct {
	Hash  string            `json:"hash"`
	Text  string            `json:"text"`
	Parts map[string]string `json:"parts,omitempty"` // by their hashes, which replace them in the text of a contract
}

// HashesOf returns the hashes of an item, by name; without a server there is no key.
func HashesOf(server string, item schema.Item) (map[string]*Hashed, error) {
	text, err := schema.Canonical(item.Raw)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{}
	contract, err := schema.Contract(item.Kind, item.Raw, func(part string) {
		parts[provenance.Hash([]byte(part))] = part
	})
	if err != nil {
		return nil, err
	}
	out := map[string]*Hashed{
		"full":     {Hash: lockfile.TextHash(string(text)), Text: string(text)},
		"contract": {Hash: lockfile.TextHash(string(contract)), Text: string(contract), Parts: parts},
	}
	found := out["contract"].Shortened()
	maps.DeleteFunc(parts, func(part, _ string) bool { return !slices.Contains(found, part) })
	if item.Kind != schema.KindTool || server == "" {
		return out, nil
	}
	tool, _, err := schema.ParseTool(item.Raw)
	if err != nil {
		return nil, err
	}
	key, err := lockfile.KeyText(server, item.Name, tool.InputSchema)
	if err != nil {
		return nil, err
	}
	out["key"] = &Hashed{Hash: "bk_" + provenance.Hash(key)[:32], Text: string(key)}
	return out, nil
}

// shortened matches the hash that replaces a part of a contract.
var shortened = regexp.MustCompile(`<([0-9a-f]{64})>`)

// Shortened returns the hashes of replaced parts in the text, and in those parts, in reading order.
func (h *Hashed) Shortened() (found []string) {
	for queue := []string{h.Text}; len(queue) > 0; queue = queue[1:] {
		for _, m := range shortened.FindAllStringSubmatch(queue[0], -1) {
			if part, ok := h.Parts[m[1]]; ok && !slices.Contains(found, m[1]) {
				found, queue = append(found, m[1]), append(queue, part)
			}
		}
	}
	return found
}

// LockedItem returns a locked item and its server, by a name such as server/tool.
func LockedItem(in *inputs.Servers, kind schema.Kind, name string) (server string, item schema.Item, err error) {
	if err := in.RequireLock(); err != nil {
		return "", item, err
	}
	for _, server := range slices.Sorted(maps.Keys(in.Lock.Servers)) {
		rest, ok := strings.CutPrefix(name, server+"/")
		if !ok {
			continue
		}
		s, err := in.Accepted(server)
		if err != nil {
			return "", item, err
		}
		for _, it := range *s.List(kind) {
			if it.Name == rest {
				return server, it, nil
			}
		}
	}
	return "", item, hint.With(fmt.Errorf("%s: no file and no locked %s has this name", name, kind),
		calling.MeantTool(in, name), "list the names: mcpgen list")
}
