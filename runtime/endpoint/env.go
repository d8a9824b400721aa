package endpoint

import (
	"slices"
	"strings"
)

// inherited returns the variables that every child inherits regardless of [Inherit]. Without them many
// programs do not start, or behave as if in another place.
//
// They are the variables that the protocol's TypeScript and Python SDKs pass, so that servers which work
// with those SDKs work here, and a few more without secrets: where temporary files go, the user's
// language and time zone, and on Windows what the command interpreter needs, since npx is a script there.
func inherited(goos string) []string {
	if goos == "windows" {
		return []string{
			"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE",
			"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE",
			"COMSPEC", "TMP", "WINDIR",
		}
	}
	return []string{
		"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
		"LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ",
	}
}

func isInherited(goos, name string) bool {
	return slices.ContainsFunc(inherited(goos), func(known string) bool { return sameName(goos, known, name) })
}

// sameName compares names of variables by the rule of the operating system.
func sameName(goos, a, b string) bool {
	if goos == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// Prefixes of variables that hold secrets and inputs. Such a variable is only passed to servers that may
// have the secret, or whose configuration asks for the input. No server inherits one with all variables.
const (
	SecretVariable = "MCPGEN_SECRET_"
	InputVariable  = "MCPGEN_INPUT_"
)

// Variable returns the variable for a name: the prefix, and the name in upper case with _ for every
// character that is not an ASCII letter or digit.
func Variable(prefix, name string) string {
	return prefix + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// without reports whether All excludes a variable.
func (i Inherit) without(name string) bool {
	name = strings.ToUpper(name)
	excluded := func(word string) bool { return strings.Contains(name, strings.ToUpper(word)) }
	return strings.HasPrefix(name, SecretVariable) || strings.HasPrefix(name, InputVariable) ||
		slices.ContainsFunc(i.Without, excluded)
}

// environment returns the complete environment of a child. Of parent, the environment of this process,
// only the names are used; values come from lookup.
func environment(goos string, inherit Inherit, parent []string, lookup func(string) (string, bool), own []Var) []Var {
	var names []string
	if inherit.All {
		for _, entry := range parent {
			// Windows stores a working directory for each drive in names such as "=C:".
			end := strings.IndexByte(entry[min(1, len(entry)):], '=')
			if end >= 0 && (!inherit.without(entry[:end+1]) || isInherited(goos, entry[:end+1])) {
				names = append(names, entry[:end+1])
			}
		}
	} else {
		names = inherited(goos)
	}
	names = append(names, inherit.Names...)

	var env []Var
	set := func(v Var) {
		if i := slices.IndexFunc(env, func(other Var) bool { return sameName(goos, other.Name, v.Name) }); i >= 0 {
			env[i] = v
			return
		}
		env = append(env, v)
	}
	for _, name := range names {
		if value, ok := lookup(name); ok && !strings.HasPrefix(value, "()") && !strings.ContainsRune(value, 0) {
			set(Var{Name: name, Value: value})
		}
	}
	for _, v := range own {
		set(v)
	}
	return env
}
