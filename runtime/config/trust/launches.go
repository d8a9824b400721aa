package trust

// This file finds what the files of a project start, for a person to review: any object with a command or
// an address, including hooks.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// maxLaunches bounds the launches of one project, and maxNesting their depth in a file.
const (
	maxLaunches = 500
	maxNesting  = 32
)

// A Launch is something that a file of a project starts or reaches: a server, or a hook. What looks
// secret is hidden.
type Launch struct {
	File      string   `json:"file"`                // slash path below the project
	Place     string   `json:"place"`               // path in the file, such as mcpServers.github
	Command   []string `json:"command,omitempty"`   // program and arguments, as written
	Dir       string   `json:"dir,omitempty"`       // working directory; "" if not set
	URL       string   `json:"url,omitempty"`       // of a remote server
	EnvFile   string   `json:"envFile,omitempty"`   // a file with variables
	Variables []string `json:"variables,omitempty"` // NAME=value, sorted
	Headers   []string `json:"headers,omitempty"`   // names, sorted
	Runs      string   `json:"runs,omitempty"`      // part of Command that runs unnamed code; edits of it go unnoticed
	Hash      string   `json:"hash"`                // of the whole launch, including hidden values
}

func (l Launch) same(other Launch) bool { return l.Hash == other.Hash }

// maxLine bounds the characters of a command on one line, and maxWord the characters of one argument.
const (
	maxLine = 100
	maxWord = 160
)

// Lines returns the launch without its hash, for display: the whole command or the address, then working
// directory and variables. A long command has a line for each argument. A long argument is shortened in
// the middle, with its length.
func (l Launch) Lines() []string {
	words := make([]string, len(l.Command))
	for i, word := range l.Command {
		words[i] = shownWord(word)
	}
	lines := []string{strings.Join(words, " ")}
	if utf8.RuneCountInString(lines[0]) > maxLine {
		lines = words
	}
	if l.URL != "" {
		if lines[0] == "" {
			lines = nil
		}
		lines = append(lines, shortened(l.URL))
	}
	if l.Dir != "" {
		lines = append(lines, "in the folder "+shownWord(l.Dir))
	}
	for _, pair := range l.Variables {
		lines = append(lines, "with "+shownWord(pair))
	}
	if l.EnvFile != "" {
		lines = append(lines, "with the variables of "+shownWord(l.EnvFile))
	}
	if len(l.Headers) > 0 {
		lines = append(lines, "with the headers "+shortened(strings.Join(l.Headers, ", ")))
	}
	if l.Runs != "" {
		lines = append(lines, "runs code of the project ("+l.Runs+"): mcpgen does not ask again after edits of that code")
	}
	return lines
}

// shownWord returns a word of a command, quoted if necessary.
func shownWord(word string) string {
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`"'\`, r) }) {
		word = fmt.Sprintf("%q", word)
	}
	return shortened(word)
}

// shortened drops the middle of a long text and adds its length.
func shortened(text string) string {
	runes := []rune(text)
	if len(runes) <= maxWord {
		return text
	}
	const half = maxWord / 2
	return fmt.Sprintf("%s…%s (%d characters)", string(runes[:half]), string(runes[len(runes)-half:]), len(runes))
}

// launches records the launches of a file. Keys are the members that count; nil means all.
func (p *digest) launches(file string, plain []byte, keys []string) {
	for _, m := range members(plain) {
		if keys == nil || slices.ContainsFunc(keys, func(key string) bool { return strings.EqualFold(key, m.name) }) {
			p.launchesIn(file, m.name, m.value, 0)
		}
	}
}

func (p *digest) launchesIn(file, place string, raw json.RawMessage, depth int) {
	raw = bytes.TrimSpace(raw)
	if depth > maxNesting || len(p.Launches) > maxLaunches || len(raw) == 0 {
		return
	}
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // what does not decode has no elements
		for i, e := range list {
			p.launchesIn(file, fmt.Sprintf("%s[%d]", place, i), e, depth+1)
		}
	case '{':
		all := members(raw)
		if l := launchOf(all); len(l.Command) > 0 || l.URL != "" {
			l.File, l.Place, l.Hash = file, place, hashOf(jsontext.Compact(raw))
			p.Launches = append(p.Launches, l)
		}
		for _, m := range all {
			if !strings.EqualFold(m.name, "command") {
				p.launchesIn(file, place+"."+m.name, m.value, depth+1)
			}
		}
	}
}

// launchOf reads an object as a launch. All values of duplicate members are included, since readers
// differ in which one they use.
func launchOf(all []member) Launch {
	var l Launch
	var args []string
	for _, m := range all {
		switch strings.ToLower(m.name) {
		case "command":
			command := words(m.value)
			if command == nil { // an object with a path, as in older files of Zed
				inner := launchOf(renamed(members(m.value), "path", "command"))
				command, l.Variables = inner.Command, append(l.Variables, inner.Variables...)
			}
			l.Command = append(l.Command, command...)
		case "args":
			args = append(args, words(m.value)...)
		case "url", "httpurl", "serverurl", "endpoint", "baseurl":
			if l.URL != "" {
				l.URL += " "
			}
			l.URL += strings.Join(words(m.value), " ")
		case "cwd", "workingdirectory", "working_directory", "workingdir", "dir":
			l.Dir += strings.Join(words(m.value), " ")
		case "env", "environment":
			l.Variables = append(l.Variables, pairsOf(m.value)...)
		case "env_template":
			var pairs []json.RawMessage
			_ = json.Unmarshal(m.value, &pairs) // what is not a list has no pairs
			for _, pair := range pairs {
				if pair := words(pair); len(pair) > 0 {
					l.Variables = append(l.Variables, pairOf(pair[0], strings.Join(pair[1:], " ")))
				}
			}
		case "envfile", "env_file":
			l.EnvFile = strings.Join(words(m.value), " ")
		case "headers", "http_headers", "requestinit":
			l.Headers = append(l.Headers, namesOf(m.value)...)
		}
	}
	if len(l.Command) > 0 {
		l.Command = append(l.Command, args...)
	}
	secrets := credentials.ArgCredentials(l.Command)
	for i, word := range l.Command {
		l.Command[i] = hide(word, secrets)
	}
	l.URL, l.Runs = hideCredentials(l.URL), install.RunsUnnamed(l.Command)
	slices.Sort(l.Variables)
	slices.Sort(l.Headers)
	return l
}

// hideCredentials hides passwords and tokens; the hash covers them.
func hideCredentials(text string) string { return hide(text, credentials.Credentials(text)) }

// hide replaces secrets in a text.
func hide(text string, secrets []string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return text
}

// member is one member of an object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of an object in file order, including duplicates; nil for other values.
func members(raw json.RawMessage) []member {
	if jsontext.First(raw) != '{' {
		return nil
	}
	var out []member
	for items := jsontext.NewItems(raw); items.Next(); {
		out = append(out, member{string(items.Key()), items.Value})
	}
	return out
}

func renamed(all []member, from, to string) []member {
	for i, m := range all {
		if strings.EqualFold(m.name, from) {
			all[i].name = to
		}
	}
	return all
}

// words returns a string, or the strings of a list, as a list; nil for other values.
func words(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = fmt.Sprint(e)
	}
	return out
}

// namesOf returns the names of an object's members, or the names in a list of NAME=value.
func namesOf(raw json.RawMessage) []string {
	var out []string
	for _, pair := range pairsOf(raw) {
		name, _, _ := strings.Cut(pair, "=")
		out = append(out, name)
	}
	return out
}

// pairsOf returns the members of an object, or the elements of a list, as NAME=value. What looks secret
// is hidden.
func pairsOf(raw json.RawMessage) []string {
	var out []string
	for _, m := range members(raw) {
		value := string(m.value)
		if text := words(m.value); len(text) == 1 {
			value = text[0]
		}
		out = append(out, pairOf(m.name, value))
	}
	if out == nil {
		for _, text := range words(raw) {
			name, value, _ := strings.Cut(text, "=")
			out = append(out, pairOf(name, value))
		}
	}
	return out
}

// pairOf returns NAME=value. A value that looks secret is hidden.
func pairOf(name, value string) string {
	if value = hideCredentials(value); credentials.NamesSecret(name) || credentials.LooksRandom(value) {
		value = "…"
	}
	return name + "=" + value
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
