// The model of mcpgen.yaml. The json tags are the keys that the strict reader accepts. With the
// jsonschema tags, the JSON Schema of the file is made from the model by reflection.

package config

import (
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// File is an mcpgen.yaml as written, before imports and defaults. [Load] and [Parse] read it. It is
// exported for its schema.
type File struct {
	Schema   string                    `json:"$schema,omitempty" jsonschema_description:"The JSON Schema of this file, for editors. It has no effect."`
	Version  int                       `json:"version" jsonschema:"required,enum=1" jsonschema_description:"The version of this format: 1."`
	Output   string                    `json:"output,omitempty" jsonschema:"default=internal/mcp" jsonschema_description:"The folder for the generated packages, relative to this file and inside its folder, with slashes."`
	Import   []string                  `json:"import,omitempty" jsonschema_description:"Server files of other tools, relative to this file, or the name of a system such as tallow, for all files that it reads by itself. A server that is defined twice is taken from the first file that has it."`
	Naming   string                    `json:"naming,omitempty" jsonschema:"enum=dot,enum=underscore,enum=double-underscore,enum=mcp-double-underscore,enum=bare,default=double-underscore" jsonschema_description:"How server and tool become one qualified name. By default double-underscore; if all servers come from the files of one system, the names of that system."`
	Docs     Docs                      `json:"docs,omitempty" jsonschema:"oneof_type=boolean;string" jsonschema_extras:"pattern=^html$" jsonschema_description:"Write a page for each server beside the code: true in markdown, html for browsers, with an index.html over all servers. By default none."`
	Fakes    *bool                     `json:"fakes,omitempty" jsonschema:"default=true" jsonschema_description:"Write a package with a fake server for tests beside each package."`
	Lazy     bool                      `json:"lazy,omitempty" jsonschema:"default=false" jsonschema_description:"Start each server with its first call or listing. Until then a program knows its tools from the generated packages, or from when it used the server last."`
	Limits   *HostLimits               `json:"limits,omitempty" jsonschema_description:"How much all servers together may take of a program."`
	Budget   *Budget                   `json:"budget,omitempty" jsonschema_description:"How much of the tools of all servers a model may have to read."`
	Store    string                    `json:"store,omitempty" jsonschema:"pattern=^oci://" jsonschema_description:"The OCI registry, such as oci://registry.example/team, that mcpgen push and pull use: a server's snapshot is in mcp/SERVER below it. A registry on this machine is used without encryption."`
	Client   *Client                   `json:"client,omitempty" jsonschema_description:"What every server may ask for. A key under client of a server takes precedence."`
	Servers  map[string]Entry          `json:"servers,omitempty" jsonschema_description:"The servers by name."`
	Drift    *Drift                    `json:"drift,omitempty" jsonschema_description:"How changes of a server are judged."`
	Policy   *Policy                   `json:"policy,omitempty" jsonschema_description:"Who may call what. Without it every call is allowed, unless an imported file has permissions."`
	Profiles map[string]policy.Profile `json:"profiles,omitempty" jsonschema_description:"Parts of what the servers offer, by name: mcpgen serve offers each at an address of its own, to every caller that policy lets in."`
	Audit    *Audit                    `json:"audit,omitempty" jsonschema_description:"Write down who called what."`
	Ledger   *Ledger                   `json:"ledger,omitempty" jsonschema_description:"Write down which tools there are, and since when."`
}

// Entry is one server of [File.Servers]. With a command it is a program to start, with a URL a server to
// connect to. With neither, it configures the imported server of the same name.
type Entry struct {
	Command    string             `json:"command,omitempty" jsonschema_description:"The program to start. A path with a separator is relative to this file. Here and in the other texts ${env:X} is a variable of the environment, ${env:X:-text} the text where X is not set or empty, ${dir} the folder of this file, and $${ a ${."`
	Args       []string           `json:"args,omitempty" jsonschema_description:"Arguments of the program. They are not given to a shell."`
	Env        Vars               `json:"env,omitempty" jsonschema_description:"Environment variables of the program. They win over inherited ones."`
	InheritEnv Inherit            `json:"inherit_env,omitempty" jsonschema:"oneof_type=string;array" jsonschema_extras:"pattern=^all$" jsonschema_description:"Names of variables that the program gets from the environment, or all. It always gets PATH, HOME and a few more that programs need to start."`
	URL        string             `json:"url,omitempty" jsonschema_description:"The address of a remote server, http or https."`
	Headers    Vars               `json:"headers,omitempty" jsonschema_description:"HTTP headers for every request to a remote server."`
	Auth       *Auth              `json:"auth,omitempty" jsonschema_description:"How requests to a remote server are authorised. By default the headers, and OAuth if the server asks for it."`
	Transport  string             `json:"transport,omitempty" jsonschema:"enum=stdio,enum=http,enum=sse" jsonschema_description:"How mcpgen talks to the server. By default stdio with a command; with a url http, then sse."`
	Package    string             `json:"package,omitempty" jsonschema:"pattern=^[a-z][a-z0-9]*$" jsonschema_description:"The name of the Go package. By default the letters and digits of the server's name."`
	Tools      *Tools             `json:"tools,omitempty" jsonschema_description:"Which tools get code, and under which Go names."`
	Results    map[string]string  `json:"results,omitempty" jsonschema_description:"Tool to JSON Schema file, relative to this file: the result where the server declares none."`
	Types      map[string]string  `json:"types,omitempty" jsonschema_description:"Names and types of generated code. The Go name of a nested type, or its place such as list_issues/args/filter, gets a new name. The place of a number, whose tool may be a glob, gets a Go type: int, int64, uint64, float64, or decimal for json.Number. The place of an object of arguments gets open: room for members that its schema does not declare. place_names: all gives every nested type and constant a name by place, too, for libraries whose users are elsewhere."`
	Decode     string             `json:"decode,omitempty" jsonschema:"enum=strict,enum=lenient,default=strict" jsonschema_description:"What a program gets of a typed result that breaks its own schema: strict, an error; lenient, what fits, with a notice that names the first place that does not."`
	Enabled    *bool              `json:"enabled,omitempty" jsonschema:"default=true" jsonschema_description:"False leaves the server out."`
	Lazy       *bool              `json:"lazy,omitempty" jsonschema_description:"Start the server with its first call or listing. By default lazy of the whole file decides."`
	Budget     *Budget            `json:"budget,omitempty" jsonschema_description:"How much of the server's tools a model may have to read."`
	Resources  string             `json:"resources,omitempty" jsonschema:"enum=locked,enum=open" jsonschema_description:"Which resources may be read. locked: those in the lock, those that its templates make and those that results of its tools link to. open: all. By default locked for a server with skills or pages, else open. Skills and pages themselves are always held to the lock."`
	Artifacts  string             `json:"artifacts,omitempty" jsonschema:"enum=locked" jsonschema_description:"locked: only bytes that are in the lock run. An npm package runs with the dependencies of package-lock.json in its Go package, without install scripts; a program or script is compared with its own hash for each system. By default the lock covers the package that a launch names, and not its dependencies."`
	Scripts    []string           `json:"install_scripts,omitempty" jsonschema_description:"With artifacts: locked, the npm packages whose install scripts run."`
	Client     *Client            `json:"client,omitempty" jsonschema_description:"What the server may ask for, the same for every command and program. A server may offer more to a client that answers. Commands decline each request, and so do programs without a handler. By default commands declare nothing, and programs declare what they have handlers for."`
	Protocol   string             `json:"protocol,omitempty" jsonschema:"enum=2026-07-28,enum=2025-11-25,enum=2025-06-18,enum=2025-03-26,enum=2024-11-05" jsonschema_description:"The only revision of the protocol to use. By default the newest that the server speaks."`
	From       string             `json:"from,omitempty" jsonschema:"pattern=^oci://" jsonschema_description:"The repository, such as oci://registry.example/team/mcp/github, that mcpgen push wrote; with :TAG or @DIGEST, else the tag latest. What the server offers comes from there: generate, update and check pull it and do not start the server. Programs and mcpgen call do."`
	AllowEmpty bool               `json:"allow_empty,omitempty" jsonschema:"default=false" jsonschema_description:"A server without tools is not an error."`
	Timeout    *endpoint.Timeouts `json:"timeout,omitempty" jsonschema_description:"How long to wait."`
	Limits     *endpoint.Limits   `json:"limits,omitempty" jsonschema_description:"How much the server may send."`
}

// Client holds the client capabilities that are declared to a server. A missing key is false, unless the
// client of the whole file sets it.
type Client struct {
	Elicitation *Elicitation `json:"elicitation,omitempty" jsonschema:"oneof_type=boolean;string" jsonschema_extras:"pattern=^form$" jsonschema_description:"Input of a person: true, also pages to open; form, forms alone."`
	Sampling    *bool        `json:"sampling,omitempty" jsonschema_description:"The answer of a model."`
	Roots       *bool        `json:"roots,omitempty" jsonschema_description:"The folders that a program works in."`
}

// Tools selects and renames tools of a server.
type Tools struct {
	Include []string          `json:"include,omitempty" jsonschema_description:"Globs of wire names. By default all tools."`
	Exclude []string          `json:"exclude,omitempty" jsonschema_description:"Globs of wire names. They win over include."`
	Rename  map[string]string `json:"rename,omitempty" jsonschema_description:"Wire name to exported Go name."`
}

// Budget bounds the size of the tool definitions that a model reads before it calls one. An excess is a
// finding of the rule surface-budget-exceeded.
type Budget struct {
	Tokens int `json:"tokens" jsonschema:"required,minimum=1,maximum=1000000" jsonschema_description:"About how many tokens: the bytes of name, description and input schema of each tool that tools selects, as compact JSON, divided by 4."`
}

// HostLimits bounds the resources that all servers of one program use together.
type HostLimits struct {
	Memory int64 `json:"memory,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=256MiB" jsonschema_description:"Large messages that arrive at the same time."`
}

// Drift says how changes to a server are judged.
type Drift struct {
	Profile string            `json:"profile,omitempty" jsonschema:"enum=caller,enum=strict,enum=source,enum=model,enum=pin,default=caller" jsonschema_description:"Whose point of view decides."`
	FailOn  string            `json:"fail_on,omitempty" jsonschema:"enum=breaking,enum=warning,enum=info,default=breaking" jsonschema_description:"The mildest finding that fails a check."`
	Rules   map[string]string `json:"rules,omitempty" jsonschema_description:"Rule to severity: breaking, warning, info or off. * matches any text."`

	Overrides []drift.Override `json:"overrides,omitempty" jsonschema_description:"Severities for one server, tool or place. The last entry that matches wins, and it wins over rules."`
	Ignore    []drift.Accept   `json:"ignore,omitempty" jsonschema_description:"Changes that are accepted."`
}
