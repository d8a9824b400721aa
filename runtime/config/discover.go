// Looking for the server files of every system, for a person who starts.

package config

// Found is one server file that exists on a machine, or in a project. It holds
// no value of an environment variable or a header.
type Found struct {
	Format string // dialect
	Path   string // absolute
	Scope  string // project, local, user, system or managed
	Left   string // why the file is not used, such as "untrusted"; "" if it is

	Servers []FoundServer // in the order of the file
	Errors  []error       // each an [*Error]: what is wrong in it
	Notices []Notice      // what should be known
}

// FoundServer is one server of a [Found].
type FoundServer struct {
	Name      string
	Line      int
	Transport string   // stdio, http or sse
	Target    string   // command and arguments, or the URL's origin; secrets masked
	Uses      []string // variables of the environment, and secrets and inputs with their prefix
	Left      string   // why the server is not used; "" if it is
}
