package workspace

// This file finds the pages of a forge that show lines of the module: those of the
// commit that is checked out, so that they stay what they are.

import (
	"context"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// forge has the pages of one commit.
type forge struct {
	base  string          // address up to the path of a file; "" if there is none
	files map[string]bool // of the commit, as they are on the disk
}

// forge returns the forge that has the commit which is checked out. One that the remote
// origin is not known to have, and a host that is not known, have no pages; what git
// cannot say is not an error.
func (w *Workspace) forge(ctx context.Context) forge {
	ask := func(args ...string) string {
		out, _ := w.git(ctx, args...)
		return strings.TrimRight(string(out), "\n")
	}
	commit := ask("rev-parse", "--verify", "HEAD^{commit}")
	base := forgeBase(ask("remote", "get-url", "origin"), commit)
	if base == "" || ask("for-each-ref", "--count=1", "--contains", commit, "refs/remotes/origin") == "" {
		return forge{}
	}
	changed, err := w.git(ctx, "diff", "--name-only", "-z", commit)
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

// page is the address of a line; "" for a file that is not as it was committed.
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

// forgeBase is the address of the files of a commit, by the address of a remote; "" if
// its host is not known. A user or a password in the remote's address is not part of it.
func forgeBase(remote, commit string) string {
	if m := shortRemote.FindStringSubmatch(remote); m != nil && !strings.Contains(remote, "://") {
		remote = "ssh://" + m[1] + "/" + m[2]
	}
	u, err := url.Parse(remote)
	if err != nil || u.Scheme != "https" && u.Scheme != "ssh" || u.RawQuery+u.Fragment != "" {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	// What stands between a repository and a commit in the addresses of each host.
	middle, known := map[string]string{"github.com": "blob", "gitlab.com": "-/blob", "codeberg.org": "src/commit"}[host]
	path := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	if !known || !repositoryPath.MatchString(path) || strings.Contains("/"+path+"/", "/../") || !wholeCommit.MatchString(commit) {
		return ""
	}
	return "https://" + host + "/" + path + "/" + middle + "/" + commit + "/"
}
