// Package resources compares what is read from servers with what was locked: the
// pages of tools (the protocol's Apps extension, SEP-1865), which hosts show to
// people in the middle of a trusted conversation; the files of skills (SEP-2640),
// which instruct a model; and, if resources are locked, the set of resources.
//
// Package live applies it by itself.
package resources

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/extension"
)

// ruleUnlisted is the drift rule for reading a resource that is not locked. It is not
// in the catalogue.
const ruleUnlisted = "resource-unlisted"

// skillScheme is the URI scheme of skills at most servers.
const skillScheme = "skill"

// IsLocked reports whether the resources of a server are locked: by its configuration
// or, if mode is "", because the manifests have a skill or a page. Without a manifest
// they are not.
func IsLocked(mode endpoint.Resources, manifests ...*codec.Manifest) bool {
	if len(manifests) == 0 || mode != "" {
		return len(manifests) > 0 && mode == endpoint.ResourcesLocked
	}
	return slices.ContainsFunc(manifests, func(m *codec.Manifest) bool {
		s := read(m)
		return len(s.Skills)+len(s.Apps) > 0
	})
}

// snapshot is the part of a manifest's snapshot that is used here.
type snapshot struct {
	Skills    []json.RawMessage `json:"skills"`
	Apps      []json.RawMessage `json:"apps"`
	Resources []json.RawMessage `json:"resources"`
	Templates []json.RawMessage `json:"resourceTemplates"`
}

func read(m *codec.Manifest) (s snapshot) {
	_ = json.Unmarshal([]byte(m.Snapshot()), &s) // Manifest.Err reports the error; then s is empty
	return s
}

// locked holds the locked resources of one server.
type locked struct {
	apps      map[string]string // full hash by URI
	files     map[string]extension.SkillFile
	roots     []string // of skills whose files are locked
	all       bool     // only locked resources may be read: those above and below
	resources map[string]bool
	templates []*regexp.Regexp
}

// Middleware refuses to read a page, or a file of a skill, that is not locked or has
// other bytes than were locked, from servers with a manifest. If the resources of a
// server are locked (see [IsLocked]), only these may be read or subscribed to: listed
// resources, URIs of locked templates, and URIs that a tool's result has linked to,
// for the caller that got the result. Mode returns the configuration of a server; a
// nil mode counts as "", see [IsLocked]. The error is a [runtime.ErrDrift]. All other
// requests pass.
func (seen *Links) Middleware(mode func(server string) endpoint.Resources, manifests ...*codec.Manifest) runtime.Middleware {
	servers := map[string]*locked{}
	for _, m := range manifests {
		if m == nil {
			continue
		}
		l := servers[m.Server()]
		if l == nil {
			l = &locked{apps: map[string]string{}, files: map[string]extension.SkillFile{}, resources: map[string]bool{}}
			servers[m.Server()] = l
		}
		l.take(read(m))
		var said endpoint.Resources
		if mode != nil {
			said = mode(m.Server())
		}
		l.all = l.all || IsLocked(said, m)
	}
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			l := servers[req.Server]
			if l == nil {
				return next.Invoke(ctx, req)
			}
			switch req.Method {
			case protocol.MethodReadResource, protocol.MethodSubscribe:
				return l.read(ctx, next, req, seen)
			case protocol.MethodCallTool, protocol.MethodAwaitTask:
				res, err := next.Invoke(ctx, req)
				if err == nil && l.all {
					seen.add(req.Options.Caller, req.Server, res)
				}
				return res, err
			}
			return next.Invoke(ctx, req)
		})
	}
}

// take adds the items of a snapshot.
func (l *locked) take(s snapshot) {
	for _, raw := range s.Apps {
		item, err := schema.ParseItem(schema.KindApp, raw)
		if hash, hashErr := schema.FullHash(raw); err == nil && hashErr == nil {
			l.apps[item.Name] = hash
		}
	}
	for _, raw := range s.Skills {
		if skill, err := extension.ParseSkill(raw); err == nil && !skill.Dynamic {
			l.roots = append(l.roots, skill.Root())
			for _, f := range skill.Files {
				l.files[f.URI] = f
			}
		}
	}
	for _, raw := range s.Resources {
		if item, err := schema.ParseItem(schema.KindResource, raw); err == nil {
			l.resources[item.Name] = true
		}
	}
	for _, raw := range s.Templates {
		if item, err := schema.ParseItem(schema.KindTemplate, raw); err == nil {
			if p := patternOf(item.Name); p != nil {
				l.templates = append(l.templates, p)
			}
		}
	}
}

// read carries out a request about one resource, and refuses a resource that differs
// from the locked one.
func (l *locked) read(ctx context.Context, next runtime.Invoker, req runtime.Request, seen *Links) (*runtime.Result, error) {
	uri := req.Name
	file, ofSkill := l.files[uri]
	var want func(*runtime.Result) bool
	switch {
	case hasScheme(uri, extension.AppScheme):
		page := l.apps[uri]
		if page == "" {
			return nil, refuse(req, ruleid.AppChanged, "the page is not locked", false)
		}
		want = func(res *runtime.Result) bool {
			got, err := hashOf(uri, res.Raw)
			return err == nil && got == page
		}
	case ofSkill:
		want = func(res *runtime.Result) bool { return isFile(file, res) }
	case l.isOfSkill(uri):
		return nil, refuse(req, ruleid.SkillFilesChanged, "the file was not part of the skill when it was locked", false)
	case l.all && !l.resources[uri] && !l.fitsTemplate(uri) && !seen.has(req.Options.Caller, req.Server, uri):
		return nil, refuse(req, ruleUnlisted, "the resource is not locked, and no result of a tool has linked to it", false)
	}
	res, err := next.Invoke(ctx, req)
	switch {
	case err != nil || want == nil || req.Method != protocol.MethodReadResource || want(res):
		return res, err
	case ofSkill:
		return nil, refuse(req, ruleid.SkillFilesChanged, "the file has other bytes than were locked", true)
	}
	return nil, refuse(req, ruleid.AppChanged, "the page is not the one that was locked", true)
}

// isOfSkill reports whether a URI is, or may be, in the folder of a locked skill: a
// server may accept other spellings in the scheme of skills.
func (l *locked) isOfSkill(uri string) bool {
	return len(l.roots) > 0 && hasScheme(uri, skillScheme) || slices.ContainsFunc(l.roots, func(root string) bool { return strings.HasPrefix(uri, root) })
}

// fitsTemplate reports whether a locked template may produce a URI.
func (l *locked) fitsTemplate(uri string) bool {
	return !leadsUp(uri) && slices.ContainsFunc(l.templates, func(p *regexp.Regexp) bool { return p.MatchString(uri) })
}

// hasScheme reports whether a URI has a scheme. Schemes are not case-sensitive, and
// browsers ignore white space and control characters before and inside them.
func hasScheme(uri, want string) bool {
	scheme, _, ok := strings.Cut(uri, ":")
	seen := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, scheme)
	return ok && strings.EqualFold(seen, want)
}

// hashOf returns the hash of the page in a result.
func hashOf(uri string, result json.RawMessage) (string, error) {
	app, err := extension.ReadApp(uri, result)
	if err != nil {
		return "", err
	}
	item, err := app.Item()
	if err != nil {
		return "", err
	}
	return schema.FullHash(item.Raw)
}

// isFile reports whether a result has exactly one content, which equals a file of a
// skill.
func isFile(file extension.SkillFile, res *runtime.Result) bool {
	if len(res.Content) != 1 || res.Content[0].URI != file.URI {
		return false
	}
	data := res.Content[0].Data
	if data == nil {
		data = []byte(res.Content[0].Text)
	}
	sum := sha256.Sum256(data)
	return int64(len(data)) == file.Size && "sha256:"+hex.EncodeToString(sum[:]) == file.Digest
}

func refuse(req runtime.Request, rule, why string, sent bool) error {
	drift := &runtime.DriftError{Server: req.Server, Tool: req.Name, Rule: rule}
	return &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Drift, Sent: sent, Err: fmt.Errorf("%s: %w", why, drift)}
}
