package gogen

// The sentence that a comment begins with.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
)

// synopsis takes the first sentence that describes something out of the paragraphs of a
// text. It skips orders to models before that sentence. The first paragraph may end in a colon
// if a list follows.
func synopsis(blocks []block) (sentence string, rest []block) {
	begun := false
	for i, b := range blocks {
		if b.kind != prose {
			continue
		}
		text := strings.Join(b.lines, "\n")
		if i+1 < len(blocks) && blocks[i+1].kind == item && !begun && gotext.Introduces(text) {
			return strings.Join(strings.Fields(text), " "), slices.Concat(blocks[:i], blocks[i+1:])
		}
		sentence, others := gotext.Describes(text, begun)
		switch begun = true; {
		case len(sentence) > longestSynopsis:
			return "", blocks
		case sentence != "" && others != "":
			rest = []block{{kind: prose, lines: strings.Split(others, "\n")}}
			fallthrough
		case sentence != "":
			return sentence, slices.Concat(blocks[:i], rest, blocks[i+1:])
		}
	}
	return purpose(blocks)
}

// purposes are headings of what an item does.
var purposes = []string{"Purpose", "Description", "Overview", "Summary"}

// purpose takes the sentence out of a list below such a heading: its first item.
func purpose(blocks []block) (sentence string, rest []block) {
	for i, b := range blocks {
		if b.kind != item || i == 0 || blocks[i-1].kind != heading || !slices.Contains(purposes, blocks[i-1].lines[0]) {
			continue
		}
		sentence, others := gotext.Describes(strings.Join(b.lines, "\n"), false)
		if sentence == "" || others != "" || len(sentence) > longestSynopsis {
			continue
		}
		behind := slices.Clone(blocks[i+1:])
		for n := 0; n < len(behind) && behind[n].kind == item; n++ {
			if b.mark != bullet {
				behind[n].mark = fmt.Sprintf(" %d. ", n+1)
			}
		}
		if len(behind) == 0 || behind[0].kind != item {
			i-- // the heading goes, too
		}
		return sentence, slices.Concat(blocks[:i], behind)
	}
	return "", blocks
}
