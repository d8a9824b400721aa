// What the configuration of a server asks of the program that attaches to it.

package endpoint

// A Requirement is a part of a configuration that no server carries out by itself: the
// program that attaches to the servers has to.
type Requirement string

// The requirements.
const (
	RequirePolicy  Requirement = "policy"  // somebody decides who may call what
	RequireAudit   Requirement = "audit"   // calls are written down
	RequireLedger  Requirement = "ledger"  // which tools there are is written down
	RequireSecrets Requirement = "secrets" // a text names a secret, which a policy has to allow and a source has to hold
)
