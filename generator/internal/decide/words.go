package decide

// The words that are not spelled with one capital in front: initialisms, brands,
// and symbols that are read out.

import (
	"strings"
	"sync"
)

// initialisms are the words written in capitals, and brands with capitals elsewhere than in
// front. A word is listed only if it is one of these wherever servers use it: IT, US and CD are
// not. First the list of golint and staticcheck, then words of servers.
const initialisms = " ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SLA SMTP" +
	" SQL SSH TCP TLS TTL UDP UI UID GID UUID URI URL UTF VM XML XMPP XSRF XSS SIP RTP AMQP DB TS" +
	" AI AWS CI CIDR CLI CORS CPE CSRF CSV CVE CVSS CWE DLQ DOM EC2 EPSS ETA FAQ FPS FTP GCP GHSA GIF GPS GPU GPT IAM" +
	" IDE IMAP JWT KMS LDAP LLM MCP MFA MIME MP3 MP4 NFS NPM OCI OIDC OS OTP PDF PHP PID PNG POI PR QR RBAC RSS SASL" +
	" SCRAM SDK SFTP SHA SKU SLO SSE SSL SSO SVG TOML TOTP UTC VPC VPN WASM YAML 2FA" +
	" OAuth IPv GraphQL MySQL PostgreSQL APIKey IOS MacOS TvOS VisionOS WatchOS OpenAI JavaScript TypeScript "

// initialism returns the Go spelling of a lower-case word in that list, else "".
func initialism(lower string) string { return initialismOf()[lower] }

// initialismOf returns them by their lower-case letters.
var initialismOf = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, word := range strings.Fields(initialisms) {
		out[strings.ToLower(word)] = word
	}
	return out
})

// symbolName reads out an ASCII symbol. It returns "" for other characters.
func symbolName(r rune) string {
	names := [...]string{
		' ': "Space", '!': "Bang", '"': "Quote", '#': "Hash", '$': "Dollar", '%': "Percent", '&': "And",
		'\'': "Apostrophe", '(': "Open", ')': "Close", '*': "Star", '+': "Plus", ',': "Comma", '-': "Minus",
		'.': "Dot", '/': "Slash", ':': "Colon", ';': "Semicolon", '<': "Less", '=': "Equal", '>': "Greater",
		'?': "Question", '@': "At", '[': "Left", '\\': "Backslash", ']': "Right", '^': "Caret",
		'_': "Underscore", '`': "Backtick", '{': "Begin", '|': "Or", '}': "End", '~': "Tilde",
	}
	if r < 0 || int(r) >= len(names) {
		return ""
	}
	return names[r]
}
