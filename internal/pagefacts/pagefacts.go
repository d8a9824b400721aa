// Package pagefacts holds the facts that pages for people show next to the decisions about servers: permissions,
// drift, call sites and history. Commands find these facts; generator/internal/textgen renders them.
package pagefacts

// Facts are what the pages of the catalogue show beside what was decided about the
// servers. The zero value is nothing: no policy, and neither code, servers nor
// history were looked at. Texts may be anybody's.
type Facts struct {
	// Policy says in words what becomes of a call that no rule speaks about; "" is a
	// project without a policy, in which every call is allowed.
	Policy string
	// Items are the facts about single items. A missing one has the zero value.
	Items map[ItemID]ItemFacts
	// Code is how the module was searched for call sites; nil is not at all.
	Code *CodeFacts
	// Live says that the servers were compared with the lock.
	Live bool
	// History is how the lock came to be what it is; nil was not looked at.
	History *History
	// Consumers are the modules that use the servers; nil if no module is known.
	Consumers *Consumers
}

// ItemID names an item of a server.
type ItemID struct {
	Server string // configured name
	Kind   string // tool, prompt, resource or template
	Name   string // wire name, URI or URI template
}

// ItemFacts are the facts about one item.
type ItemFacts struct {
	Access Access
	Drift  Drift
	Sites  []Site   // lines of the module that call it, by file and line
	Marks  []string // what rules on its text say, in words
	Users  []string // modules that use it, in words
}

// Access is the policy's decision about a call with any arguments. The zero value
// is a project without a policy.
type Access struct {
	Decision string // allowed, denied or ask
	Rule     string // the rule that decided; "" if none did
	File     string // where the rule stands; "" if unknown
	Reason   string // in words
}

// Drift is how an item of the running server differs from the locked one. The zero
// value was not compared.
type Drift struct {
	State   string   // unchanged, the worst severity of the changes, or why it is unknown
	Changes []string // in words
}

// Site is a line that calls an item.
type Site struct {
	File string // relative to the repository, with slashes
	Line int
	Code string // the line itself; "" if it could not be read
	Href string // a page of a forge that shows it; "" if there is none
}

// CodeFacts are how the module was searched.
type CodeFacts struct {
	Unseen []string // what could not be searched, and why
}

// History is the history of the lock, the latest event first.
type History struct {
	Events []Event
	Note   string // what is missing, and why; "" is nothing
}

// Event is a commit that changed the lock.
type Event struct {
	Date    string // year-month-day
	Commit  string // abbreviated hash
	Subject string // first line of the message
	Servers []ServerEvent
}

// ServerEvent is one change of a server.
type ServerEvent struct {
	Server string
	// Verdict is the worst severity of the changes, or new, or gone; "" if it was
	// not judged.
	Verdict string
	// Added, Removed and Changed are the names of items.
	Added, Removed, Changed []string
	Reworded                int // items of which only words changed
}

// Consumers are the modules that use servers, as they pushed it to a registry.
type Consumers struct {
	Modules []Consumer // by server and module
	Note    string     // what is missing, and why; "" is nothing
}

// Consumer is a module that uses a server.
type Consumer struct {
	Server, Module, Commit string
	Version                string   // of the server that the module uses, or the digest of the snapshot
	State                  string   // fits or breaks: the module with the locked definitions; else unknown
	Uses                   []string // in words
	Changes                []string // that break the module, in words
}

// Change changes the facts about an item.
func (f *Facts) Change(id ItemID, change func(*ItemFacts)) {
	known := f.Items[id]
	change(&known)
	if f.Items == nil {
		f.Items = map[ItemID]ItemFacts{}
	}
	f.Items[id] = known
}
