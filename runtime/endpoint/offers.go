// What client and server agree on first: the capabilities of the client, and the revision of the
// protocol.

package endpoint

import (
	"encoding/json"
	"strings"
)

// Offers are the requests that a client answers.
type Offers struct {
	Forms    bool // input of a person: elicitation/create
	Pages    bool // also pages to open; requires Forms
	Sampling bool // a model's answer: sampling/createMessage
	Roots    bool // the folders that the program works in: roots/list
}

// OffersOf parses the capabilities that a client declared. If they cannot be parsed, the result is empty.
func OffersOf(capabilities json.RawMessage) Offers {
	var c struct {
		Elicitation     *struct{ URL *struct{} }
		Sampling, Roots *struct{}
	}
	if json.Unmarshal(capabilities, &c) != nil {
		return Offers{}
	}
	return Offers{Forms: c.Elicitation != nil, Pages: c.Elicitation != nil && c.Elicitation.URL != nil,
		Sampling: c.Sampling != nil, Roots: c.Roots != nil}
}

// Capabilities returns o as capabilities of the protocol, in canonical JSON.
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

// String returns o as written for the key client of an mcpgen.yaml.
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

// And returns the offers that both have.
func (o Offers) And(p Offers) Offers {
	return Offers{o.Forms && p.Forms, o.Pages && p.Pages, o.Sampling && p.Sampling, o.Roots && p.Roots}
}

// Beyond returns the protocol's names of the capabilities that o has and p lacks. elicitation.url means
// that p has forms but no pages.
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

// Revisions returns the supported protocol revisions, newest first.
func Revisions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}
