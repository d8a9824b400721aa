package nearest

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	known := []string{"command", "args", "env", "inherit_env", "url", "headers"}
	for word, want := range map[string]string{
		"comand": "command", "Command": "command", "inherit-env": "inherit_env", "inheritEnv": "inherit_env",
		"environment": "env", "arg": "args", "header": "headers", "uri": "url", "colour": "", "x": "", "": "",
		"foo": "", "abs": "", "lru": "url", "env_": "env",
		strings.Repeat("command", 1000): "",
	} {
		if got := Of(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
