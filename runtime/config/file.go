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
	Output   string                    `json:"output,omitempty" jsonschema:"default=internal/mcp" jsonschema_description:"The folder for the generated packages: a path with slashes, relative to this file and inside its folder."`
	Import   []string                  `json:"import,omitempty" jsonschema_description:"Server files of other tools, relative to this file. The name of a system, such as tallow, imports all files that the system reads. If two files define a server, the first file wins."`
	Naming   string                    `json:"naming,omitempty" jsonschema:"enum=dot,enum=underscore,enum=double-underscore,enum=mcp-double-underscore,enum=bare,default=double-underscore" jsonschema_description:"How mcpgen joins server and tool to a qualified name. By default double-underscore. If all servers come from the files of one system, by default as that system does."`
	Docs     Docs                      `json:"docs,omitempty" jsonschema:"oneof_type=boolean;string" jsonschema_extras:"pattern=^html$" jsonschema_description:"Write a page for each server next to its code: true for markdown, html for web pages with an index.html of all servers. By default none."`
	Fakes    *bool                     `json:"fakes,omitempty" jsonschema:"default=true" jsonschema_description:"Write a fake server for tests, as a package below each generated package."`
	Lazy     bool                      `json:"lazy,omitempty" jsonschema:"default=false" jsonschema_description:"Start each server with its first call or listing. Until then a program takes the tools from the generated package, or from its last use of the server."`
	Limits   *HostLimits               `json:"limits,omitempty" jsonschema_description:"Limits for all servers of a program together."`
	Budget   *Budget                   `json:"budget,omitempty" jsonschema_description:"The most tokens that the tools of all servers may cost a model."`
	Store    string                    `json:"store,omitempty" jsonschema:"pattern=^oci://" jsonschema_description:"The OCI registry, such as oci://registry.example/team, for mcpgen push and pull. It holds a server's snapshot in mcp/SERVER. mcpgen uses a registry on this machine without encryption."`
	Client   *Client                   `json:"client,omitempty" jsonschema_description:"The requests that every server may make. A key under client of a server takes precedence."`
	Servers  map[string]Entry          `json:"servers,omitempty" jsonschema_description:"The servers by name."`
	Drift    *Drift                    `json:"drift,omitempty" jsonschema_description:"How changes of a server are judged."`
	Policy   *Policy                   `json:"policy,omitempty" jsonschema_description:"The rules about calls. Without policy every call is allowed, unless an imported file has permissions."`
	Profiles map[string]policy.Profile `json:"profiles,omitempty" jsonschema_description:"Named parts of what the servers offer. mcpgen serve offers each at its own address, to every caller that policy allows."`
	Audit    *Audit                    `json:"audit,omitempty" jsonschema_description:"Write a log of all calls."`
	Ledger   *Ledger                   `json:"ledger,omitempty" jsonschema_description:"Write a history of the tools that programs had."`
}

// Entry is one server of [File.Servers]. With a command it is a program to start, with a URL a server to
// connect to. With neither, it configures the imported server of the same name.
type Entry struct {
	Command    string             `json:"command,omitempty" jsonschema_description:"The program to start. A path with a separator is relative to this file. In this and other texts, mcpgen replaces ${env:X} by an environment variable, ${env:X:-text} by the text if X is empty or not set, ${dir} by the folder of this file, and $${ by ${."`
	Args       []string           `json:"args,omitempty" jsonschema_description:"Arguments of the program. No shell reads them."`
	Env        Vars               `json:"env,omitempty" jsonschema_description:"Environment variables of the program. They win over inherited ones."`
	InheritEnv Inherit            `json:"inherit_env,omitempty" jsonschema:"oneof_type=string;array" jsonschema_extras:"pattern=^all$" jsonschema_description:"Names of environment variables for the program, or the word all. The program always gets PATH, HOME and a few others that it needs to start."`
	URL        string             `json:"url,omitempty" jsonschema_description:"The address of a remote server, http or https."`
	Headers    Vars               `json:"headers,omitempty" jsonschema_description:"HTTP headers for every request to a remote server."`
	Auth       *Auth              `json:"auth,omitempty" jsonschema_description:"How mcpgen authorises requests to a remote server. By default with the headers, and with OAuth if the server asks for it."`
	Transport  string             `json:"transport,omitempty" jsonschema:"enum=stdio,enum=http,enum=sse" jsonschema_description:"The transport to the server. By default stdio for a command. For a url, http with sse as fallback."`
	Package    string             `json:"package,omitempty" jsonschema:"pattern=^[a-z][a-z0-9]*$" jsonschema_description:"The name of the Go package. By default the letters and digits of the server's name."`
	Tools      *Tools             `json:"tools,omitempty" jsonschema_description:"Which tools get code, and under which Go names."`
	Results    map[string]string  `json:"results,omitempty" jsonschema_description:"Tool to JSON Schema file, relative to this file: the result where the server declares none."`
	Types      map[string]string  `json:"types,omitempty" jsonschema_description:"Names and types of generated code. The Go name of a nested type, or its place such as list_issues/args/filter, gets a new name. The place of a number, whose tool may be a glob, gets a Go type: int, int64, uint64, float64, or decimal for json.Number. The place of an object of arguments gets open: room for members that its schema does not declare. place_names: all gives every nested type and constant a name by place, too, for libraries whose users are elsewhere."`
	Decode     string             `json:"decode,omitempty" jsonschema:"enum=strict,enum=lenient,default=strict" jsonschema_description:"The value of a typed result that breaks its own schema. strict: an error. lenient: the parts that fit, with a notice about the first other part."`
	Enabled    *bool              `json:"enabled,omitempty" jsonschema:"default=true" jsonschema_description:"False leaves the server out."`
	Lazy       *bool              `json:"lazy,omitempty" jsonschema_description:"Start the server with its first call or listing. By default as the top-level key lazy says."`
	Budget     *Budget            `json:"budget,omitempty" jsonschema_description:"The most tokens that the server's tools may cost a model."`
	Resources  string             `json:"resources,omitempty" jsonschema:"enum=locked,enum=open" jsonschema_description:"The resources that a program may read. locked: resources in the lock, resources of locked templates, and resources that a tool's result links to. open: all. By default locked for a server with skills or pages, else open. Skills and pages always have to match the lock."`
	Artifacts  string             `json:"artifacts,omitempty" jsonschema:"enum=locked" jsonschema_description:"locked: only locked bytes run. An npm package runs with the dependencies of package-lock.json in its Go package, without install scripts. A program or script must have the locked hash for its system. By default the lock covers the package that a launch names, but not its dependencies."`
	Scripts    []string           `json:"install_scripts,omitempty" jsonschema_description:"With artifacts: locked, the npm packages whose install scripts run."`
	Client     *Client            `json:"client,omitempty" jsonschema_description:"The requests that the server may make, for every command and program. A server may offer more to a client that answers. Commands and programs without a handler decline each request. By default commands declare nothing, and programs declare the requests that they have handlers for."`
	Protocol   string             `json:"protocol,omitempty" jsonschema:"enum=2026-07-28,enum=2025-11-25,enum=2025-06-18,enum=2025-03-26,enum=2024-11-05" jsonschema_description:"The only revision of the protocol to use. By default the newest that the server speaks."`
	From       string             `json:"from,omitempty" jsonschema:"pattern=^oci://" jsonschema_description:"The repository, such as oci://registry.example/team/mcp/github, that mcpgen push wrote, with :TAG or @DIGEST, else the tag latest. generate, update and check pull the definitions from there and do not start the server. Programs and mcpgen call start it."`
	AllowEmpty bool               `json:"allow_empty,omitempty" jsonschema:"default=false" jsonschema_description:"A server without tools is not an error."`
	Timeout    *endpoint.Timeouts `json:"timeout,omitempty" jsonschema_description:"How long to wait."`
	Limits     *endpoint.Limits   `json:"limits,omitempty" jsonschema_description:"Limits for what the server may send."`
}

// Client holds the client capabilities that are declared to a server. A missing key is false, unless the
// client of the whole file sets it.
type Client struct {
	Elicitation *Elicitation `json:"elicitation,omitempty" jsonschema:"oneof_type=boolean;string" jsonschema_extras:"pattern=^form$" jsonschema_description:"Whether the server may ask a person for input. true: by forms and web pages. form: only by forms."`
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
	Tokens int `json:"tokens" jsonschema:"required,minimum=1,maximum=1000000" jsonschema_description:"The number of tokens. mcpgen estimates them: the bytes of name, description and input schema of each selected tool, as compact JSON, divided by 4."`
}

// HostLimits bounds the resources that all servers of one program use together.
type HostLimits struct {
	Memory int64 `json:"memory,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=256MiB" jsonschema_description:"The memory for large messages that arrive at the same time."`
}

// Drift says how changes to a server are judged.
type Drift struct {
	Profile string            `json:"profile,omitempty" jsonschema:"enum=caller,enum=strict,enum=source,enum=model,enum=pin,default=caller" jsonschema_description:"Whose point of view decides."`
	FailOn  string            `json:"fail_on,omitempty" jsonschema:"enum=breaking,enum=warning,enum=info,default=breaking" jsonschema_description:"The mildest finding that fails a check."`
	Rules   map[string]string `json:"rules,omitempty" jsonschema_description:"Rule to severity: breaking, warning, info or off. * matches any text."`

	Overrides []drift.Override `json:"overrides,omitempty" jsonschema_description:"Severities for one server, tool or place. The last entry that matches wins, and it wins over rules."`
	Ignore    []drift.Accept   `json:"ignore,omitempty" jsonschema_description:"Changes that are accepted."`
}
