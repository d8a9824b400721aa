package endpoint

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/internal/credentials"
)

// Windows compares the names of variables without regard to case, which the
// other systems' tests cannot show.
func TestEnvironmentOnWindows(t *testing.T) {
	vars := map[string]string{"Path": `C:\bin`, "PATH": `C:\bin`, "SYSTEMROOT": `C:\Windows`, "COMSPEC": "cmd", "TOKEN": "no"}
	lookup := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	got := (&Process{Env: environment("windows", Inherit{}, nil, lookup, []Var{{"Path", "own"}})}).Environ()
	if want := []string{"Path=own", `SYSTEMROOT=C:\Windows`, "COMSPEC=cmd"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	vars["=C:"] = `C:\here`
	got = (&Process{Env: environment("windows", Inherit{All: true}, []string{`=C:=C:\here`, `Path=C:\bin`, "broken", ""}, lookup, []Var{{"path", "own"}})}).Environ()
	if want := []string{`=C:=C:\here`, "path=own"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnvironmentOnUnix(t *testing.T) {
	vars := map[string]string{"PATH": "/bin", "Path": "other", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "GITHUB_TOKEN": "no", "F": "() { :; }", "N": "a\x00"}
	lookup := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	got := (&Process{Env: environment("linux", Inherit{Names: []string{"Path", "F", "N", "PATH"}}, nil, lookup, []Var{{"path", "own"}, {"F", "() as configured"}})}).Environ()
	want := []string{"PATH=/bin", "LANG=C.UTF-8", "TMPDIR=/tmp", "Path=other", "path=own", "F=() as configured"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNamesSecret(t *testing.T) {
	for name, want := range map[string]bool{
		"GITHUB_TOKEN": true, "OPENAI_APIKEY": true, "NPM_AUTH": true,
		"password": true, "Password": true, "db_password": true, "dbPassword": true, "DB_PASSWORD": true, "passwords": true, "password2": true,
		"token": true, "accessToken": true, "access-token": true, "GITHUB_PERSONAL_ACCESS_TOKEN": true, "next_page_token": true, "tokens": true,
		"secret": true, "secretValue": true, "apiKey": true, "APIKey": true, "api_key": true, "x-api-key": true, "apikey": true,
		"Authorization": true, "Proxy-Authorization": true, "cookie": true, "Set-Cookie": true, "privateKey": true, "private_key_base64": true,
		"AWS_SECRET_ACCESS_KEY": true, "session_id": true, "credentials": true, "otp": true, "signature": true, "DSN": false,
		"token_type": false, "max_tokens_count": false, "key": true, "name": false, "author": false, "passenger": false, "tokenizer": false,
		"secretary": false, "keyboard": false, "session": false, "monkey": false, "": false, "__": false, "authority": false, "bypass": false,
		"GITHUBTOKEN": true, "GITHUB_TOKEN_RO": true, "OPENAI_KEY": true, "--api-key": true, "sort_key": false, "AUTH_URL": false, "PASSWORD_FILE": false,
		"client_secret": true, "Cookie": true, "DEBUG": false, "GIT_AUTHOR_NAME": false, "AUTH_MODE": false, "KEYBOARD": false,
	} {
		if credentials.NamesSecret(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}
