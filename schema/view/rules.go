package view

// This file lists what model providers refuse: one table, each row with its source. A provider refuses a whole
// request, with all its tools, for one schema that breaks a row.
//
// No provider was called. The rows come from the documentation of providers and from reported answers of their APIs.

import (
	"regexp"
	"slices"
)

// rule is one row: what an API refuses. Its zero fields demand nothing.
type rule struct {
	provider string
	says     string
	source   string // a page, or the file of a release
	date     string // of the source: a month, or a day

	tools    int            // how many a request may have; 0 sets no limit
	tool     *regexp.Regexp // names of tools
	argument *regexp.Regexp // names of arguments: the properties of the root
	root     []string       // the only keywords of the root
	keywords []string       // the only keywords anywhere
	refused  []string       // keywords that are refused anywhere
	formats  []string       // the only formats
	patterns bool           // patterns use only syntax that all regular expressions share
	items    bool           // an array must have items
	oneType  bool           // a type is one name, and an enum has strings alone
	noRefs   bool           // there are no references
	declared bool           // required properties are declared
	depth    int            // how deep objects, arrays and alternatives of them may nest; 0 sets no limit
	own      bool           // "any" leaves it out: clients write this form from JSON Schema, or few models want it
	strict   *strictMode    // the row is of strict mode alone, and has only this
}

// strictMode is what an API takes in strict mode. [Strict] writes it for OpenAI; to the others, no tool is sent in
// strict mode, and their rows demand nothing.
type strictMode struct {
	keywords, formats []string // the only ones
	properties        int      // of all objects
	depth             int      // enclosing objects and arrays
	enum              int      // values of all enums
	longEnum          int      // values of one enum; with more of them,
	longText          int      // bytes of its texts
	text              int      // bytes of the names of properties and definitions, and of the values of enums
}

// rootSays are keywords that no provider accepts at the root. [Fit] leaves them out.
const rootSays = "the root is an object without anyOf, oneOf, allOf, not, enum, const and $ref"

// openAPI are the keywords of the Schema of Gemini's API, but for those that older endpoints refuse.
var openAPI = []string{
	"type", "format", "title", "description", "nullable", "default", "items", "minItems", "maxItems", "enum", "properties",
	"propertyOrdering", "required", "minProperties", "maxProperties", "minimum", "maximum", "minLength", "maxLength",
	"pattern", "example", "anyOf",
}

// rules is the table. Providers whose name is in several rows have all of them.
var rules = []rule{
	{
		provider: "anthropic", says: "a tool's name has 1 to 128 letters, digits, _ and -",
		source: "https://github.com/anthropics/claude-code/issues/96152", date: "2026-09-22",
		tool: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`),
	},
	{
		provider: "anthropic", says: "an argument's name has 1 to 64 letters, digits, _, . and -; nested names are not checked",
		source: "https://github.com/ComposioHQ/composio/issues/3500", date: "2026-06-02",
		argument: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`),
	},
	{provider: "anthropic", says: rootSays, source: "https://github.com/anthropics/claude-code/issues/40075", date: "2026-03-28"},
	{
		provider: "anthropic", says: "a request has at most 20 strict tools, with 24 optional arguments and 16 alternatives in all",
		source: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs", date: "2026-07-13", strict: &strictMode{},
	},
	{
		provider: "openai", says: "a tool's name has 1 to 64 letters, digits, _ and -",
		source: "github.com/openai/openai-go/v3@v3.96.0/shared: FunctionDefinitionParam", date: "2026-10",
		tool: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	},
	{provider: "openai", says: rootSays, source: "https://github.com/nspady/google-calendar-mcp/issues/39", date: "2025-06-01"},
	{
		provider: "openai", says: "a request has at most 128 tools",
		source: "https://github.com/zed-industries/zed/issues/42393", date: "2025-11-10", tools: 128,
	},
	{
		provider: "openai", says: "an array has items, also beside prefixItems",
		source: "https://github.com/PrefectHQ/fastmcp/issues/2464", date: "2025-11-21", items: true,
	},
	{
		provider: "openai", says: "a schema below not has a type",
		source: "https://github.com/moltis-org/moltis/issues/694", date: "2026-04-13", refused: []string{"not"},
	},
	{
		provider: "openai", says: "a pattern has no lookaround, and Python's re compiles it",
		source: "https://github.com/pleaseai/shunt/pull/488", date: "2026-09-09", patterns: true,
	},
	{
		provider: "openai", says: "a tool's description had at most 1,024 characters until May 2025; longer ones are taken since",
		source: "https://github.com/run-llama/llama_index/pull/18784", date: "2025-05-19",
	},
	{
		provider: "openai", says: "strict mode has fewer keywords and formats, and limits of properties, depth, enums and text",
		source: "https://developers.openai.com/api/docs/guides/structured-outputs", date: "2026-11",
		strict: &strictMode{
			keywords: []string{
				"type", "title", "description", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum",
				"exclusiveMaximum", "minItems", "maxItems", "enum",
			},
			formats:    []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
			properties: 5000, depth: 10, enum: 1000, longEnum: 250, longText: 15_000, text: 120_000,
		},
	},
	{
		provider: "gemini", says: "a tool's name has 1 to 64 letters, digits, _, ., : and -, and begins with a letter or _",
		source: "https://github.com/kaitranntt/ccs/issues/25", date: "2025-11-30",
		tool: regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$`),
	},
	{
		provider: "gemini", says: "a request has at most 512 tools",
		source: "https://github.com/google-gemini/gemini-cli/issues/25440", date: "2026-04-15", tools: 512,
	},
	{
		provider: "gemini", says: "an argument's name has 1 to 64 letters, digits and _, and begins with a letter or _",
		source: "google.golang.org/genai@v1.77.0/types.go: FunctionDeclaration", date: "2026-10",
		argument: regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`),
	},
	{
		provider: "gemini", says: "a keyword is one of those of its Schema; any other is an unknown name",
		source: "https://github.com/pizza-bot-app/pizza-bot/issues/62", date: "2026-09-07",
		keywords: openAPI, items: true, own: true,
	},
	{
		provider: "gemini", says: "there are no references",
		source: "https://github.com/google-gemini/gemini-cli/issues/13326", date: "2025-11-18", noRefs: true,
	},
	{
		provider: "gemini", says: "a format is date-time, enum or the format of a number",
		source: "https://github.com/google-gemini/gemini-cli/issues/3178", date: "2025-07-03",
		formats: []string{"date-time", "enum", "float", "double", "int32", "int64"}, own: true,
	},
	{
		provider: "gemini", says: "a type is one name, and an enum is of strings",
		source: "https://github.com/TableProApp/TablePro/pull/1276", date: "2026-05-15", oneType: true, own: true,
	},
	{
		provider: "gemini", says: "a required property is declared",
		source: "https://github.com/iBUHub/AIStudioToAPI/issues/154", date: "2026-05-05", declared: true,
	},
	{
		provider: "gemini", says: "objects and arrays nest 4 levels at most; no number is documented, and alternatives are counted to be safe",
		source: "https://github.com/Portkey-AI/gateway/pull/1616 for https://github.com/google-gemini/gemini-cli/issues/5923",
		date:   "2026-04-20", depth: 4,
	},
	{
		provider: "gemini", says: "the mode VALIDATED keeps to schemas; no limit of it is documented",
		source: "https://github.com/firebase/firebase-ios-sdk/pull/16649", date: "2026-09-14", strict: &strictMode{},
	},
	{
		provider: "bedrock", says: "a tool's name has 1 to 64 letters, digits, _ and -",
		source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html", date: "2026-11",
		tool: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	},
	{
		provider: "bedrock", says: "an argument's name has 1 to 64 letters, digits, _, . and -",
		source: "https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709",
		date:   "2026-08-31", argument: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`),
	},
	{
		provider: "bedrock", says: "the root has type, properties and required alone (Amazon's models)",
		source: "https://docs.aws.amazon.com/nova/latest/userguide/prompting-tool-troubleshooting.html", date: "2026-11",
		root: []string{"type", "properties", "required"}, noRefs: true, own: true,
	},
	{
		provider: "bedrock", says: "in a strict tool each object has additionalProperties: false, and no bounds of numbers and lengths",
		source: "https://github.com/vercel/ai/issues/20681 and https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html",
		date:   "2026-09-12", strict: &strictMode{},
	},
	{
		provider: "mistral", says: "a tool's name has 1 to 64 letters, digits, _ and -",
		source: "https://github.com/Kochava-Studios/witsy/pull/164", date: "2025-04-04",
		tool: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	},
	{
		provider: "mistral", says: "$id and $schema are refused",
		source: "https://github.com/BerriAI/litellm/pull/13389", date: "2025-08-07", refused: []string{"$id", "$schema"},
	},
	{
		provider: "mistral", says: "a function may be strict; no limit of it is documented",
		source: "https://mistralai.github.io/mistral-common/code_reference/mistral_common/protocol/instruct/tool_calls", date: "2026-11",
		strict: &strictMode{},
	},
}

// strict is the strict mode that [Strict] writes.
var strict = rules[slices.IndexFunc(rules, func(r rule) bool { return r.provider == "openai" && r.strict != nil })].strict

// Providers returns the names of the providers that [Fit] knows, and "any": names and forms that each of them takes,
// for a client that knows the model and writes the form of its API, as frameworks do.
func Providers() []string {
	var names []string
	for _, r := range rules {
		if !slices.Contains(names, r.provider) {
			names = append(names, r.provider)
		}
	}
	return append(names, "any")
}

// TakesName reports whether a provider of [Providers] takes a tool's name; for "any", whether each of them does.
func TakesName(provider, name string) bool {
	return !slices.ContainsFunc(rulesOf(provider), func(r rule) bool { return r.tool != nil && !r.tool.MatchString(name) })
}

// MaxTools returns how many tools a request to a provider of [Providers] may have: for "any", to each of them. 0 is
// no known limit. [Fit] sees one tool: who offers tools keeps the limit.
func MaxTools(provider string) (most int) {
	for _, r := range rulesOf(provider) {
		if r.tools > 0 && (most == 0 || r.tools < most) {
			most = r.tools
		}
	}
	return most
}

// rulesOf returns the rows of a provider, except of strict mode; nil for an unknown one.
func rulesOf(provider string) []rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool {
		return r.strict != nil || r.provider != provider && (provider != "any" || r.own)
	})
}
