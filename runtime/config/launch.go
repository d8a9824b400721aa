// How a server is started or reached, as a lock keeps it: readable without
// anything secret, and the same on every machine.

package config

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// LockLaunch returns how s is started or reached, as a lock keeps it. Project is
// the absolute folder of the project; "" means none.
//
// Nothing is looked up: texts are as they were written, and a variable in them
// stays a variable. What [Mask] stands for in [Project.Settings], the values of
// variables and headers that are more than references, and absolute paths outside
// of the project are [lockfile.Hidden]. The hash covers all of it and the working
// directory. It is the same on every machine and in every checkout: paths in the
// project count relative to it, and a working directory relative to the project,
// to the file that names it or to the user's folder.
func LockLaunch(s endpoint.Server, project string) lockfile.Launch {
	m, at := masker{s.Expand}, launchBase{project: project, source: s.Source.Path, home: homeOf(os.LookupEnv)}
	text := func(text string) string {
		shown, _ := m.text(text)
		return at.shown(shown)
	}
	flat := flatten(s.Launch)
	l := lockfile.Launch{
		Transport: string(flat.Transport), Command: text(flat.Command), URL: text(flat.URL), EnvFile: text(flat.EnvFile),
		Inherit: inheritedNames(flat.Inherit), Hash: at.hash(flat),
		Env:     at.references(m, endpoint.FieldEnv, flat.Env),
		Headers: at.references(m, endpoint.FieldHeader, flat.Headers),
	}
	if flat.Locked {
		l.Artifacts, l.Scripts = lockfile.ArtifactsLocked, flat.Scripts
	}
	args, _ := m.args(flat.Args)
	for _, arg := range args {
		l.Args = append(l.Args, at.shown(arg))
	}
	return l
}

// SameLaunch reports whether s is started or reached as locked says. A lock of an
// older version, whose hash covers command, arguments and URL alone, is compared
// by that hash. Now is [LockLaunch] with the kind of hash that locked has, so that
// the two can be compared with [lockfile.Launch.Differences].
func SameLaunch(locked lockfile.Launch, s endpoint.Server, project string) (now lockfile.Launch, same bool) {
	now = LockLaunch(s, project)
	if locked.HashOnly() && locked.Hash != now.Hash {
		now.Hash = oldLaunchHash(flatten(s.Launch))
	}
	return now, locked.Hash == now.Hash
}

// launchBase is what paths of a launch are relative to.
type launchBase struct{ project, source, home string }

// references shows the names of variables with the references in them. A value
// that holds anything else is hidden.
func (at launchBase) references(m masker, field endpoint.Field, vars []endpoint.Var) map[string]string {
	var shown map[string]string
	for _, v := range vars {
		if shown == nil {
			shown = map[string]string{}
		}
		value := lockfile.Hidden
		if m.literal(field, v.Value) == "" {
			value = at.shown(v.Value)
		}
		shown[visibleText(v.Name)] = value
	}
	return shown
}

// flatLaunch is a launch as files have it, with the members of all kinds; those of the
// others are empty.
type flatLaunch struct {
	endpoint.Process
	endpoint.Address
}

func flatten(l endpoint.Launch) flatLaunch {
	return endpoint.ByLaunch(l,
		func(p *endpoint.Process) flatLaunch { return flatLaunch{Process: *p} }, func(a *endpoint.Address) flatLaunch { return flatLaunch{Address: *a} })
}

// inheritedNames are the names of variables that a server gets, sorted.
func inheritedNames(i endpoint.Inherit) []string {
	if i.All {
		return []string{"*"}
	}
	names := slices.Clone(i.Names)
	slices.Sort(names)
	return slices.Compact(names)
}

// shown is a text without secrets and without absolute paths: those in the
// project begin with a dot.
func (at launchBase) shown(text string) string {
	text = visibleText(strings.ReplaceAll(text, Mask, lockfile.Hidden))
	return eachPath(text, at.project, ".", func(path string) string {
		if len(path) <= len("/c") { // the root, or an option of Windows
			return path
		}
		return lockfile.Hidden
	})
}

// visibleText is what JSON can hold.
func visibleText(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// hash covers everything that is started or reached. Each text goes in with its
// length before it, and each list with its own, so that no two launches are
// written alike.
func (at launchBase) hash(s flatLaunch) string {
	h := launchHash{sha256.New()}
	// A path of the project is a text that nobody can write: it holds a NUL byte.
	local := func(text string) string {
		return eachPath(text, at.project, "\x00", func(path string) string { return path })
	}
	h.texts("mcpgen launch 2", string(s.Transport), local(s.Command), local(s.URL), at.folder(s.Dir), local(s.EnvFile))
	args := make([]string, len(s.Args))
	for i, arg := range s.Args {
		args[i] = local(arg)
	}
	h.texts(args...)
	h.texts(inheritedNames(s.Inherit)...)
	for _, vars := range [][]endpoint.Var{s.Env, s.Headers} {
		vars = slices.Clone(vars)
		slices.SortStableFunc(vars, func(a, b endpoint.Var) int { return strings.Compare(a.Name, b.Name) })
		var pairs []string
		for _, v := range vars {
			pairs = append(pairs, v.Name, local(v.Value))
		}
		h.texts(pairs...)
	}
	if s.Locked {
		h.texts(slices.Concat([]string{"artifacts locked"}, s.Scripts)...)
	}
	return h.sum()
}

// folder is the working directory as it is the same on every machine. That of the
// project is the default, and "".
func (at launchBase) folder(dir string) string {
	if dir == "" || dir == at.project {
		return ""
	}
	below := func(base string) (string, bool) {
		if base == "" {
			return "", false
		}
		rel, err := filepath.Rel(base, dir)
		return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
	}
	if rel, ok := below(at.project); ok {
		return "project:" + rel
	}
	if source, err := filepath.Abs(at.source); err == nil && at.source != "" {
		folder := filepath.Dir(source)
		if rel, ok := below(folder); ok {
			return "file:" + rel
		}
		// A file in a folder for settings, such as .vscode, is about the folder above.
		for up := ".."; up != "../../.."; up += "/.." {
			if filepath.Join(folder, filepath.FromSlash(up)) == dir {
				return "file:" + up
			}
		}
	}
	if rel, ok := below(at.home); ok {
		return "home:" + rel
	}
	return "path:" + dir
}

// launchHash hashes lists of texts.
type launchHash struct{ hash.Hash }

func (h launchHash) texts(texts ...string) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(texts))))
	for _, text := range texts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
}

func (h launchHash) sum() string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// oldLaunchHash is the hash of locks that hold nothing else of a launch.
func oldLaunchHash(s flatLaunch) string {
	h := launchHash{sha256.New()}
	for _, text := range append([]string{"mcpgen launch 1", s.Command, s.URL}, s.Args...) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	return h.sum()
}

// Where a path in a text begins and ends.
const (
	beforePath = " \t\n=:,;'\"`(<[{|@"
	afterPath  = "\n:,;'\"`|<>}"
	afterURL   = " \t\n'\"<>"
)

// eachPath replaces the absolute paths in a text, also where they are the value
// of a flag, one of several in a list, or the path of a URL without a host. Of one
// that leads into the folder only the folder is replaced; any other is what f
// makes of it. A path may hold spaces, so one goes on behind them. Other URLs stay
// as they are.
func eachPath(text, folder, inside string, f func(path string) string) string {
	if !strings.ContainsAny(text, `/\`) {
		return text
	}
	var b strings.Builder
	begins := true // a path can begin here
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 1
		switch {
		case !begins:
			b.WriteByte(rest[0])
		case urlPrefix(rest) > 0:
			n = urlPrefix(rest)
			if !strings.HasPrefix(rest[n:], "/") { // a host, and what is there
				n += indexAny(rest[n:], afterURL)
			}
			b.WriteString(rest[:n])
		case insidePrefix(rest, folder) > 0:
			n = insidePrefix(rest, folder)
			b.WriteString(inside)
		case isPath(rest):
			drive := 0 // the colon of a drive does not end a path
			if rest[0] != '/' {
				drive = len("C:")
			}
			n = drive + indexAny(rest[drive:], afterPath)
			b.WriteString(f(rest[:n]))
		default:
			b.WriteByte(rest[0])
		}
		begins = strings.IndexByte(beforePath, rest[n-1]) >= 0 || strings.HasSuffix(rest[:n], "://")
		i += n
	}
	return b.String()
}

// urlPrefix is the length of a scheme with the slashes that follow it; 0 if text
// does not begin with one.
func urlPrefix(text string) int {
	n := 0
	for n < len(text) && (texts.IsAlnum(rune(text[n])) || n > 0 && strings.IndexByte("+.-", text[n]) >= 0) {
		n++
	}
	if n < 2 || !strings.HasPrefix(text[n:], "://") {
		return 0
	}
	return n + len("://")
}

// isPath reports whether text begins with an absolute path, of any system.
func isPath(text string) bool {
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, `\\`) {
		return true
	}
	return len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/') && texts.IsAlnum(rune(text[0]))
}

// insidePrefix is the length of folder where text begins with it or with a path
// in it; else 0.
func insidePrefix(text, folder string) int {
	n := len(folder)
	if !filepath.IsAbs(folder) || filepath.Dir(folder) == folder || len(text) < n || !samePath(text[:n], folder) {
		return 0
	}
	if n < len(text) && strings.IndexByte(`/\ `+afterPath, text[n]) < 0 {
		return 0
	}
	return n
}

// samePath compares paths as the system does.
func samePath(a, b string) bool {
	if filepath.Separator == '\\' {
		return strings.EqualFold(strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/"))
	}
	return a == b
}

// indexAny is the first place of one of some characters, or the length of text.
func indexAny(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}
