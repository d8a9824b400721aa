// The listings of lazy servers from their last use.

package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// listings keeps them in the user's cache folder, one file for each server of a
// project. It implements [attach.Listings]. If a file cannot be read or written, the
// server is started instead.
type listings struct{ dir string } // the project's folder

// kept is the content of a file: a listing, and its conditions.
type kept struct {
	Launch   string            `json:"launch"` // hash of the server's launch or address
	Declared endpoint.Offers   `json:"declared"`
	Protocol string            `json:"protocol,omitempty"` // the configured one
	Tools    []json.RawMessage `json:"tools"`

	Instructions string `json:"instructions,omitempty"`
}

// file returns the file of a server's listing; false if there is no cache folder.
func (l listings) file(server endpoint.Server) (statefile.File, bool) {
	cache, err := os.UserCacheDir()
	sum := sha256.Sum256([]byte(l.dir + "\x00" + server.Source.Path + "\x00" + server.Name))
	path := filepath.Join(cache, "mcpgen", "listings", hex.EncodeToString(sum[:12])+".json")
	return statefile.File{Path: path}, err == nil
}

// conditions returns the conditions under which a listing is valid.
func (l listings) conditions(server endpoint.Server, declared endpoint.Offers) kept {
	return kept{Launch: config.LockLaunch(server, l.dir).Hash, Declared: declared, Protocol: server.Protocol}
}

// Load implements [attach.Listings].
func (l listings) Load(server endpoint.Server, declared endpoint.Offers) (found attach.Listing) {
	file, ok := l.file(server)
	if !ok {
		return attach.Listing{}
	}
	data, err := file.Read()
	var k kept
	if err != nil || json.Unmarshal(data, &k) != nil {
		return attach.Listing{}
	}
	want := l.conditions(server, declared)
	if k.Launch != want.Launch || k.Declared != want.Declared || k.Protocol != want.Protocol {
		return attach.Listing{}
	}
	found.Instructions = k.Instructions
	for _, raw := range k.Tools {
		if item, err := schema.ParseItem(schema.KindTool, raw); err == nil {
			found.Tools = append(found.Tools, item)
		}
	}
	return found
}

// Store implements [attach.Listings].
func (l listings) Store(server endpoint.Server, declared endpoint.Offers, listing attach.Listing) {
	file, ok := l.file(server)
	if !ok {
		return
	}
	k := l.conditions(server, declared)
	k.Instructions = listing.Instructions
	for _, item := range listing.Tools {
		k.Tools = append(k.Tools, item.Raw)
	}
	text, err := jsontext.Marshal(k) // keeps the server's own characters
	if err != nil {
		return
	}
	_ = file.Update(context.Background(), func([]byte) ([]byte, error) { return append(text, '\n'), nil })
}
