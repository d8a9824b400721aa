package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// Each script completes command lines that begin with mcpgen, go tool mcpgen or go tool
// -modfile=FILE mcpgen: it runs them with [completionFlag] added. For other commands of go, it keeps the
// previous completion.
const (
	bashCompletion = `_mcpgen() {
  local line=${COMP_LINE:0:COMP_POINT} words word done
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[${#words[@]}-1]}
  done=${word%"${word##*[=:]}"} # bash replaces what is behind the last = or :
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    [[ $word == *[=/] ]] || word+=" "
    COMPREPLY+=("${word#"$done"}")
  done < <("${words[@]}" FLAG 2>/dev/null)
}
complete -o bashdefault -o default -o nospace -F _mcpgen mcpgen

if ! complete -p go 2>/dev/null | grep -q ' -F _mcpgen_go '; then
  _mcpgen_go_before=$(complete -p go 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
fi
_mcpgen_go() {
  if [[ ${COMP_LINE:0:COMP_POINT} =~ ^go\ +tool\ +(-modfile=[^ ]+\ +)?mcpgen\  ]]; then
    _mcpgen
  elif [[ -n $_mcpgen_go_before ]]; then
    "$_mcpgen_go_before" "$@"
  fi
}
complete -o bashdefault -o default -o nospace -F _mcpgen_go go
`
	zshCompletion = `#compdef mcpgen
_mcpgen() {
  local -a whole begun
  local line word about
  for line in "${(@f)$("${(@)words[1,CURRENT]}" FLAG 2>/dev/null)}"; do
    word=${line%%$'\t'*} about=${line#*$'\t'}
    [[ -z $word ]] && continue
    [[ $about == $line ]] && about=
    if [[ $word == *[=/] ]]; then
      begun+=("${word//:/\\:}:$about")
    else
      whole+=("${word//:/\\:}:$about")
    fi
  done
  (( $#whole + $#begun )) || { _files; return }
  (( $#whole )) && _describe mcpgen whole
  (( $#begun )) && _describe mcpgen begun -S ''
}
_mcpgen_go() {
  if [[ "$words[2,CURRENT-1] " == tool\ (-modfile=*\ |)mcpgen\ * ]]; then
    _mcpgen
  elif (( $+functions[_go] || $+functions[_golang] )); then
    (( $+functions[_go] )) && _go || _golang
  else
    _files
  fi
}
compdef _mcpgen mcpgen
compdef _mcpgen_go go
`
	fishCompletion = `function __mcpgen_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  command $words "$word" FLAG 2>/dev/null
end
complete -c mcpgen -f -a '(__mcpgen_complete)'
complete -c mcpgen -l config -r -F
complete -c mcpgen -l mcp -r -F
complete -c go -n 'string match -qr -- "^go +tool +(-modfile=[^ ]+ +)?mcpgen " (commandline -pc)" "' -f -a '(__mcpgen_complete)'
`
	powershellCompletion = `Register-ArgumentCompleter -Native -CommandName mcpgen, go -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  if ($words[0] -eq 'go' -and "$words" -notmatch '^go tool (-modfile=\S+ )?mcpgen( |$)') { return }
  & $words[0] @($words | Select-Object -Skip 1) "$word" FLAG |
    ForEach-Object { $text, $about = $_ -split [char]9, 2
      [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $(if ($about) { $about } else { $text })) }
}
`
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for a shell",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: `Commands, flags, servers, tools, the arguments of a tool and the values of an enum are
completed from the lock: no server is started.

  bash:       source <(mcpgen completion bash)
  zsh:        source <(mcpgen completion zsh)
  fish:       mcpgen completion fish | source
  powershell: mcpgen completion powershell | Out-String | Invoke-Expression`,
		Action: func(c *cli.Context) error {
			script, err := completionScript(c.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}

func completionScript(shell string) (string, error) {
	script, ok := map[string]string{
		"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion, "powershell": powershellCompletion,
	}[shell]
	switch {
	case shell == "":
		return "", hint.With(usage("completion: want the name of a shell"), "use bash, zsh, fish or powershell")
	case !ok:
		return "", hint.With(usage("completion: %q is not a known shell", shell), "use bash, zsh, fish or powershell")
	}
	return strings.ReplaceAll(script, "FLAG", completionFlag), nil
}
