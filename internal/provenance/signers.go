package provenance

// This file reads the keys that the user trusts, and the bundles of a lock.

import (
	"cmp"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Variable is the environment variable that names the file of trusted keys, or has its text.
const Variable = "MCPGEN_SIGNERS"

// Signers are the trusted keys.
type Signers struct {
	Require int      `json:"require"` // how many different signers are needed; 0 is 1
	Signers []Signer `json:"signers"`

	Path string `json:"-"` // the file, or the variable
}

// Signer is a trusted key. One name may have several keys, and counts once.
type Signer struct {
	Name    string `json:"name"`
	Key     string `json:"key"`               // see [PublicKey]
	Until   string `json:"until,omitempty"`   // the last day of trust, such as 2027-01-31; "" is no end
	Revoked string `json:"revoked,omitempty"` // why signatures of the key no longer count; "" if they count

	public ed25519.PublicKey
}

// Load reads the trusted keys from a file; "" means the file or the text in [Variable], or else signers.json
// in the user's configuration folder. A file in the folder project, or in the repository around it, is
// refused: a pull request could change it.
func Load(path, project string) (*Signers, error) {
	path = named(path)
	if strings.HasPrefix(path, "{") {
		return parseSigners("the variable "+Variable, []byte(path))
	}
	file, err := statefile.Open(path, "signers.json")
	if err != nil {
		return nil, err
	}
	within, err := inRepository(file.Path, project)
	switch {
	case err != nil:
		return nil, err
	case within:
		return nil, hint.With(fmt.Errorf("%s: trusted keys cannot come from the repository that they protect", file.Path), "keep the file elsewhere", "put the text of the file into the variable "+Variable)
	}
	data, err := file.Read()
	switch {
	case err != nil:
		return nil, err
	case data == nil:
		return nil, hint.With(fmt.Errorf("%s: a signature is required, but this file of trusted keys does not exist", file.Path),
			"create the file: see mcpgen help sign", "use another file: pass --signers FILE, or set the variable "+Variable)
	}
	return parseSigners(file.Path, data)
}

// Path returns the file that [Load] reads; "" if the variable has the text, or if there is no such file.
func Path(path string) string {
	if path = named(path); strings.HasPrefix(path, "{") {
		return ""
	}
	file, _ := statefile.Open(path, "signers.json") // an error belongs to Load
	return file.Path
}

func named(path string) string {
	return cmp.Or(strings.TrimSpace(path), strings.TrimSpace(os.Getenv(Variable)))
}

func parseSigners(path string, data []byte) (*Signers, error) {
	s := &Signers{Path: path}
	if err := decode(data, s); err != nil {
		return nil, hint.With(fmt.Errorf("%s: %w", path, err), "see mcpgen help sign")
	}
	names, keys := map[string]bool{}, map[string]bool{}
	for i := range s.Signers {
		one := &s.Signers[i]
		der, err := base64.StdEncoding.DecodeString(one.Key)
		if err != nil {
			return nil, fmt.Errorf("%s: the key of %q is not base64: %w", path, one.Name, err)
		}
		key, err := x509.ParsePKIXPublicKey(der)
		var ok bool
		if one.public, ok = key.(ed25519.PublicKey); err != nil || !ok {
			return nil, hint.With(fmt.Errorf("%s: the key of %q is not an ed25519 public key", path, one.Name), "print the public key: openssl pkey -in KEY -pubout")
		}
		if _, err := time.Parse(time.DateOnly, one.Until); one.Until != "" && err != nil {
			return nil, fmt.Errorf("%s: the key \"until\" of signer %q is %q, want a day such as 2027-01-31", path, one.Name, one.Until)
		}
		if one.Name == "" || keys[string(one.public)] {
			return nil, fmt.Errorf("%s: signer %d has no name, or its key is duplicated", path, i+1)
		}
		names[one.Name], keys[string(one.public)] = true, true
	}
	s.Require = max(s.Require, 1)
	if s.Require > len(names) {
		return nil, fmt.Errorf("%s: %d signers are required, but the file lists %d", path, s.Require, len(names))
	}
	return s, nil
}

// inRepository reports whether a file is in a project, or in the repository around it.
func inRepository(path, project string) (bool, error) {
	project, err := filepath.Abs(project)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return false, err
	}
	root := project
	for dir := project; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			root = dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	// The file may be named by a link, and a link in the repository may lead elsewhere.
	within := func(file, folder string) bool {
		rel, err := filepath.Rel(folder, file)
		return err == nil && filepath.IsLocal(rel)
	}
	real, realRoot := path, root
	if to, err := filepath.EvalSymlinks(path); err == nil {
		real = to
	}
	if to, err := filepath.EvalSymlinks(root); err == nil {
		realRoot = to
	}
	return within(path, root) || within(real, realRoot), nil
}

// File returns the path of the bundle of a key for a lock.
func File(lock, public string) string { return lock + "." + ID(public) + suffix }

// suffix ends the names of bundles.
const suffix = ".sigstore.json"

// Lock verifies the signatures of a lock. Data is its content and files are the hashes of other files of
// the project that must be signed with it, by name.
func (s *Signers) Lock(path string, data []byte, files map[string]string) ([]Statement, error) {
	lock, err := lockfile.ParseLock(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	bundles, err := beside(path)
	if err != nil {
		return nil, err
	}
	want := Want{Place: path, Subjects: map[string]string{filepath.Base(path): Hash(data)}, Findings: Findings(lock, slices.Collect(maps.Keys(lock.Servers))...)}
	maps.Copy(want.Subjects, files)
	return s.Verify(bundles, want, time.Now())
}

// beside reads the bundles in the folder of a lock.
func beside(path string) ([]Bundle, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var out []Bundle
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)+".") || !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		if len(out) == MaxBundles {
			return nil, hint.With(fmt.Errorf("%s has more than %d signatures", path, MaxBundles), "remove the files *"+suffix+" whose keys are no longer used")
		}
		text, _ := regular.ReadFile(filepath.Join(filepath.Dir(path), e.Name()), MaxBundle) // without text, it is no signature
		out = append(out, Bundle{e.Name(), text})
	}
	return out, nil
}
