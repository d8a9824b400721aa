package credentials

// This file is the table of the credentials of well-known services: their prefixes and lengths, as the
// services document them.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A TokenForm describes the tokens of one service: the prefix and the body.
type TokenForm struct {
	Service  string
	Prefixes []string // as written; case matters
	Body     string   // the class of characters of the body, for a regular expression
	Length   int      // the minimum length of the body
}

// The classes of characters.
const (
	alnum  = "A-Za-z0-9"
	word   = "A-Za-z0-9_-"
	dotted = "A-Za-z0-9._=+/-"
	lower  = "a-z0-9"
	hexa   = "a-f0-9"
)

// TokenForms returns the forms with a unique prefix. It is meant to be read, and to be enumerated by
// tests; [Tokens] also finds other credentials.
func TokenForms() []TokenForm {
	form := func(service, prefixes, body string, length int) TokenForm {
		return TokenForm{service, strings.Fields(prefixes), body, length}
	}
	return []TokenForm{
		form("1Password", "ops_", dotted, 40),
		form("Adafruit", "aio_", alnum, 20),
		form("age", "AGE-SECRET-KEY-1", "A-Z0-9", 40),
		form("Anthropic, OpenAI, OpenRouter and others", "sk-", word, 12),
		form("Artifactory", "AKCp", alnum, 40),
		form("Atlassian", "ATATT3 ATCTT3 ATBB", "="+word, 20),
		form("AWS", "AKIA ASIA ABIA ACCA AROA", "A-Z0-9", 12),
		form("Clojars", "CLOJARS_", lower, 40),
		form("Cloudflare", "v1.0-", "-"+hexa, 60),
		form("Contentful", "CFPAT-", word, 40),
		form("Databricks", "dapi", hexa, 32),
		form("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", hexa, 40),
		form("Docker", "dckr_pat_ dckr_oat_", word, 20),
		form("Doppler", "dp.pt. dp.st. dp.ct. dp.sa.", dotted, 30),
		form("Duffel", "duffel_live_ duffel_test_", word, 30),
		form("Dynatrace", "dt0c01. dt0s16.", dotted, 40),
		form("EasyPost", "EZAK EZTK", alnum, 40),
		form("Figma", "figd_ figu_ figo_", word, 8),
		form("Flutterwave", "FLWSECK_TEST- FLWSECK-", word, 20),
		form("Fly.io", "fo1_ fm1_ fm1a_ fm1r_ fm2_", dotted, 30),
		form("Frame.io", "fio-u-", word, 40),
		form("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", alnum+"_", 8),
		form("GitLab", "glpat- gldt- glrt- glcbt- glptt- glsoat- glffct- glft- glimt- glagent- gloas-", "."+word, 12),
		form("Google", "AIza GOCSPX- ya29.", "."+word, 8),
		form("Grafana", "glc_ glsa_", dotted, 30),
		form("Groq", "gsk_", alnum, 40),
		form("HashiCorp", "hvs. hvb. hvr.", word, 24),
		form("Heroku", "HRKU-", word, 30),
		form("HubSpot", "pat-na1- pat-eu1-", "-"+hexa, 30),
		form("Hugging Face", "hf_ api_org_", alnum, 12),
		form("Infracost", "ico-", alnum, 32),
		form("Linear", "lin_api_ lin_oauth_", alnum, 8),
		form("Mailgun", "key-", hexa, 32),
		form("Mapbox", "sk.eyJ pk.eyJ", dotted, 20),
		form("New Relic", "NRAK- NRJS- NRII- NRAA-", word, 19),
		form("Notion", "ntn_ secret_", alnum, 16),
		form("npm", "npm_", alnum, 20),
		form("NuGet", "oy2", lower, 43),
		form("Perplexity", "pplx-", alnum, 40),
		form("PlanetScale", "pscale_tkn_ pscale_pw_ pscale_oauth_", ".="+word, 30),
		form("Postman", "PMAK-", "-"+hexa, 40),
		form("Prefect", "pnu_", alnum, 30),
		form("Pulumi", "pul-", hexa, 40),
		form("PyPI", "pypi-", word, 16),
		form("ReadMe", "rdme_", lower, 60),
		form("Replicate", "r8_", alnum, 30),
		form("RubyGems", "rubygems_", hexa, 40),
		form("Scalingo", "tk-us-", word, 40),
		form("Sendinblue", "xkeysib-", "-"+hexa, 60),
		form("SendGrid", "SG.", "."+word, 30),
		form("Sentry", "sntrys_ sntryu_", dotted, 40),
		form("Shippo", "shippo_live_ shippo_test_", hexa, 40),
		form("Shopify", "shpat_ shpca_ shppa_ shpss_ shpua_", "A-Fa-f0-9", 16),
		form("Slack", "xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-", "."+word, 10),
		form("Sourcegraph", "sgp_", hexa+"_", 30),
		form("Square", "sq0atp- sq0csp- EAAA", word, 22),
		form("Stripe", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ whsec_", alnum+"+/=", 10),
		form("Supabase", "sbp_ sb_secret_", word, 20),
		form("Tailscale", "tskey-auth- tskey-api- tskey-client- tskey-", word, 20),
		form("Twilio", "SK AC", hexa, 32),
		form("Typeform", "tfp_", dotted, 40),
		form("xAI", "xai-", alnum, 60),
	}
}

// otherForms returns the forms without a unique prefix. Each is only searched for in texts that contain
// its literal.
func otherForms() []otherForm {
	return []otherForm{
		{"PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)`)},
		{"eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`)}, // a JSON web token
		{".atlasv1.", regexp.MustCompile(`\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}`)},          // Terraform
		{"Q~", regexp.MustCompile(`\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,}`)},                     // Azure
		{"pat", regexp.MustCompile(`\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,}`)},                            // Airtable
		{":AA", regexp.MustCompile(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}`)},                             // Telegram
		{"hooks.slack.com/", regexp.MustCompile(`\bhooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}`)},
	}
}

// otherForm is a form without a prefix.
type otherForm struct {
	literal string
	pattern *regexp.Regexp
}

// tokenForm is a [TokenForm] with one of its prefixes, prepared for searching.
type tokenForm struct {
	prefix string
	length int
	class  [256]bool
}

// tokenTable returns the forms by the first byte of their prefixes, and the other forms.
var tokenTable = sync.OnceValues(func() (*[256][]*tokenForm, []otherForm) {
	var table [256][]*tokenForm
	for _, f := range TokenForms() {
		class := regexp.MustCompile("[" + f.Body + "]")
		for _, prefix := range f.Prefixes {
			form := &tokenForm{prefix: prefix, length: f.Length}
			for c := range 128 {
				form.class[c] = class.MatchString(string(rune(c)))
			}
			table[prefix[0]] = append(table[prefix[0]], form)
		}
	}
	return &table, otherForms()
})

// isWordByte reports whether a byte is an ASCII letter or digit, or _.
func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// TokensAt returns the tokens in a text that match a known form, as pairs of offsets in ascending order.
// They are certainly credentials, in any context.
func TokensAt(text string) [][]int {
	table, others := tokenTable()
	var found [][]int
	for i := 0; i < len(text); i++ {
		if i > 0 && isWordByte(text[i-1]) {
			continue
		}
		for _, form := range table[text[i]] {
			if end := form.end(text, i); end > 0 {
				found = append(found, []int{i, end})
			}
		}
	}
	for _, other := range others {
		if strings.Contains(text, other.literal) {
			found = append(found, other.pattern.FindAllStringIndex(text, -1)...)
		}
	}
	slices.SortFunc(found, func(a, b []int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	var apart [][]int
	for _, at := range found {
		if n := len(apart); n > 0 && at[0] < apart[n-1][1] {
			apart[n-1][1] = max(apart[n-1][1], at[1])
			continue
		}
		apart = append(apart, at)
	}
	return apart
}

// end returns the end of the token at an offset; 0 if there is none.
func (f *tokenForm) end(text string, at int) int {
	if !strings.HasPrefix(text[at:], f.prefix) {
		return 0
	}
	end := at + len(f.prefix)
	for end < len(text) && f.class[text[end]] {
		end++
	}
	if end-at-len(f.prefix) < f.length {
		return 0
	}
	return end
}

// MaskTokens returns the text with the tokens that [TokensAt] finds replaced by [Masked].
func MaskTokens(text string) string {
	found := TokensAt(text)
	if found == nil {
		return text
	}
	var b strings.Builder
	last := 0
	for _, at := range found {
		b.WriteString(text[last:at[0]])
		b.WriteString(Masked)
		last = at[1]
	}
	return b.String() + text[last:]
}
