// Package install knows programs that run others: programs that run other code as an interpreter or a
// build tool does, and programs that may install or build a server before they
// run it, such as npx: which servers such a program starts, where it keeps what it
// installed, and how to repair its cache. How long an installation takes is not known
// beforehand.
package install

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Runner is a program that may install or build a server before it runs it.
type Runner struct {
	Program string // such as "npx", "uv tool run" or "go run"
	Package string // the package, image or path that it runs, as written; "" if the arguments name none
	// Rest is how many of the last arguments are not the runner's own: the package
	// and its arguments, or the program of a package that a flag names.
	Rest int
}

// String returns the program and the package, credentials masked.
func (r Runner) String() string {
	text := r.Program
	if r.Package != "" {
		text += " " + r.Package
	}
	for _, secret := range credentials.Credentials(r.Package) {
		text = strings.ReplaceAll(text, secret, credentials.Masked)
	}
	return text
}

// Of returns the package runner that a launch starts: npx, npm exec, pnpm dlx, yarn
// dlx, bunx, uvx, uv run, pipx run, docker run, podman run, go run, go tool and dnx,
// by name or path. It also finds a runner behind cmd /c or env, and in a command of a
// shell script. It is false for other programs, and if the arguments forbid an
// installation (--no-install, --offline, --pull=never). Variables in texts are not
// expanded.
func Of(l endpoint.Launch) (Runner, bool) {
	p, ok := l.(*endpoint.Process)
	if !ok {
		return Runner{}, false
	}
	return runnerOf(p.Command, p.Args, maxWrappers)
}

// maxWrappers bounds how many programs that start another one are looked through.
const maxWrappers = 4

// runnerKind describes the arguments of a runner.
type runnerKind struct {
	verbs  []string // the words of which one has to follow the program's name; empty: any
	names  []string // flags whose value is the package
	values []string // other flags whose value is the next argument
	forbid []string // flags that forbid to install
}

// runnerKinds returns the known runners by the names of their programs.
func runnerKinds() map[string]runnerKind {
	node := runnerKind{
		names:  []string{"-p", "--package"},
		values: []string{"-c", "--call", "--prefix", "--cache", "--registry", "--userconfig", "-w", "--workspace"},
		forbid: []string{"--no", "--no-install", "--offline"},
	}
	npm, pnpm, bun := node, node, node
	npm.verbs, pnpm.verbs, bun.verbs = []string{"exec", "x"}, []string{"dlx"}, []string{"x"}
	uvx := runnerKind{
		names:  []string{"--from"},
		values: []string{"-p", "--python", "--with", "--with-editable", "--index", "--index-url", "--default-index", "--extra-index-url", "-f", "--find-links", "--cache-dir", "--directory", "--project", "--env-file", "--constraints", "-m", "--module", "--extra", "--group"},
		forbid: []string{"--offline", "--no-sync"},
	}
	uv := uvx
	uv.verbs = []string{"tool run", "run"}
	image := runnerKind{
		verbs: []string{"run", "container run"},
		values: []string{
			"-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "--network", "--net", "-p", "--publish", "-w", "--workdir", "-u", "--user",
			"--entrypoint", "-m", "--memory", "--cpus", "-l", "--label", "--platform", "--add-host", "--device", "--gpus", "-h", "--hostname", "--ip",
			"--dns", "--cap-add", "--cap-drop", "--security-opt", "--tmpfs", "--ulimit", "--log-driver", "--pull", "--restart", "--runtime", "--shm-size",
		},
		forbid: []string{"--pull=never"},
	}
	return map[string]runnerKind{
		"npx": node, "pnpx": node, "bunx": node, "npm": npm, "pnpm": pnpm, "yarn": pnpm, "bun": bun,
		"uvx": uvx, "uv": uv, "dnx": {forbid: []string{"--offline"}, values: []string{"--source", "--add-source", "--version"}},
		"pipx":   {verbs: []string{"run"}, names: []string{"--spec"}, values: []string{"--python", "--pip-args", "--index-url"}},
		"docker": image, "podman": image, "nerdctl": image,
		"go": {verbs: []string{"run", "tool"}, values: []string{"-C", "-modfile", "-mod", "-tags", "-exec", "-ldflags", "-gcflags"}},
	}
}

// runnerOf finds the runner that a command line starts, below the given number of
// wrappers.
func runnerOf(command string, args []string, wrappers int) (Runner, bool) {
	if wrappers == 0 {
		return Runner{}, false
	}
	name := ProgramName(command)
	switch name {
	case "cmd":
		if i := slices.IndexFunc(args, func(a string) bool { return strings.EqualFold(a, "/c") }); i >= 0 {
			return inScript(strings.Join(args[i+1:], " "), wrappers)
		}
	case "sh", "bash", "zsh", "dash", "ash", "ksh":
		for i, arg := range args {
			if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.HasSuffix(arg, "c") && i+1 < len(args) {
				return inScript(args[i+1], wrappers)
			}
		}
	case "env":
		return firstWords(args, wrappers)
	}
	kind, ok := runnerKinds()[name]
	if !ok {
		return Runner{}, false
	}
	rest, verb, ok := kind.afterVerb(args)
	if !ok {
		return Runner{}, false
	}
	if verb != "" {
		name += " " + verb
	}
	pkg, left, installs := kind.packageOf(rest)
	return Runner{Program: name, Package: pkg, Rest: left}, installs
}

// ProgramName returns the name of a program without folder and Windows extensions.
func ProgramName(command string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// inScript looks at each command of a shell script. It drops quotes, which is enough
// to recognise the program.
func inScript(script string, wrappers int) (Runner, bool) {
	split := func(r rune) bool { return r == '\n' || r == ';' || r == '&' || r == '|' || r == '(' || r == ')' }
	for part := range strings.FieldsFuncSeq(script, split) {
		words := strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(part))
		if r, ok := firstWords(words, wrappers); ok {
			return r, true
		}
	}
	return Runner{}, false
}

// firstWords skips the words that may precede a program: exec, assignments, and the
// flags of env.
func firstWords(words []string, wrappers int) (Runner, bool) {
	for i, word := range words {
		value := i > 0 && words[i-1] == "-u"
		if value || word == "exec" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		return runnerOf(word, words[i+1:], wrappers-1)
	}
	return Runner{}, false
}

// afterVerb returns the arguments after the verb; flags before the verb are skipped.
func (k runnerKind) afterVerb(args []string) (rest []string, verb string, ok bool) {
	if len(k.verbs) == 0 {
		return args, "", true
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		args = args[1:]
	}
	for _, verb := range k.verbs {
		words := strings.Fields(verb)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return args[len(words):], verb, true
		}
	}
	return nil, "", false
}

// packageOf returns the package that a runner runs, the number of arguments from its
// first word on, and whether the runner may install it.
func (k runnerKind) packageOf(args []string) (pkg string, left int, installs bool) {
	for i := 0; i < len(args); i++ {
		flag, value, assigned := strings.Cut(args[i], "=")
		switch {
		case slices.Contains(k.forbid, args[i]),
			!assigned && i+1 < len(args) && slices.Contains(k.forbid, flag+"="+args[i+1]):
			return "", 0, false
		case slices.Contains(k.names, flag):
			if !assigned && i+1 < len(args) {
				i++
				value = args[i]
			}
			if pkg == "" {
				pkg = value
			}
		case args[i] == "--":
		case strings.HasPrefix(flag, "-") && flag != "-":
			if !assigned && slices.Contains(k.values, flag) {
				i++
			}
		default:
			if pkg == "" {
				pkg = args[i]
			}
			return pkg, len(args) - i, true // the rest is the server's own
		}
	}
	return pkg, 0, true
}
