package artifact

// This file asks uv and pip which files a release of a Python package has.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/lockfile"
)

var (
	// pythonSpec is a package of one version, as uvx and pipx take it.
	pythonSpec = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9._,-]*\])?(?:==|@)([0-9][A-Za-z0-9.+!_-]*)$`)
	sha256Hex  = regexp.MustCompile(`sha256:([0-9a-f]{64})\b`)
)

// indexes are flags that say where packages come from, for the runner and for its look.
var indexes = []string{"--index", "--index-url", "--default-index", "--extra-index-url", "-f", "--find-links"}

// python is the release that the launch names, with a hash over those of its files; the
// zero value where it names none. Of a version that it does not name the runner may have
// run an older one, which it had.
func (p *finder) python(ctx context.Context) (lockfile.Artifact, error) {
	m := pythonSpec.FindStringSubmatch(p.runner.Package)
	if m == nil {
		return lockfile.Artifact{}, nil
	}
	look, spec := *p, m[1]+"=="+m[3]
	look.dir = os.TempDir() // the runner reads no settings of the project either
	var flags []string
	for i, arg := range p.resolved.Args {
		if flag, _, assigned := strings.Cut(arg, "="); !slices.Contains(indexes, flag) {
			continue
		} else if flags = append(flags, arg); !assigned && i+1 < len(p.resolved.Args) {
			flags = append(flags, p.resolved.Args[i+1])
		}
	}
	var text string
	var err error
	if p.runner.Program == "pipx run" {
		args := append([]string{"-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps", "--only-binary=:all:", "--report=-"}, flags...)
		if text, err = look.run(ctx, "", look.tool("python3"), append(args, spec)...); err == nil {
			text = wheelOf(text)
		}
	} else {
		args := append([]string{"pip", "compile", "--quiet", "--no-deps", "--no-header", "--generate-hashes"}, flags...)
		text, err = look.run(ctx, spec+"\n", look.tool("uv"), append(args, "-")...)
	}
	var hashes []string
	for _, h := range sha256Hex.FindAllStringSubmatch(text, -1) {
		hashes = append(hashes, h[1])
	}
	if err != nil || hashes == nil {
		return lockfile.Artifact{}, err
	}
	slices.Sort(hashes)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(hashes), "\n")))
	return lockfile.Artifact{Kind: lockfile.ArtifactPython, Name: m[1], Version: m[3], Integrity: "sha256:" + hex.EncodeToString(sum[:])}, nil
}

// wheelOf is the hash in a report of pip's.
func wheelOf(report string) string {
	var r struct {
		Install []struct {
			Info struct {
				Archive struct{ Hashes map[string]string } `json:"archive_info"`
			} `json:"download_info"`
		}
	}
	if json.Unmarshal([]byte(report), &r) != nil || len(r.Install) != 1 {
		return ""
	}
	return "sha256:" + r.Install[0].Info.Archive.Hashes["sha256"]
}
