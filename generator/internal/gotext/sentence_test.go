package gotext

import "testing"

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		" \n":                    "",
		"The page ":              "The page.",
		"The page.":              "The page.",
		"Which one?":             "Which one?",
		"a color without #":      "a color without #.",
		`such as "id"`:           `such as "id".`,
		"a page (at most 100)":   "a page (at most 100).",
		"A page (of 100.)":       "A page (of 100.)",
		"Options are:":           "Options are:",
		"**Required.**":          "**Required.**",
		"ends in code `x`":       "ends in code `x`.",
		"100%":                   "100%.",
		"ページ。":                   "ページ。",
		"see https://a.example/": "see https://a.example/.",
		"()":                     "().",
	} {
		if got := Sentence(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
