package artifact

// This file finds the image that a tag refers to, as docker and compatible tools
// report it.

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/schema/lockfile"
)

var (
	// digest matches an image that is named by its content.
	digest = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([a-zA-Z0-9][a-zA-Z0-9._/:-]{0,254})@(sha256:[0-9a-f]{64})$`)
	})
	// tagged matches an image that is named by a tag, or without one.
	tagged = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([a-zA-Z0-9][a-zA-Z0-9._/:-]{0,254}?)(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?$`)
	})
)

// image returns what the launch ran: the image of its digest, or of its tag on this
// machine.
func (p *finder) image() lockfile.Artifact {
	if m := digest().FindStringSubmatch(p.runner.Package); m != nil {
		return lockfile.Artifact{Kind: lockfile.ArtifactImage, Name: m[1], Integrity: m[2]}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	a, _ := p.imageHere(ctx) // unknown is no artifact
	return a
}

// imageHere returns the image that the launch's tag refers to on this machine.
func (p *finder) imageHere(ctx context.Context) (lockfile.Artifact, error) {
	m := tagged().FindStringSubmatch(p.runner.Package)
	if m == nil {
		return lockfile.Artifact{}, nil
	}
	text, err := p.run(ctx, "", p.resolved.Command, "image", "inspect", "--format", "{{json .RepoDigests}}",
		p.runner.Package)
	if err != nil {
		return lockfile.Artifact{}, err
	}
	var known []string
	if json.Unmarshal([]byte(text), &known) != nil {
		return lockfile.Artifact{}, nil
	}
	for _, name := range known { // podman has full names where docker shortens them
		if d := digest().FindStringSubmatch(name); d != nil && (d[1] == m[1] || strings.HasSuffix(d[1], "/"+m[1])) {
			return lockfile.Artifact{Kind: lockfile.ArtifactImage, Name: m[1], Version: m[2], Integrity: d[2]}, nil
		}
	}
	return lockfile.Artifact{}, nil
}

// image runs the locked digest. With Newest or Accepted it runs the image that the
// tag refers to, which is pulled if it is not on this machine.
func (l launch) image(ctx context.Context) (lockfile.Artifact, error) {
	if digest().MatchString(l.runner.Package) {
		return l.finder.image(), nil
	}
	m := tagged().FindStringSubmatch(l.runner.Package)
	if m == nil || !digest().MatchString(m[1]+"@"+l.plan.Locked.Integrity) {
		return lockfile.Artifact{}, nil
	}
	now := l.plan.Locked
	if l.plan.Newest || l.plan.Accepted {
		var err error
		if now, err = l.imageHere(ctx); err != nil {
			if _, err = l.run(ctx, "", l.resolved.Command, "pull", "--quiet", l.runner.Package); err == nil {
				now, err = l.imageHere(ctx)
			}
		}
		if err != nil || now == (lockfile.Artifact{}) {
			return now, err
		}
	}
	l.name(m[1] + "@" + now.Integrity)
	return now, nil
}
