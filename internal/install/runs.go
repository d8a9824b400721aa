package install

// This file finds launches that run code of the project without naming its files.

import (
	"slices"
	"strings"
)

// builders returns the programs that run code from their working directory, each with the arguments that
// make it do so; nil means always.
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

// RunsOther reports whether a program, given by name or path, runs other code, as an interpreter or a
// build tool does.
func RunsOther(program string) bool {
	_, ok := verbsOf(builders(), program)
	return ok
}

// verbsOf looks a program up, also without a version in its name, such as python3.12.
func verbsOf(all map[string][]string, program string) (verbs []string, ok bool) {
	name := ProgramName(program)
	if verbs, ok = all[name]; !ok {
		verbs, ok = all[strings.TrimRight(name, "0123456789.-")]
	}
	return verbs, ok
}

// RunsUnnamed returns the part of a command that runs code of the project without naming it, such as go
// run; "" if there is no such part. Programs started by another program, such as env, are included.
func RunsUnnamed(command []string) string {
	all := builders()
	for i, word := range command {
		name := ProgramName(word)
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
