// What the configuration of a server asks of the program that attaches to it.

package endpoint

import "strings"

// Requirements are the parts of a configuration that no server carries out by
// itself: the program that attaches to the servers has to. The zero value is
// none of them.
type Requirements struct {
	Policy  bool // somebody decides who may call what
	Audit   bool // calls are written down
	Ledger  bool // which tools there are is written down
	Secrets bool // a text names a secret, which a policy has to allow and a source has to hold
}

// Missing returns those of r that given lacks.
func (r Requirements) Missing(given Requirements) Requirements {
	return Requirements{
		Policy:  r.Policy && !given.Policy,
		Audit:   r.Audit && !given.Audit,
		Ledger:  r.Ledger && !given.Ledger,
		Secrets: r.Secrets && !given.Secrets,
	}
}

// String names them, such as "policy and audit"; "" for none.
func (r Requirements) String() string {
	var names []string
	for _, part := range r.parts() {
		if part.set {
			names = append(names, strings.ToLower(part.name))
		}
	}
	switch n := len(names); n {
	case 0, 1, 2:
		return strings.Join(names, " and ")
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// GoString is r as Go source.
func (r Requirements) GoString() string {
	var fields []string
	for _, part := range r.parts() {
		if part.set {
			fields = append(fields, part.name+": true")
		}
	}
	return "endpoint.Requirements{" + strings.Join(fields, ", ") + "}"
}

type requirement struct {
	name string
	set  bool
}

func (r Requirements) parts() []requirement {
	return []requirement{{"Policy", r.Policy}, {"Audit", r.Audit}, {"Ledger", r.Ledger}, {"Secrets", r.Secrets}}
}
