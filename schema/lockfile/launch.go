package lockfile

// This file describes how a locked server is started or reached, and how that differs from another launch.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Launch is how a server is started or reached, as recorded in a lock. Its texts are unexpanded: variables stay
// references. [Hidden] replaces what a lock does not show: values, secrets and absolute paths outside the
// project. Hash covers them.
//
// A launch with only a Hash comes from a lock of an older version, or from a caller that has only the hash. The
// zero value is unknown.
type Launch struct {
	Transport string            // stdio, http or sse; "" if implied by the other fields
	Command   string            // program; "" with a URL
	Args      []string          // arguments
	EnvFile   string            // file with variables; "" if there is none
	Inherit   []string          // inherited variables, sorted; "*" for all
	Env       map[string]string // variables to set; values are references or Hidden
	URL       string            // "" with a command
	Headers   map[string]string // as Env
	Artifacts string            // ArtifactsLocked if dependencies are locked, otherwise ""
	Scripts   []string          // npm packages whose install scripts run although Artifacts is set, sorted
	Hash      string            // over all fields, including hidden values; "" if unknown
}

// Hidden replaces text in a [Launch] that only its hash covers.
const Hidden = "…"

// ArtifactsLocked is the only non-empty value of [Launch] Artifacts.
const ArtifactsLocked = "locked"

// HashOnly reports whether only the hash of a launch is known.
func (l Launch) HashOnly() bool { return l.Command == "" && l.URL == "" }

// JSON returns the launch as a lock has it, on one line; null if it is unknown.
func (l Launch) JSON() json.RawMessage {
	w := fileWriter{}
	w.launchValue(l)
	var b bytes.Buffer
	if len(w.buf) == 0 || json.Compact(&b, w.buf) != nil {
		return json.RawMessage("null")
	}
	return b.Bytes()
}

// maxDifferences bounds the result of [Launch.Differences].
const maxDifferences = 8

// Differences describes how another launch differs from l, with at least one phrase if the hashes differ. The
// phrases are printable. Nil means that the hashes are equal.
func (l Launch) Differences(now Launch) []string {
	if l.Hash == now.Hash {
		return nil
	}
	if l.Hash == "" {
		return []string{"the lock does not say how the server was started or reached"}
	}
	if l.HashOnly() || now.HashOnly() {
		return []string{"the lock has only a hash of the old launch, which cannot be shown"}
	}
	var d launchDiff
	d.value("transport", l.Transport, now.Transport)
	d.value("command", l.Command, now.Command)
	d.args(l.Args, now.Args)
	d.value("url", l.URL, now.URL)
	d.value("envFile", l.EnvFile, now.EnvFile)
	d.values("environment variable", l.Env, now.Env)
	d.values("inherited variable", setOf(l.Inherit), setOf(now.Inherit))
	d.values("header", l.Headers, now.Headers)
	d.value("artifacts", l.Artifacts, now.Artifacts)
	d.values("package with install scripts", setOf(l.Scripts), setOf(now.Scripts))
	if len(d) == 0 {
		return []string{"the working directory differs, or a value that the lock does not show"}
	}
	if more := len(d) - maxDifferences; more > 0 {
		d = append(d[:maxDifferences], fmt.Sprintf("and %d more", more))
	}
	return d
}

// launchDiff collects phrases.
type launchDiff []string

func (d *launchDiff) add(format string, args ...any) { *d = append(*d, fmt.Sprintf(format, args...)) }

// value compares two texts.
func (d *launchDiff) value(what, was, is string) {
	switch {
	case was == is:
	case was == "":
		d.add("new %s %s", what, tree.Quote(is))
	case is == "":
		d.add("%s %s removed", what, tree.Quote(was))
	default:
		d.change(what, was, is)
	}
}

// change describes a changed text. If only the version differs, it names the two versions.
func (d *launchDiff) change(what, was, is string) {
	nameWas, versionWas := versioned(was)
	nameIs, versionIs := versioned(is)
	if nameWas == nameIs && isVersion(versionWas) && isVersion(versionIs) && tree.Quote(nameIs) == `"`+nameIs+`"` {
		d.add("%s %s → %s", nameWas, versionWas, versionIs)
		return
	}
	d.add("%s %s → %s", what, tree.Quote(was), tree.Quote(is))
}

// versioned splits the name of a package or image from its version: name@1.2, name==1.2, image:1.2. The version
// is "" if there is none.
func versioned(text string) (name, version string) {
	if name, version, ok := strings.Cut(text, "=="); ok && name != "" {
		return name, version
	}
	if i := strings.LastIndexByte(text, '@'); i > 0 {
		return text[:i], text[i+1:]
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 && !strings.Contains(text[i:], "/") {
		return text[:i], text[i+1:]
	}
	return text, ""
}

// isVersion reports whether a text can be a version, a tag or a digest.
func isVersion(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_:^~<>=*") == ""
}

// args compares two lists without their common prefix and suffix.
func (d *launchDiff) args(was, is []string) {
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			d.add("new argument %s", tree.Quote(is[i]))
		case i >= len(is):
			d.add("argument %s removed", tree.Quote(was[i]))
		case was[i] != is[i]:
			d.change("argument", was[i], is[i])
		}
	}
}

// values compares two sets of named values.
func (d *launchDiff) values(what string, was, is map[string]string) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		before, had := was[name]
		after, has := is[name]
		switch {
		case !had:
			d.add("new %s %s", what, tree.Quote(name))
		case !has:
			d.add("%s %s removed", what, tree.Quote(name))
		case before != after:
			d.add("%s %s: %s → %s", what, tree.Quote(name), tree.Quote(before), tree.Quote(after))
		}
	}
}

func setOf(names []string) map[string]string {
	set := map[string]string{}
	for _, name := range names {
		set[name] = ""
	}
	return set
}
