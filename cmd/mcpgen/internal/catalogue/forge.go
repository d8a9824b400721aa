package catalogue

// This file finds web pages of a forge for lines of the module. They belong to the checked-out commit, so
// that they stay correct.

import (
	"context"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
)

// forge links to the files of one commit.
type forge struct {
	base  string          // address before the path of a file; "" if there is none
	files map[string]bool // files of the commit that are unchanged on disk
}

// forgeOf returns the links for the checked-out commit. There are none if the remote origin is not known to
// have the commit, or its host is unknown. Failures of git are not errors.
func forgeOf(ctx context.Context, dir string) forge {
	ask := func(args ...string) string {
		out, _ := locks.Git(ctx, dir, args...)
		return strings.TrimRight(string(out), "\n")
	}
	commit := ask("rev-parse", "--verify", "HEAD^{commit}")
	base := forgeBase(ask("remote", "get-url", "origin"), commit)
	if base == "" || ask("for-each-ref", "--count=1", "--contains", commit, "refs/remotes/origin") == "" {
		return forge{}
	}
	changed, err := locks.Git(ctx, dir, "diff", "--name-only", "-z", commit)
	if err != nil {
		return forge{}
	}
	f := forge{base, map[string]bool{}}
	for name := range strings.SplitSeq(ask("ls-tree", "-r", "-z", "--full-tree", "--name-only", commit), "\x00") {
		f.files[name] = true
	}
	for name := range strings.SplitSeq(string(changed), "\x00") {
		delete(f.files, name)
	}
	return f
}

// page returns the address of a line; "" for a file that differs from the commit.
func (f forge) page(file string, line int) string {
	if f.base == "" || !f.files[file] {
		return ""
	}
	return f.base + (&url.URL{Path: file}).EscapedPath() + "#L" + strconv.Itoa(line)
}

var (
	repositoryPath = regexp.MustCompile(`^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+$`)
	shortRemote    = regexp.MustCompile(`^(?:[A-Za-z0-9_.-]+@)?([A-Za-z0-9.-]+):([^/].*)$`) // git@host:path
	wholeCommit    = regexp.MustCompile(`^[0-9a-f]{40,64}$`)
)

// forgeBase returns the address of a commit's files from the address of a remote; "" if its host is
// unknown. Users and passwords in the remote's address are dropped.
func forgeBase(remote, commit string) string {
	if m := shortRemote.FindStringSubmatch(remote); m != nil && !strings.Contains(remote, "://") {
		remote = "ssh://" + m[1] + "/" + m[2]
	}
	u, err := url.Parse(remote)
	if err != nil || u.Scheme != "https" && u.Scheme != "ssh" || u.RawQuery+u.Fragment != "" {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	// The path element between repository and commit, by host.
	middle, known := map[string]string{"github.com": "blob", "gitlab.com": "-/blob", "codeberg.org": "src/commit"}[host]
	path := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	if !known || !repositoryPath.MatchString(path) ||
		strings.Contains("/"+path+"/", "/../") || !wholeCommit.MatchString(commit) {
		return ""
	}
	return "https://" + host + "/" + path + "/" + middle + "/" + commit + "/"
}
