package endpoint

import (
	"slices"
	"strings"
)

// inherited returns the variables that every child gets, whatever [Inherit]
// says: without them many programs do not start, or answer for another place.
//
// They are those that the protocol's TypeScript and Python SDKs pass, so that a
// server which works under those works here, and a few more that hold no secret
// either: where temporary files go, which language and time zone the user has,
// and on Windows what the command interpreter needs, since npx is a script there.
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

// sameName compares the names of variables as the system does.
func sameName(goos, a, b string) bool {
	if goos == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// What the names of variables begin with that hold a secret for the servers which may
// have it, and an input for those whose configuration asks for it. No server gets one by
// inheriting all variables.
const (
	SecretVariable = "MCPGEN_SECRET_"
	InputVariable  = "MCPGEN_INPUT_"
)

// Variable is the name of the variable with a prefix for something of any name: that in
// capital letters, with _ for all but ASCII letters and digits.
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

// without reports whether All leaves a variable out.
func (i Inherit) without(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, SecretVariable) || strings.HasPrefix(name, InputVariable) || slices.ContainsFunc(i.Without, func(word string) bool { return strings.Contains(name, strings.ToUpper(word)) })
}

// environment returns the complete environment of a child. Parent is that of
// this process, for its names only: values come from lookup.
func environment(goos string, inherit Inherit, parent []string, lookup func(string) (string, bool), own []Var) []Var {
	var names []string
	if inherit.All {
		for _, entry := range parent {
			// Windows keeps a working directory per drive in names such as "=C:".
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
