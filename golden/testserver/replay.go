// Real servers, replayed from files.

package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// replayText is replay for servers that answer with text alone, as most do: a
// call of the tool NAME returns what the file NAME.txt beside the listing holds
// just then. Without the file the tool fails.
func replayText(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		name := filepath.Base(toolName(m)) + ".txt"
		text, err := os.ReadFile(filepath.Join(filepath.Dir(s.cfg.file), name))
		if err != nil {
			c.reply(m, map[string]any{"isError": true, "content": []any{textBlock("there is no " + name)}})
			return
		}
		c.reply(m, map[string]any{"content": []any{textBlock(string(text))}})
	}
	replay(s)
}

// replay offers what a file holds. The bytes of each item stay as they are.
func replay(s *server) {
	if s.cfg.file == "" {
		s.bad = errors.New("replay needs a file")
		return
	}
	data, err := os.ReadFile(s.cfg.file)
	if err != nil {
		s.bad = err
		return
	}
	var f surface
	if err := json.Unmarshal(data, &f); err != nil {
		s.bad = fmt.Errorf("%s: %w", s.cfg.file, err)
		return
	}
	if f.ServerInfo == nil {
		f.ServerInfo = s.surface.ServerInfo
	}
	if drop := s.cfg.drop; drop != "" {
		f.Tools = slices.DeleteFunc(f.Tools, func(t json.RawMessage) bool { return itemName(t) == drop })
	}
	if seed := s.cfg.shuffle; seed != 0 {
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		for _, items := range [][]json.RawMessage{f.Tools, f.Prompts, f.Resources, f.ResourceTemplates} {
			r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		}
	}
	s.surface = f
}

func itemName(raw json.RawMessage) string {
	var item struct{ Name string }
	_ = json.Unmarshal(raw, &item) // a nameless item has the name ""
	return item.Name
}
