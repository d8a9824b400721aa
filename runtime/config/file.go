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
	Output   string                    `json:"output,omitempty" jsonschema:"default=internal/mcp" jsonschema_description:"The folder for the generated packages. It is a path with slashes, relative to this file, and inside the folder of this file."`
	Import   []string                  `json:"import,omitempty" jsonschema_description:"Configuration files in which other programs list their MCP servers, as paths relative to this file. The name of a supported program, such as \"tallow\", imports all files in which that program lists servers. If two files define the same server, mcpgen uses the first one."`
	Naming   string                    `json:"naming,omitempty" jsonschema:"enum=dot,enum=underscore,enum=double-underscore,enum=mcp-double-underscore,enum=bare,default=double-underscore" jsonschema_description:"How mcpgen joins the names of server and tool to a qualified name. The default is \"double-underscore\", or a system's own form if all servers come from that system's files."`
	Docs     Docs                      `json:"docs,omitempty" jsonschema:"oneof_type=boolean;string" jsonschema_extras:"pattern=^html$" jsonschema_description:"Write a page for each server next to its code. With true, the pages are markdown. With \"html\", they are web pages, and an index.html lists all servers. By default mcpgen writes no pages."`
	Fakes    *bool                     `json:"fakes,omitempty" jsonschema:"default=true" jsonschema_description:"Write a fake server for tests, as a package below each generated package."`
	Lazy     bool                      `json:"lazy,omitempty" jsonschema:"default=false" jsonschema_description:"Start each server with its first call or listing. Until then, a program takes the server's tools from the generated package, or else from the last start of the server on this machine."`
	Validate bool                      `json:"validate,omitempty" jsonschema:"default=false" jsonschema_description:"Check the arguments of each call against the schema in its generated package. Programs and mcpgen serve do not send a call with invalid arguments."`
	Limits   *hostLimitKeys            `json:"limits,omitempty" jsonschema_description:"Limits for all servers of a program together."`
	Budget   *budgetKeys               `json:"budget,omitempty" jsonschema_description:"The largest number of tokens that the tools of all servers may cost a model."`
	Store    string                    `json:"store,omitempty" jsonschema:"pattern=^oci://" jsonschema_description:"The OCI registry, such as oci://registry.example/team, for mcpgen push, pull, who and docs. The registry holds the snapshot of a server in mcp/SERVER. mcpgen uses a registry on this machine without encryption."`
	Signed   bool                      `json:"require_signature,omitempty" jsonschema:"default=false" jsonschema_description:"With true, mcpgen requires that trusted keys signed the lock or snapshot before it starts a server, pulls, or generates with --frozen or --check. See mcpgen help sign."`
	Client   *clientKeys               `json:"client,omitempty" jsonschema_description:"The requests that every server may make to its client. A key under \"client\" of a server takes precedence."`
	Servers  map[string]Entry          `json:"servers,omitempty" jsonschema_description:"The servers by name."`
	Drift    *driftKeys                `json:"drift,omitempty" jsonschema_description:"How mcpgen judges changes of a server."`
	Policy   *policyKeys               `json:"policy,omitempty" jsonschema_description:"The rules about calls. Without the key \"policy\", every call is allowed, unless an imported file has permissions."`
	Profiles map[string]policy.Profile `json:"profiles,omitempty" jsonschema_description:"Named selections of servers and items. mcpgen serve offers each profile at its own address. The policy decides who may call the items of a profile."`
	Audit    *Audit                    `json:"audit,omitempty" jsonschema_description:"Write a log of all calls."`
	Ledger   *ledgerKeys               `json:"ledger,omitempty" jsonschema_description:"Write a history of the tools that programs had."`
}

// Entry is one server of [File.Servers]. With a command it is a program to start, with a URL a server to
// connect to. With neither, it configures the imported server of the same name.
type Entry struct {
	Command    string             `json:"command,omitempty" jsonschema_description:"The program to start. A path with a separator is relative to this file. In this and other values of mcpgen.yaml, mcpgen replaces four forms. ${env:X} becomes the value of the environment variable X. ${env:X:-text} becomes text if X is empty or not set. ${dir} becomes the folder of this file. $${ becomes ${."`
	Args       []string           `json:"args,omitempty" jsonschema_description:"Arguments of the program. No shell reads them."`
	Env        variables          `json:"env,omitempty" jsonschema_description:"Environment variables of the program. These variables win over inherited variables."`
	InheritEnv Inherit            `json:"inherit_env,omitempty" jsonschema:"oneof_type=string;array" jsonschema_extras:"pattern=^all$" jsonschema_description:"Names of environment variables that the program gets, or \"all\". The program always gets PATH, HOME and a few others that it needs to start."`
	URL        string             `json:"url,omitempty" jsonschema_description:"The address of a remote server, http or https."`
	Headers    variables          `json:"headers,omitempty" jsonschema_description:"HTTP headers for every request to a remote server."`
	Auth       *Auth              `json:"auth,omitempty" jsonschema_description:"How mcpgen authorises requests to a remote server. By default, mcpgen sends the \"headers\", and uses OAuth if the server asks for it."`
	Transport  string             `json:"transport,omitempty" jsonschema:"enum=stdio,enum=http,enum=sse" jsonschema_description:"The transport to the server. With \"command\", the default is \"stdio\". With \"url\", the default is \"http\", or \"sse\" if \"http\" fails."`
	Package    string             `json:"package,omitempty" jsonschema:"pattern=^[a-z][a-z0-9]*$" jsonschema_description:"The name of the Go package. The default is the letters and digits of the server's name."`
	Tools      *Tools             `json:"tools,omitempty" jsonschema_description:"Which tools get code, and under which Go names."`
	Results    map[string]string  `json:"results,omitempty" jsonschema_description:"The key is a tool; the value is the path of a JSON Schema file, relative to mcpgen.yaml. mcpgen uses this schema for the tool's result if the server declares none."`
	Types      map[string]string  `json:"types,omitempty" jsonschema_description:"Names and types of generated code. To rename a nested type, the key is its Go name or its path, such as list_issues/args/filter, and the value is the new name. To choose the Go type of a number, the key is its path, and the value is \"int\", \"int64\", \"uint64\", \"float64\" or \"decimal\" (json.Number). In such a path, the tool may be a pattern. To let an argument object take undeclared members, the key is its path, and the value is \"open\". If the key \"place_names\" has the value \"all\", mcpgen also names every nested type and constant by its path: for libraries whose users know these names."`
	Decode     string             `json:"decode,omitempty" jsonschema:"enum=strict,enum=lenient,default=strict" jsonschema_description:"What a call returns if a typed result breaks its schema. With \"strict\", an error. With \"lenient\", the parts that fit, and a notice about the first part that does not fit."`
	Enabled    *bool              `json:"enabled,omitempty" jsonschema:"default=true" jsonschema_description:"With false, mcpgen leaves the server out."`
	Lazy       *bool              `json:"lazy,omitempty" jsonschema_description:"Start the server with its first call or listing. By default, the top-level key \"lazy\" decides."`
	Validate   *bool              `json:"validate,omitempty" jsonschema_description:"Check the arguments of each call before it is sent. By default, the top-level key \"validate\" decides."`
	Budget     *budgetKeys        `json:"budget,omitempty" jsonschema_description:"The largest number of tokens that the server's tools may cost a model."`
	Resources  string             `json:"resources,omitempty" jsonschema:"enum=locked,enum=open" jsonschema_description:"The resources that a program may read. With \"locked\", resources in the lock, resources of locked templates, and resources that a tool's result links to. With \"open\", all resources; serve lists those that are not locked without their texts. The default is \"locked\" for a server with skills or pages, and \"open\" for others. Skills and pages must always match the lock."`
	Artifacts  string             `json:"artifacts,omitempty" jsonschema:"enum=locked" jsonschema_description:"With \"locked\", only locked bytes run. An npm package runs with the dependencies of package-lock.json in its Go package, without install scripts. A program or script must have the locked hash for this operating system. Without this key, the lock covers the package that a launch names, but not its dependencies."`
	Scripts    []string           `json:"install_scripts,omitempty" jsonschema_description:"The npm packages whose install scripts may run if \"artifacts\" is \"locked\"."`
	Client     *clientKeys        `json:"client,omitempty" jsonschema_description:"The server's requests that every command and program offers to answer. A server may offer more tools to a client that answers. Commands, and programs without a handler, still decline each request. By default, commands do not offer to answer any request, and programs offer to answer those for which they have a handler."`
	Protocol   string             `json:"protocol,omitempty" jsonschema:"enum=2026-07-28,enum=2025-11-25,enum=2025-06-18,enum=2025-03-26,enum=2024-11-05" jsonschema_description:"The only revision of the protocol to use. The default is the newest revision that the server speaks."`
	From       string             `json:"from,omitempty" jsonschema:"pattern=^oci://" jsonschema_description:"The repository that mcpgen push wrote, such as oci://registry.example/team/mcp/github. Add :TAG or @DIGEST; the default is the tag \"latest\". The commands generate, update and check pull the definitions from this repository and do not start the server. Programs and the command call start the server."`
	Single     bool               `json:"single,omitempty" jsonschema:"default=false" jsonschema_description:"With true, mcpgen serve has one session with a server that asks callers, and makes its calls one at a time: for a server that cannot have two processes. By default, each caller that answers requests has its own session with such a server."`
	AllowEmpty bool               `json:"allow_empty,omitempty" jsonschema:"default=false" jsonschema_description:"With true, a server without tools is not an error."`
	Timeout    *endpoint.Timeouts `json:"timeout,omitempty" jsonschema_description:"How long to wait."`
	Limits     *endpoint.Limits   `json:"limits,omitempty" jsonschema_description:"Limits for what the server may send."`
}

// clientKeys holds the client capabilities that are declared to a server. A missing key is false, unless the
// client of the whole file sets it.
type clientKeys struct {
	Elicitation *elicitation `json:"elicitation,omitempty" jsonschema:"oneof_type=boolean;string" jsonschema_extras:"pattern=^form$" jsonschema_description:"Whether the server may ask a person for input. With true, it may use forms and web pages. With \"form\", it may use only forms."`
	Sampling    *bool        `json:"sampling,omitempty" jsonschema_description:"Whether the server may ask a model for an answer."`
	Roots       *bool        `json:"roots,omitempty" jsonschema_description:"Whether the server may ask for the folders that a program works in."`
}

// Tools selects and renames tools of a server.
type Tools struct {
	Include []string          `json:"include,omitempty" jsonschema_description:"Patterns for names of tools, as the server spells them. Only tools that match get code and can be called. The default is all tools."`
	Exclude []string          `json:"exclude,omitempty" jsonschema_description:"Patterns for names of tools, as the server spells them. Tools that match get no code and cannot be called. This key wins over \"include\"."`
	Rename  map[string]string `json:"rename,omitempty" jsonschema_description:"The key is the server's name of a tool; the value is its exported Go name."`
}

// budgetKeys bounds the size of the tool definitions that a model reads before it calls one. An excess is a
// finding of the rule surface-budget-exceeded.
type budgetKeys struct {
	Tokens int `json:"tokens" jsonschema:"required,minimum=1,maximum=1000000" jsonschema_description:"The number of tokens. mcpgen estimates them: the bytes of name, description and input schema of each selected tool, as compact JSON, divided by 4."`
}

// hostLimitKeys bounds the resources that all servers of one program use together.
type hostLimitKeys struct {
	Memory int64 `json:"memory,omitempty" jsonschema:"type=string,pattern=^[0-9]+ ?(B|KB|MB|GB|KiB|MiB|GiB)$,default=256MiB" jsonschema_description:"The largest amount of memory for large messages that arrive at the same time."`
}

// driftKeys says how changes to a server are judged.
type driftKeys struct {
	Profile string            `json:"profile,omitempty" jsonschema:"enum=caller,enum=strict,enum=source,enum=model,enum=pin,default=caller" jsonschema_description:"The point of view that decides which changes are breaking."`
	FailOn  string            `json:"fail_on,omitempty" jsonschema:"enum=breaking,enum=warning,enum=info,default=breaking" jsonschema_description:"The lowest severity that fails a check."`
	Rules   map[string]string `json:"rules,omitempty" jsonschema_description:"The key is the name of a rule, in which * matches any text. The value is the severity: \"breaking\", \"warning\", \"info\" or \"off\"."`

	Overrides []drift.Override `json:"overrides,omitempty" jsonschema_description:"Severities for one server, tool or path. The last entry that matches wins. An entry also wins over \"rules\"."`
	Ignore    []drift.Accept   `json:"ignore,omitempty" jsonschema_description:"Changes of live servers that mcpgen check and mcpgen status accept. Other commands and programs do not use the entries."`
}
