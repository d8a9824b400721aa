package workspace

// This file prints the texts that the hashes of a definition are hashes of.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Hashed is a hash and what it is of.
type Hashed struct {
	Hash  string            `json:"hash"`
	Text  string            `json:"text"`
	Parts map[string]string `json:"parts,omitempty"` // by their hashes, which are in the text of a contract in their place
}

// HashesOf returns the hashes of an item, by their names; without a server no key.
func HashesOf(server string, item schema.Item) (map[string]*Hashed, error) {
	text, err := schema.Canonical(item.Raw)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{}
	contract, err := schema.Contract(item.Kind, item.Raw, func(part string) { parts[digitsOf([]byte(part))] = part })
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
	out["key"] = &Hashed{Hash: "bk_" + digitsOf(key)[:32], Text: string(key)}
	return out, nil
}

func digitsOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// shortened is a part of a contract that stands there as its hash.
var shortened = regexp.MustCompile(`<([0-9a-f]{64})>`)

// Shortened returns the hashes of the parts that stand in the text, and of those in parts, in
// the order in which a reader comes to them.
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

// LockedItem returns an item as it was locked, and its server, by a name such as server/tool.
func (w *Workspace) LockedItem(kind schema.Kind, name string) (server string, item schema.Item, err error) {
	if err := w.requireLock(); err != nil {
		return "", item, err
	}
	for _, server := range slices.Sorted(maps.Keys(w.Lock.Servers)) {
		rest, ok := strings.CutPrefix(name, server+"/")
		if !ok {
			continue
		}
		s, err := w.accepted(server)
		if err != nil {
			return "", item, err
		}
		for _, it := range *s.List(kind) {
			if it.Name == rest {
				return server, it, nil
			}
		}
	}
	return "", item, hint.With(fmt.Errorf("%s: neither a file nor a locked %s as server/%[2]s", name, kind), w.meantTool(name), "list the names: mcpgen list")
}
