package endpoint

// This file tells launches that run code of the project without naming its files.

import (
	"path"
	"slices"
	"strings"
)

// builders are programs that take code from the folder that they are started in, with
// the words among their arguments that make them do so; nil: they always do.
func builders() map[string][]string {
	script, project, run := []string{"-c", "-command", "/c"}, []string{"run", "run-script", "start", "test", "exec", "x", "dlx"}, []string{"run"}
	builders := map[string][]string{
		"go": {"run", "test", "generate", "tool"}, "cargo": {"run", "test"}, "dotnet": run, "deno": {"task"}, "bundle": {"exec"},
		"docker": {"compose", "build"}, "podman": {"compose", "build"}, "node": {".", "-e", "--eval", "-p", "--run"},
		"ruby": {"-e"}, "perl": {"-e"}, "php": {"-r"},
	}
	for _, name := range []string{"sh", "bash", "zsh", "dash", "fish", "ksh", "pwsh", "powershell", "cmd"} {
		builders[name] = script
	}
	for _, name := range []string{"python", "python3", "py"} {
		builders[name] = []string{"-m", "-c"}
	}
	for _, name := range []string{"java", "tsx", "ts-node", "lua", "rscript", "julia", "osascript", "wscript", "cscript"} {
		builders[name] = []string{}
	}
	for _, name := range []string{"npm", "pnpm", "yarn", "bun"} {
		builders[name] = project
	}
	for _, name := range []string{"uv", "poetry", "pdm", "hatch", "pipenv", "rye"} {
		builders[name] = run
	}
	for _, name := range []string{"make", "gmake", "just", "task", "rake", "gradle", "mvn", "ant", "bazel", "docker-compose", "podman-compose", "tox", "nox"} {
		builders[name] = nil
	}
	return builders
}

// RunsOther reports whether a program, by its name or path, runs code that is not its own,
// such as an interpreter or a build tool.
func RunsOther(program string) bool {
	_, ok := verbsOf(builders(), program)
	return ok
}

// verbsOf looks a program up, also under its name without a version, such as python3.12.
func verbsOf(all map[string][]string, program string) (verbs []string, ok bool) {
	name := programName(program)
	if verbs, ok = all[name]; !ok {
		verbs, ok = all[strings.TrimRight(name, "0123456789.-")]
	}
	return verbs, ok
}

func programName(word string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	return strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".cmd")
}

// RunsUnnamed is the part of a command that runs code of the project which it does not name,
// such as go run; "" if none is known. A program behind another one, such as env,
// counts as well.
func RunsUnnamed(command []string) string {
	all := builders()
	for i, word := range command {
		name := programName(word)
		verbs, ok := verbsOf(all, word)
		if !ok {
			continue
		}
		if verbs == nil {
			return name
		}
		for _, arg := range command[i+1:] {
			if slices.Contains(verbs, strings.ToLower(arg)) {
				return name + " " + arg
			}
		}
	}
	return ""
}
