package runtime

// This file holds what one asks for completions with, and what comes.

// CompleteArgs asks how the value of an argument can go on. The argument is one
// of a prompt, or a variable of a resource template.
type CompleteArgs struct {
	Prompt   string            // name of the prompt, or
	Resource string            // URI or URI template; never both
	Argument string            // name of the argument or variable
	Value    string            // what is there of the value so far
	Context  map[string]string // arguments that have their value already; nil means none
}

// Completion is what a server proposes.
type Completion struct {
	Values  []string // whole values, not what is to be appended
	Total   int      // how many there are in all; 0 if the server does not say
	HasMore bool     // Values are not all
}
