// A server's launch in the form that a lock stores: readable, without secrets, and the same on every
// machine.

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

// LockLaunch returns the launch of s in the form that a lock stores. Project is the absolute folder of
// the project; "" means none.
//
// Nothing is looked up: texts stay as written, including their variables. These values become
// [lockfile.Hidden]: those that are masked in [Project.Settings], values of variables and headers that
// are more than references, and absolute paths outside the project. The hash covers the whole launch and
// the working directory. It is the same on every machine and in every checkout: paths in the project are
// taken relative to it, and a working directory relative to the project, to the file that names it, or to
// the user's folder.
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

// SameLaunch reports whether s has the locked launch. A lock of an older version, whose hash covers only
// command, arguments and URL, is compared by that hash. Now is [LockLaunch] with the kind of hash that
// locked has, so that [lockfile.Launch.Differences] can compare the two.
func SameLaunch(locked lockfile.Launch, s endpoint.Server, project string) (now lockfile.Launch, same bool) {
	now = LockLaunch(s, project)
	if locked.HashOnly() && locked.Hash != now.Hash {
		now.Hash = oldLaunchHash(flatten(s.Launch))
	}
	return now, locked.Hash == now.Hash
}

// launchBase holds the folders that paths of a launch are relative to.
type launchBase struct{ project, source, home string }

// references returns the names of variables with the references in their values. A value with any other
// content is hidden.
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

// flatLaunch is a launch in the form of files, with the fields of all kinds; fields of other kinds are
// empty.
type flatLaunch struct {
	endpoint.Process
	endpoint.Address
}

func flatten(l endpoint.Launch) flatLaunch {
	return endpoint.ByLaunch(l,
		func(p *endpoint.Process) flatLaunch { return flatLaunch{Process: *p} },
		func(a *endpoint.Address) flatLaunch { return flatLaunch{Address: *a} })
}

// inheritedNames returns the names of the variables that a server inherits, sorted.
func inheritedNames(i endpoint.Inherit) []string {
	if i.All {
		return []string{"*"}
	}
	names := slices.Clone(i.Names)
	slices.Sort(names)
	return slices.Compact(names)
}

// shown returns a text without secrets and absolute paths. Paths in the project become relative and begin
// with a dot.
func (at launchBase) shown(text string) string {
	text = visibleText(strings.ReplaceAll(text, maskText, lockfile.Hidden))
	return eachPath(text, at.project, ".", func(path string) string {
		if len(path) <= len("/c") { // the root, or an option of Windows
			return path
		}
		return lockfile.Hidden
	})
}

// visibleText replaces invalid UTF-8, which JSON cannot hold.
func visibleText(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// hash covers the whole launch. Each text and each list is preceded by its length, so that different
// launches never hash the same bytes.
func (at launchBase) hash(s flatLaunch) string {
	h := launchHash{sha256.New()}
	// A NUL byte, which no configured text can hold, marks paths of the project.
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

// folder returns the working directory in a form that is the same on every machine. The project's folder
// is the default, and "".
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
		// A file in a settings folder, such as .vscode, belongs to the folder above.
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

// oldLaunchHash returns the hash of older locks, which store only the hash of a launch.
func oldLaunchHash(s flatLaunch) string {
	h := launchHash{sha256.New()}
	for _, text := range append([]string{"mcpgen launch 1", s.Command, s.URL}, s.Args...) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	return h.sum()
}

// Characters before and after a path in a text.
const (
	beforePath = " \t\n=:,;'\"`(<[{|@"
	afterPath  = "\n:,;'\"`|<>}"
	afterURL   = " \t\n'\"<>"
)

// eachPath replaces the absolute paths in a text, also in the value of a flag, in a list, or in a URL
// without a host. In a path inside folder, only the folder is replaced; f replaces any other path as a
// whole. A path may contain spaces. Other URLs stay as they are.
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
			if !strings.HasPrefix(rest[n:], "/") { // a host and its path
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

// urlPrefix returns the length of a scheme with its slashes at the beginning of text; 0 if there is none.
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

// insidePrefix returns the length of folder if text begins with folder or a path in it, else 0.
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

// samePath compares paths by the system's rule.
func samePath(a, b string) bool {
	if filepath.Separator == '\\' {
		return strings.EqualFold(strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/"))
	}
	return a == b
}

// indexAny returns the index of the first of some characters, or the length of text.
func indexAny(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}
