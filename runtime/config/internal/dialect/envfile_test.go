package dialect

import "testing"

// FuzzEnvFile reads foreign bytes as a file of variables.
func FuzzEnvFile(f *testing.F) {
	f.Add([]byte("A=1\nexport B='x y'\n# c\nC: d\nD=\"$A\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parseEnv(data); err != nil && err.Error() == "" {
			t.Error("parseEnv has an error without a text")
		}
	})
}
