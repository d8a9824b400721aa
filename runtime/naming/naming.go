// Package naming joins a server and a tool into one qualified name and takes
// such a name apart again. Names that a model sees always satisfy
// ^[A-Za-z_][A-Za-z0-9_-]{0,63}$, whatever the scheme.
package naming
