package artifact

// This file asks uv and pip for the files of a release of a Python package.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

var (
	// pythonSpec matches a package of one version, in the syntax of uvx and pipx.
	pythonSpec = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9._,-]*\])?(?:==|@)([0-9][A-Za-z0-9.+!_-]*)$`)
	})
	sha256Hex = regexp.MustCompile(`sha256:([0-9a-f]{64})\b`)
)

// indexes lists flags that set the package indexes, for the runner and for the
// lookup.
var indexes = []string{"--index", "--index-url", "--default-index", "--extra-index-url", "-f", "--find-links"}

// python returns the release that the launch names, with a hash over the hashes of
// its files; the zero value if it names none. Without a version, the runner may have
// run an older release that it had installed.
func (p *finder) python(ctx context.Context) (lockfile.Artifact, error) {
	m := pythonSpec().FindStringSubmatch(p.runner.Package)
	if m == nil {
		return lockfile.Artifact{}, nil
	}
	text, err := p.releaseOf(ctx, m[1]+"=="+m[3])
	var hashes []string
	for _, h := range sha256Hex.FindAllStringSubmatch(text, -1) {
		hashes = append(hashes, h[1])
	}
	if err != nil || hashes == nil {
		return lockfile.Artifact{}, err
	}
	return lockfile.Artifact{Kind: lockfile.ArtifactPython, Name: m[1], Version: m[3], Integrity: sumOf(hashes)}, nil
}

// sumOf returns a hash over the hashes of files.
func sumOf(hashes []string) string {
	slices.Sort(hashes)
	return lockfile.TextHash(strings.Join(slices.Compact(hashes), "\n"))
}

// releaseOf returns uv's report on all files of a release, or pip's on the file for
// this system.
func (p *finder) releaseOf(ctx context.Context, spec string) (string, error) {
	if p.runner.Program == "pipx run" {
		report, err := p.pip(ctx, "install", "--dry-run", "--ignore-installed", "--report=-", spec)
		var r struct {
			Install []struct {
				Info struct {
					Archive struct{ Hashes map[string]string } `json:"archive_info"`
				} `json:"download_info"`
			}
		}
		if err != nil || json.Unmarshal([]byte(report), &r) != nil || len(r.Install) != 1 {
			return "", err
		}
		return "sha256:" + r.Install[0].Info.Archive.Hashes["sha256"], nil
	}
	args := append([]string{"pip", "compile", "--quiet", "--no-deps", "--no-header", "--generate-hashes"},
		p.indexFlags()...)
	return p.outside().run(ctx, spec+"\n", p.tool("uv"), append(args, "-")...)
}

// pip runs a pip command about a wheel alone: no code of the package is run.
func (p *finder) pip(ctx context.Context, command string, args ...string) (string, error) {
	flags := append([]string{"-m", "pip", command, "--quiet", "--no-deps", "--only-binary=:all:"}, p.indexFlags()...)
	args = append(flags, args...)
	text, err := p.outside().run(ctx, "", p.tool("python3"), args...)
	if err != nil && strings.Contains(err.Error(), "No module named pip") {
		err = hint.With(err, "install pip: python3 -m ensurepip")
	}
	return text, err
}

// outside returns a finder in a folder without settings, since these runners ignore
// the settings of the project, too.
func (p *finder) outside() *finder {
	look := *p
	look.dir = os.TempDir()
	return &look
}

// indexFlags returns the flags of the launch that set the package indexes.
func (p *finder) indexFlags() []string {
	var flags []string
	for i, arg := range p.resolved.Args {
		if flag, _, assigned := strings.Cut(arg, "="); !slices.Contains(indexes, flag) {
			continue
		} else if flags = append(flags, arg); !assigned && i+1 < len(p.resolved.Args) {
			flags = append(flags, p.resolved.Args[i+1])
		}
	}
	return flags
}

// python compares the release that uvx resolves to, by the index, at each start, as
// uvx does. For pipx the wheel is downloaded once into a folder of mcpgen's own, and
// pipx runs it.
func (l launch) python(ctx context.Context) (lockfile.Artifact, error) {
	want := l.plan.Locked
	m := pythonSpec().FindStringSubmatch(l.runner.Package)
	words, ok := l.rest()
	if l.runner.Program != "pipx run" || l.plan.Accepted || m == nil || !ok {
		return l.finder.python(ctx)
	}
	own, err := ownFolder(want)
	if err != nil {
		return lockfile.Artifact{}, err
	}
	wheel, now := wheelIn(own.folder, want)
	if wheel == "" {
		if _, err := l.pip(ctx, "download", "--dest", own.folder, m[1]+"=="+m[3]); err != nil {
			return lockfile.Artifact{}, err
		}
		if wheel, now = wheelIn(own.folder, want); now != want {
			return now, os.RemoveAll(own.folder)
		}
	}
	if args := l.resolved.Args; words[0] == l.runner.Package { // no --spec
		l.resolved.Args = slices.Concat(args[:len(args)-len(words)], []string{"--spec", wheel + m[2], m[1]}, words[1:])
	} else {
		l.name(wheel + m[2])
	}
	return now, nil
}

// wheelIn returns the one wheel in a folder, "" if there is none, and its release.
func wheelIn(folder string, of lockfile.Artifact) (string, lockfile.Artifact) {
	files, _ := filepath.Glob(filepath.Join(folder, "*.whl")) // the folder's name has no pattern
	if len(files) != 1 {
		return "", lockfile.Artifact{}
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return "", lockfile.Artifact{}
	}
	sum := sha256.Sum256(data)
	of.Integrity = sumOf([]string{hex.EncodeToString(sum[:])})
	return files[0], of
}
