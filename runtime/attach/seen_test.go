package attach

import (
	"testing"
)

func TestStackTrace(t *testing.T) {
	for text, want := range map[string]string{
		"Traceback (most recent call last):\n  File \"s.py\", line 1, in <module>\n    import mcp\nModuleNotFoundError: No module named 'mcp'\n":                                                                      "ModuleNotFoundError: No module named 'mcp'",
		"Traceback (most recent call last):\n  File \"a\"\nKeyError: 'A'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"b\"\nValueError: b\n": "ValueError: b",
		"node:internal/modules/cjs/loader:1215\n  throw err;\n  ^\n\nError: Cannot find module '/srv/x.js'\n    at Module._resolveFilename (node:internal)\n\nNode.js v20.20.2\n":                                     "Error: Cannot find module '/srv/x.js'",
		"TypeError [ERR_INVALID_ARG_TYPE]: The \"path\" argument\n    at x (y.js:1:1)\n":                                                                                                                              "TypeError [ERR_INVALID_ARG_TYPE]: The \"path\" argument",
		"panic: no key\n\ngoroutine 1 [running]:\nmain.main()\n":                                                                                                                                                      "panic: no key",
		"thread 'main' panicked at src/main.rs:3:5:\nno key\nnote: run with":                                                                                                                                          "thread 'main' panicked at src/main.rs:3:5:\nno key",
		"Error: API_KEY is not set\n": "",
		"listening\n":                 "",
		"":                            "",
	} {
		if got := stackTrace(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
