package trust

// This file finds scripts inside the project that its files start: a script may change while the line
// that starts it stays the same.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/regular"
)

// maxProgram bounds the size of a program or script, in bytes. Larger ones are not trusted.
const maxProgram = 512 << 20

// maxNames bounds the number of texts of one file that are examined.
const maxNames = 20_000

// scriptEndings returns the extensions of files that an interpreter runs, and of files with variables for
// a server.
func scriptEndings() []string {
	return []string{
		".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".py", ".pyz",
		".rb", ".pl", ".php", ".lua", ".sh", ".bash", ".zsh",
		".fish", ".ps1", ".bat", ".cmd", ".jar", ".go", ".exe", ".wasm", ".env",
	}
}

// names examines the texts of a file that may be paths: each string in the file as a whole, word by word,
// and after an equals sign. A wrong candidate only adds a file to the hash.
func (p *digest) names(file string, plain []byte) {
	n := 0
	for d := json.NewDecoder(bytes.NewReader(plain)); ; {
		token, err := d.Token()
		if err != nil {
			return
		}
		text, ok := token.(string)
		if !ok {
			continue
		}
		for _, word := range append(strings.Fields(text), text) {
			if n++; n > maxNames {
				return
			}
			p.candidate(file, word)
			if _, value, ok := strings.Cut(word, "="); ok {
				p.candidate(file, value) // --require=./hook.js
			}
		}
	}
}

// candidate adds a text if it is the path of a file inside the project: relative to the project, relative
// to the file's folder, or after a variable for one of the two.
func (p *digest) candidate(file, text string) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, `\`, "/"), "file://")
	if strings.HasPrefix(text, "$") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "%") {
		_, below, ok := strings.Cut(text, "/")
		if !ok {
			return
		}
		text = below
	}
	if text == "" || len(text) > 4096 || strings.ContainsRune(text, 0) {
		return
	}
	if filepath.IsAbs(text) {
		p.note(filepath.Clean(text))
		return
	}
	p.note(filepath.Join(p.project, filepath.FromSlash(text)))
	p.note(filepath.Join(p.project, filepath.Dir(filepath.FromSlash(file)), filepath.FromSlash(text)))
}

// note adds a path if it is a script or program in the project.
func (p *digest) note(path string) {
	rel, err := filepath.Rel(p.project, path)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	base := strings.ToLower(filepath.Base(path))
	if info.Mode().Perm()&0o111 != 0 || strings.HasPrefix(base, ".env") ||
		slices.Contains(scriptEndings(), filepath.Ext(base)) {
		p.scripts[path] = true
	}
}

// started hashes the files that the project starts, sorted by path.
func (p *digest) started() error {
	for _, path := range slices.Sorted(maps.Keys(p.scripts)) {
		rel, err := filepath.Rel(p.project, path)
		if err == nil {
			err = p.program(filepath.ToSlash(rel), path)
		}
		if err != nil {
			return fmt.Errorf("%s: mcpgen cannot check this path, so the project is not trusted: %w", path, bare(err))
		}
	}
	return nil
}

func (p *digest) program(name, path string) error {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		p.add("missing "+name, nil)
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(p.hash, "%d:%s program\n", len(name), name)
	content := sha256.New()
	n, err := io.Copy(io.MultiWriter(p.hash, content), io.LimitReader(f, maxProgram+1))
	if err == nil && n > maxProgram {
		err = &regular.TooLargeError{Limit: maxProgram}
	}
	fmt.Fprintf(p.hash, "\n%d\n", n)
	p.Scripts[name] = hex.EncodeToString(content.Sum(nil))
	return err
}
