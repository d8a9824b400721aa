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
	all := strings.ToLower(strings.Join(r.names(), ", "))
	if i := strings.LastIndex(all, ", "); i >= 0 {
		return all[:i] + " and " + all[i+len(", "):]
	}
	return all
}

// GoString is r as Go source.
func (r Requirements) GoString() string {
	var fields []string
	for _, name := range r.names() {
		fields = append(fields, name+": true")
	}
	return "endpoint.Requirements{" + strings.Join(fields, ", ") + "}"
}

// names returns the fields that are set.
func (r Requirements) names() (names []string) {
	for _, part := range []struct {
		name string
		set  bool
	}{{"Policy", r.Policy}, {"Audit", r.Audit}, {"Ledger", r.Ledger}, {"Secrets", r.Secrets}} {
		if part.set {
			names = append(names, part.name)
		}
	}
	return names
}
