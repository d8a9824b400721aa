package endpoint

import (
	"slices"
	"testing"
)

// Windows compares the names of variables without regard to case, which the
// other systems' tests cannot show.
func TestEnvironmentOnWindows(t *testing.T) {
	vars := map[string]string{"Path": `C:\bin`, "PATH": `C:\bin`, "SYSTEMROOT": `C:\Windows`, "COMSPEC": "cmd", "TOKEN": "no"}
	lookup := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	got := environment("windows", Inherit{}, nil, lookup, []Var{{"Path", "own"}})
	if want := []string{"Path=own", `SYSTEMROOT=C:\Windows`, "COMSPEC=cmd"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	vars["=C:"] = `C:\here`
	got = environment("windows", Inherit{All: true}, []string{`=C:=C:\here`, `Path=C:\bin`, "broken", ""}, lookup, []Var{{"path", "own"}})
	if want := []string{`=C:=C:\here`, "path=own"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnvironmentOnUnix(t *testing.T) {
	vars := map[string]string{"PATH": "/bin", "Path": "other", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "GITHUB_TOKEN": "no", "F": "() { :; }", "N": "a\x00"}
	lookup := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	got := environment("linux", Inherit{Names: []string{"Path", "F", "N", "PATH"}}, nil, lookup, []Var{{"path", "own"}, {"F", "() as configured"}})
	want := []string{"PATH=/bin", "LANG=C.UTF-8", "TMPDIR=/tmp", "Path=other", "path=own", "F=() as configured"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNamesSecret(t *testing.T) {
	for name, want := range map[string]bool{
		"GITHUB_TOKEN": true, "Authorization": true, "x-api-key": true, "DB_PASSWORD": true, "OPENAI_APIKEY": true, "NPM_AUTH": true,
		"client_secret": true, "Cookie": true, "DEBUG": false, "GIT_AUTHOR_NAME": false, "AUTH_MODE": false, "KEYBOARD": false, "": false,
	} {
		if NamesSecret(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}
