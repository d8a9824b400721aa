package drift

// This file is the table of signals that mark new text as suspicious. A signal is a token that honest text
// rarely contains, or several concepts close together, in any order and language. A new signal is a new row.

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// signal marks text that contains all its concepts within a span.
type signal struct {
	rule    *row
	message string
	needs   [][]concept // one concept of each list is needed
	span    int         // in letters; single tokens need no span
	but     []excuse
}

// excuse is a context in which a signal is ignored.
type excuse string

const (
	ofFlag    excuse = "flag"    // where a choice is described: of a boolean, or by "whether"
	onlyIf    excuse = "if"      // right behind a condition
	ofOwn     excuse = "own"     // of a parameter that is called so
	ofPeers   excuse = "peers"   // of the server's own tools, or of every tool
	ofTool    excuse = "tool"    // of a flag, and of a tool that is new and called so
	ofForce   excuse = "force"   // of a flag that is called so
	ofSubject excuse = "subject" // of a tool that is new, and that is called so or has a parameter that is
	ofServer  excuse = "server"  // of a variable that is called like the server
)

// Excuses that are said in words: in the place, or, if the excuse has ⟦ or ⟧, in the place between these two and in
// what is around it.
const (
	lacking   excuse = `\bnot have (?:\w+ ){0,2}permissions?⟧`
	unwanted  excuse = `\bno (?:application|delegated|admin|extra|special|additional) permissions?⟧|\bno authorization⟧ headers?\b|\bpermissions? that (?:is|are) not⟧|\bpermissions?, no⟧|\ballowlist without⟧`
	enforced  excuse = `\b(?:calls?|requests?) ⟦without confirm\w*⟧[^\n]{0,40}\b(?:refus|reject|fail|error|denied|blocked)`
	needed    excuse = `\bmust ⟦already have (?:\w+ ){0,3}permission|\bpermission level\)? granted⟧|\bit confirms⟧`
	later     excuse = `\buntil (?:\w+ ){0,2}instructed⟧|⟦not follow (?:any )?instructions⟧ (?:or commands )?(?:returned|found|contained) (?:by|in|within) (?:this tool|it|its|the results?)\b`
	ofSize    excuse = `⟦silently (?:truncated|cut|clipped)⟧`
	avoided   excuse = `\b(?:not|never) (?:be )?⟦silently`
	ungiven   excuse = `\b(?:not|never) ⟦(?:provided|given|supplied)\b|\b(?:not|never) (?:provided|given|supplied)⟧`
	ofUploads excuse = `⟦upload credentials⟧ (?:is|are|were)\b|\bcredentials for \w+⟧`
	ofAccount excuse = `\busers?[',/)]*\s?(?:and|or|[,/(\n*])|\bpassword for the (?:\w+ ){0,2}user$`
	ofUser    excuse = `\busers? (?:asks?|mentions?|says?|wants?|requests?)\b`
	showingUp excuse = `\bshow⟧ up\b`
	ofFormat  excuse = `\bfollow\w* (?:\w+ ){0,2}(?:pattern|format|syntax|scheme)\b`
	ofRest    excuse = `⟦not (?:covered|supported|offered|handled) by other tools⟧`
	refusing  excuse = `\brefuses? to\b`
	ofExample excuse = `(?:\be\.g\.|\bsuch as|\bfor example)[\s,:("'` + "`" + `]*⟦(?:user|someone|name|alice|bob|jane|john)[\w.]*@(?:outlook|gmail|contoso|company|domain)\.com⟧`
)

// around is how many bytes before and after a place can excuse it.
const around = 60

var excuses = sync.OnceValue(func() map[excuse]*regexp.Regexp {
	out := map[excuse]*regexp.Regexp{}
	for _, s := range signals() {
		for _, e := range s.but {
			out[e] = regexp.MustCompile(string(e)) // a word is one, too
		}
	}
	return out
})

var signals = sync.OnceValue(func() []signal {
	rows := []struct {
		rule           *row
		message, needs string
		span           int
		but            []excuse
	}{
		{textSecretPath, "names a file or variable with credentials", "credentials", 0, []excuse{ofServer}},
		{textSecretPath, "asks for secrets", "secret send|include|whole", 40, []excuse{ungiven, ofUploads, ofSubject}},
		{textSecretPath, "asks for secrets", "secret user", 40, []excuse{ofOwn, ofAccount, ofSubject}},
		{textInjection, "sets other instructions aside", "ignore earlier|whole instructions", 70, nil},
		{textInjection, "sets other instructions aside", "overrule earlier instructions", 70, []excuse{ofSubject}},
		{textInjection, "sets other instructions aside", "void instructions|limits", 70, []excuse{ofSubject}},
		{textInjection, "sets other instructions aside", "not obey instructions", 60, []excuse{later}},
		{textInjection, "sets other instructions aside", "delete whole limits", 40, nil},
		{textInjection, "sets the user aside", "ignore user", 30, nil},
		{textInjection, "imitates a message of a conversation", "turn", 0, nil},
		{textInjection, "claims consent, or does without it", "already consent", 50, []excuse{onlyIf, needed}},
		{textInjection, "claims consent, or does without it", "not consent", 30, []excuse{ofForce, lacking, unwanted, enforced}},
		{textInjection, "keeps something from the user", "not tell user", 70, []excuse{ofUser, showingUp}},
		{textInjection, "keeps something from the user", "hide user|answer", 50, nil},
		{textInjection, "keeps something from the user", "not include answer", 60, nil},
		{textInjection, "does something unseen", "secretly delete|spoil|send", 60, []excuse{ofSize, avoided}},
		{textInjection, "deceives", "deceit", 0, nil},
		{textInjection, "gives the model another role", "unbound", 0, nil},
		{textInjection, "gives the model another role", "role not limits", 90, nil},
		{textInjection, "deletes things outside its purpose", "also delete|spoil", 50, []excuse{ofTool, refusing}},
		{textInjection, "deletes all", "delete whole", 20, []excuse{ofTool}},
		{textInjection, "is about later conversations", "later include|remember", 80, nil},
		{textInjection, "asks for the conversation", "conversation whole include", 60, nil},
		{textInjection, "asks for the conversation", "conversation send", 60, nil},
		{textInjection, "takes orders from an address", "url obey|instructions", 90, []excuse{ofFormat}},
		{textInjection, "takes text from an address", "url fetch", 40, nil},
		{textInjection, "puts an address into answers", "url answer", 90, nil},
		{textInjection, "gives an order by name", "name whole|conversation conversation|include|secret|send", 0, []excuse{ofFlag}},
		{textInjection, "gives an order by name", "name ignore|prefer|tell earlier|instructions|obey|other|whole", 0, nil},
		{textInjection, "gives an order by name", "name earlier|tell user", 0, nil},
		{textCrossTool, "prefers itself to other tools", "prefer|not other tool", 60, []excuse{ofPeers, ofRest}},
		{textCrossTool, "mentions a tool of another server", "othertool", 0, nil},
		{textCrossTool, "mentions another server", "otherserver tool", 20, nil},
		{textExfiltrationURL, "sends to an address", "url send", 90, nil},
		{textExfiltrationURL, "names a recipient", "recipient", 0, []excuse{ofExample}},
		{textExfiltrationURL, "has an image whose address carries data", "image", 0, nil},
		{textCommand, "has a shell command", "shell", 0, nil},
		{textCommand, "names a file that decides what is run or read later", "startup", 0, []excuse{ofSubject}},
		{textCommand, "names a file that agents read first", "agentfile", 0, []excuse{ofFlag}},
		{textHidden, "has a part that people do not see", "unseen", 0, nil},
	}
	var out []signal
	for _, r := range rows {
		s := signal{r.rule, r.message, nil, r.span, r.but}
		for need := range strings.FieldsSeq(r.needs) {
			var any []concept
			for c := range strings.SplitSeq(need, "|") {
				any = append(any, concept(c))
			}
			s.needs = append(s.needs, any)
		}
		out = append(out, s)
	}
	return out
})

// token is a concept that is recognized by its form rather than by words.
type token struct {
	concept
	pattern
	cased bool // the pattern applies to the text before lower-casing
}

// harmless reports whether what matched is the public half of a key, or an address that
// leads to nobody: those of the three domains that are kept for examples in honest text.
func (t *token) harmless(match string) bool {
	switch t.concept {
	case "credentials":
		return strings.HasSuffix(strings.TrimRight(match, ".,;:`"), ".pub")
	case "recipient", "url":
		if strings.Contains(match, ".jpg@") || strings.Contains(match, ".png@") || strings.Contains(match, ".gif@") {
			return true // the name of a part of a mail
		}
	default:
		return false
	}
	_, host, found := strings.Cut(match, "://")
	if !found {
		host = match
	}
	if i := strings.IndexAny(host, `/\?#`); i >= 0 {
		host = host[:i]
	}
	host, _, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	return slices.ContainsFunc([]string{"example.com", "example.net", "example.org"}, func(domain string) bool {
		return host == domain || strings.HasSuffix(host, "."+domain)
	})
}

const (
	credentialFile = `(?:(?:^|~/|[\s/"'(=])\.(?:ssh/|aws/|env\b|netrc\b|npmrc\b|pypirc\b|kube/config|gnupg\b|git-credentials|pgpass|my\.cnf|azure/|vault-token|config/g(?:cloud|h)\b|docker/config|cargo/credentials|m2/settings|(?:ba|z)sh_history)|(?:\b|_)id_(?:rsa|dsa|ecdsa|ed25519)\b|/etc/(?:passwd|shadow|sudoers)\b|\bwallet\.dat\b|\blogins\.json\b|\bcookies\.sqlite\b|\bkeychain-db\b|\blogin keychain\b|/serviceaccount/token|/proc/(?:self|\d+)/environ|application_default_credentials|\bcredentials?\.(?:json|ya?ml|toml|ini|db)\b|\bsecrets?\.(?:json|ya?ml|toml|env)\b|\b169\.254\.169\.254\b|claude_desktop_config|\.kdbx\b|\bprocess\.env\b(?:[^.\[]|$)|\bos\.environ\b(?:[^.\[]|$)|\bprintenv\b)[^\s"'<>()]{0,60}`
	credentialName = `\b[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:TOKEN|SECRET|KEY|PASSWORD|PASSWD|PAT|CREDENTIALS?)\b`
	agentFile      = `\b(?:claude|agents|gemini)\.md\b|\.(?:cursor|windsurf|cline)rules\b|\.cursor/|\bcopilot-instructions\b`
	startupFile    = `(?:^|[\s~/"'(=])\.(?:mcp\.json|(?:ba|z|k)shrc|bash_profile|zprofile|zshenv|profile\b|git/hooks|config/autostart|vscode/(?:tasks|settings|mcp))|\bcore\.hookspath\b|\bcrontab\b|\bhooks/(?:pre|post)-(?:commit|push|merge|checkout)\b|\bcron jobs?\b|\bscheduled tasks?\b|/etc/(?:cron|profile|rc\.local|systemd)|\blaunchagents\b|\bauthorized_keys\b|\bschtasks\b|\bsystemctl enable\b|\bcurrentversion.run\b`
	interpreter    = `(?:(?:ba|z|da|k|c)?sh|powershell|pwsh|cmd|python3?|node|perl|ruby|php|osascript)(?:\.exe)?`
	pipedToShell   = `(?:\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|base64|echo|cat|printf|xxd|openssl|tail|env)\b|https?://\S|\))[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:/\S*/)?(?:` + interpreter + `|iex|crontab|nc|curl)\b`
	interpreted    = `\b` + interpreter + `\s+(?:-{1,2}\w+\s+(?:\w+\s+)?){0,4}(?:-c|-e|-enc\w*|-command|/c)\s+["'\w]`
	downloaded     = `\b(?:curl|wget|iwr|irm|invoke-webrequest|certutil|bitsadmin)\b[^\n]{0,60}\bhttps?://`
	shellCommand   = `\brm(?: -[a-z]*[rf]|\n-[a-z]*[rf])|\bchmod\s+(?:[0-7]{3,4}|[ugoa]*\+[rwxs]+)\s|/dev/tcp/|\bmkfifo\b|\bbase64\s+(?:-d|-D|--decode)\b|\bexec\(\w|\beval\(\w|\biex\s*\(|\$\((?:curl|cat|wget|env)\b|\bsudo\s+\w|\b(?:run|start|execute|launch)\b[^\n]{0,40}\s/(?:tmp|dev/shm|var/tmp)/|\b(?:npx|npm i|npm install|pip install|pipx run|uvx)\s[^\n]{0,40}(?:https?:|git\+)|\bgit config --global\b|\breg add\b`
	netcat         = `\bnc\s+(?:-|\d|\w+\.\w)`
	roles          = `system|user|assistant|human|developer|benutzer|nutzer|assistent|systeme|utilisateur|sistema|usuario|asistente|assistente|utente|система|пользователь|ассистент|系统|用户|助手|システム|ユーザー?|アシスタント|시스템|사용자|어시스턴트|सिस्टम|उपयोगकर्ता|सहायक|النظام|المستخدم|المساعد`
	spokenTurn     = `(?m)<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|?>|</(?:system|assistant|important|admin|secret|instructions?)>|<important>|(?:^|[:;>] ?)[#*"'(\[]{0,3}(<(?:system|assistant|instructions?)>)\s*\pL|\[/?(?:inst|system)\]|<<sys>>|\[?\b(?:system|admin|developer) (?:notice|override|message|note|instruction|directive)s?\]?\s?[:\]]|\bnew instructions?\s?:|^#+ ?(?:system|instruction)s?\s?:|\b(?:jailbreak|developer mode|god mode|do anything now)\b|"role"\s*:\s*"(?:system|assistant)"`
	roleTurn       = `(?m)(?:^|[.!?。]\s)[#\[(<*]{0,4} ?(?:` + roles + `)(?: (?:\d{1,3}|message|notice|note|prompt|update|turn|says|said|writes|wrote))?[\])>*]{0,3} ?:[\s*]+\pL`
	unseenPart     = `<!--|\[//\]: ?#|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|color\s*:\s*(?:white|transparent|#f{3,6})\b|\shidden>|<details>|aria-hidden`
	unseenDots     = `(?:[.·•_] ?){30,}\s?\pL`
	imageLink      = `!\[[^\]\n]{0,80}\]\(\s*https?://|<img\b[^>]{0,80}\bsrc\s*=\s*\S{0,2}https?:|background-image\s*:`
	urlWithData    = `https?://[^\s"')\]]*[?&][^\s"')\]=]*=(?:[{<$\[]|%[^0-9A-Fa-f]|[A-Z]{3})`
	address        = `(?m)(?:^|[\pL\pN,;.:]\s|\pL[:(<]\s?|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Devanagari}\p{Arabic}])((?:mailto:)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4})`
	numbered       = `\b(?:https?|ftp|wss?|sftp|smb)://(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|0x[0-9a-f]+|\d{8,10})(?:[:/?]|\b)|https?://[^\s/@]{1,60}@|https?://xn--`
	telephone      = `(?:^|[^"'=(\w])(\+\d{1,3}[ (.-]{0,2}\d(?:[ ().-]{0,2}\d){6,12})`
	account        = `\b(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,60}|[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?)\b`
)

var tokens = sync.OnceValue(func() []token {
	return []token{
		{"credentials", newPattern(credentialFile), false},
		{"credentials", newPattern(credentialName), true},
		{"startup", newPattern(startupFile), false},
		{"agentfile", newPattern(agentFile), false},
		{"shell", newPattern(pipedToShell), false},
		{"shell", newPattern(interpreted), false},
		{"shell", newPattern(downloaded), false},
		{"shell", newPattern(shellCommand), false},
		{"shell", newPattern(netcat), false},
		{"turn", newPattern(spokenTurn), false},
		{"turn", newPattern(roleTurn), false},
		{"unseen", newPattern(unseenPart), false},
		{"unseen", newPattern(unseenDots), false},
		{"image", newPattern(imageLink), false},
		{"image", newPattern(urlWithData), true},
		{"recipient", newPattern(address), false},
		{"recipient", newPattern(numbered), false},
		{"recipient", newPattern(telephone), false},
		{"recipient", newPattern(account), true},
		{"recipient", newPattern(`(?:^|\s)@\w{3,30}bot\b`), false},
		{"url", newPattern(`https?://[^\s"'<>)\]]+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|app|me|gg|xyz|top|site|info|ru|cn|example|test)/[\w./-]+`), false},
	}
})
