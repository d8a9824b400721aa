package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// Each script asks the program itself for the words, by the flag that
// urfave/cli answers.
const (
	bashCompletion = `_mcpgen() {
  local cur words
  cur="${COMP_WORDS[COMP_CWORD]}"
  words=$("${COMP_WORDS[@]:0:$COMP_CWORD}" ${cur:+"$cur"} --generate-bash-completion 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -o nospace -F _mcpgen mcpgen
`
	zshCompletion = `#compdef mcpgen
_mcpgen() {
  local -a words_
  words_=("${(@f)$("${words[@]:0:$CURRENT-1}" --generate-bash-completion 2>/dev/null)}")
  _describe 'mcpgen' words_
}
compdef _mcpgen mcpgen
`
	powershellCompletion = `Register-ArgumentCompleter -Native -CommandName mcpgen -ScriptBlock {
  param($word, $ast, $position)
  $words = $ast.CommandElements | ForEach-Object { "$_" } | Where-Object { $_ -ne $word }
  & $words[0] ($words | Select-Object -Skip 1) --generate-bash-completion |
    Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: `bash:       source <(mcpgen completion bash)
zsh:        source <(mcpgen completion zsh)
fish:       mcpgen completion fish | source
powershell: mcpgen completion powershell | Out-String | Invoke-Expression`,
		Action: func(c *cli.Context) error {
			script, err := completionScript(c.App, c.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}

func completionScript(app *cli.App, shell string) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return app.ToFishCompletion()
	case "powershell":
		return powershellCompletion, nil
	}
	return "", usage("completion: %q is not a known shell: choose bash, zsh, fish or powershell", shell)
}
