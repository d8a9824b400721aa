// What is agreed with a server before anything else: what it may ask for, and which revision
// of the protocol is spoken.

package endpoint

import (
	"encoding/json"
	"strings"
)

// Offers are what servers may ask of a client.
type Offers struct {
	Forms    bool // input of a person: elicitation/create
	Pages    bool // also pages to open; needs Forms
	Sampling bool // a model's answer: sampling/createMessage
	Roots    bool // the folders that the program works in: roots/list
}

// OffersOf reads what a client declared, in the protocol's form. What cannot be read is
// nothing.
func OffersOf(capabilities json.RawMessage) Offers {
	var c struct {
		Elicitation     *struct{ URL *struct{} }
		Sampling, Roots *struct{}
	}
	if json.Unmarshal(capabilities, &c) != nil {
		return Offers{}
	}
	return Offers{Forms: c.Elicitation != nil, Pages: c.Elicitation != nil && c.Elicitation.URL != nil, Sampling: c.Sampling != nil, Roots: c.Roots != nil}
}

// Capabilities returns o in the protocol's form, as canonical JSON.
func (o Offers) Capabilities() json.RawMessage {
	var all []string
	switch {
	case o.Forms && o.Pages:
		all = append(all, `"elicitation":{"form":{},"url":{}}`)
	case o.Forms:
		all = append(all, `"elicitation":{"form":{}}`)
	}
	if o.Roots {
		all = append(all, `"roots":{}`)
	}
	if o.Sampling {
		all = append(all, `"sampling":{}`)
	}
	return json.RawMessage("{" + strings.Join(all, ",") + "}")
}

// String returns o as the key client of an mcpgen.yaml has it.
func (o Offers) String() string {
	var all []string
	switch {
	case o.Forms && o.Pages:
		all = append(all, "elicitation: true")
	case o.Forms:
		all = append(all, "elicitation: form")
	}
	if o.Sampling {
		all = append(all, "sampling: true")
	}
	if o.Roots {
		all = append(all, "roots: true")
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// And returns what both have.
func (o Offers) And(p Offers) Offers {
	return Offers{o.Forms && p.Forms, o.Pages && p.Pages, o.Sampling && p.Sampling, o.Roots && p.Roots}
}

// Beyond names the capabilities that o has and p has not, as the protocol calls them;
// elicitation.url are pages where p has forms.
func (o Offers) Beyond(p Offers) []string {
	var all []string
	switch {
	case o.Forms && !p.Forms:
		all = append(all, "elicitation")
	case o.Pages && !p.Pages:
		all = append(all, "elicitation.url")
	}
	if o.Sampling && !p.Sampling {
		all = append(all, "sampling")
	}
	if o.Roots && !p.Roots {
		all = append(all, "roots")
	}
	return all
}

// Revisions are those of the protocol that can be spoken, newest first.
func Revisions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}
