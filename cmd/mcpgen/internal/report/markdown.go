// The report as markdown, for comments on pull requests and job summaries.

package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/templates"
)

// maxCode bounds values on the page, in characters.
const maxCode = 400

// The view of the template. All texts are markdown.
type (
	pageView struct {
		Verdict string
		Counts  string
		Top     []string // at most maxTop points that a reviewer has to look at
		Summary string
		Changes string // all changes, as text in HTML
		Left    string // what did not fit; "" if everything did
		Servers []serverView
		Stale   []string
		Error   string
		Unseen  []string
		Here    []listView // what the branch itself changed
	}
	listView struct {
		Title  string
		Points []string
	}
	serverView struct {
		Name, State, Error               string
		Breaking, Unknown, Warning, Info int
	}
)

// maxTop bounds the visible points of the comment: with heading and counts the comment then has at most
// 15 lines.
const maxTop = 8

// maxPage bounds the page in bytes. A comment may have 65,536 characters.
const maxPage = 60_000

// writeMarkdown writes as many changes as fit on the page, the worst first.
func writeMarkdown(r *Report, o *Options) ([]byte, error) {
	var servers []*Server
	var all []*Change
	for i := range r.Servers {
		s := r.Servers[i].whole()
		servers = append(servers, s)
		for j := range s.Changes {
			all = append(all, &s.Changes[j])
		}
	}
	slices.SortStableFunc(all, func(a, b *Change) int {
		return cmp.Or(first(touched(a), touched(b)), first(o.fails(a), o.fails(b)), worse(a.Severity, b.Severity))
	})
	var page []byte
	var err error
	fits := func(n int) bool {
		var text []byte
		text, err = r.page(servers, all, n)
		if err != nil || len(text) > maxPage {
			return false
		}
		page = text
		return true
	}
	if fits(len(all)) || err != nil {
		return page, err
	}
	if n := sort.Search(len(all), func(n int) bool { return !fits(n + 1) }); n > 0 {
		fits(n)
		return page, err
	}
	return r.page(nil, all, 0)
}

// page returns the page with the first n changes of all.
func (r *Report) page(servers []*Server, all []*Change, n int) ([]byte, error) {
	v := pageView{Verdict: string(r.Verdict), Summary: r.Summary(), Counts: r.inWords(), Top: r.top(), Here: r.here()}
	shown := map[*Change]bool{}
	for _, c := range all[:n] {
		shown[c] = true
	}
	p := newPage(&Options{Width: 100})
	for _, s := range servers {
		v.Servers = append(v.Servers, viewServer(s))
		some := *s
		some.Changes, some.Off = nil, nil
		for i := range s.Changes {
			if shown[&s.Changes[i]] {
				some.Changes = append(some.Changes, s.Changes[i])
			}
		}
		if some.Changes != nil {
			p.server(&some)
		}
	}
	v.Changes = html(p.b.String())
	if left := len(all) - n; left > 0 {
		v.Left = "and " + safetext.Count(left, "change") + " more"
	}
	for _, f := range r.Stale {
		v.Stale = append(v.Stale, code(f.Path)+": "+prose(f.State))
	}
	v.Stale = folded(v.Stale, maxListed)
	if r.Error != "" {
		v.Error = cut(r.Error)
	}
	for _, u := range r.Unseen {
		v.Unseen = append(v.Unseen, code(Position{u.File, u.Line}.String())+" "+cut(u.Reason))
	}
	v.Unseen = folded(v.Unseen, maxListed)
	return templates.Render("report.md.tmpl", v)
}

// maxListed bounds lists of other things than changes.
const maxListed = 20

// cut returns prose, shortened if it is long.
func cut(text string) string { return prose(console.Cut(line(text), maxCode)) }

// here lists the user's lines, if there are many, and what a branch locked for the first time, repaired
// and accepted.
func (r *Report) here() []listView {
	var lines, locked, repaired, accepted, unoffered []string
	if own := r.ownLines(); len(own) > maxTop/2 {
		for _, l := range own {
			lines = append(lines, l.markdown())
		}
	}
	for _, s := range r.Servers {
		if s.Took != "" {
			locked = append(locked, code(s.Server)+": "+prose(s.Took))
		}
		if text := UnofferedText(s.Unoffered); text != "" {
			unoffered = append(unoffered, code(s.Server)+": "+prose(text))
		}
		for _, site := range s.Repaired {
			repaired = append(repaired, code(Position{site.File, site.Line}.String())+" "+code(site.Source))
		}
	}
	for _, a := range r.Accepted {
		accepted = append(accepted, code(a.String()))
	}
	var out []listView
	for _, l := range []listView{
		{"Your code", lines}, {"First locked here", locked}, {"Repaired here", repaired},
		{"Accepted here", accepted}, {"Not offered", unoffered}} {
		if l.Points = folded(l.Points, maxListed); l.Points != nil {
			out = append(out, l)
		}
	}
	return out
}

// inWords describes the size of each part of a report.
func (r *Report) inWords() string {
	var out []string
	if lines := r.ownLines(); len(lines) > 0 {
		out = append(out, "**your code: "+safetext.Count(len(lines), "line")+"**")
	}
	for _, part := range r.parts() {
		if n := changesIn(slices.Concat(part.found...)); n > 0 {
			out = append(out, part.head.lead+": "+strconv.Itoa(n))
		}
	}
	if n := r.repaired(); n > 0 {
		out = append(out, "repaired here: "+safetext.Count(n, "line"))
	}
	if len(r.Accepted) > 0 {
		out = append(out, "accepted here: "+safetext.Count(len(r.Accepted), "finding"))
	}
	unchecked := 0
	for _, s := range r.Servers {
		if s.Verdict == drift.Unchecked {
			unchecked++
		}
	}
	if unchecked > 0 {
		out = append(out, "not checked: "+safetext.Count(unchecked, "server"))
	}
	if len(out) == 0 {
		return "nothing changed"
	}
	return strings.Join(out, " · ")
}

// top returns at most maxTop points that a reviewer has to see: broken lines, unchecked parts, security
// findings, then other breaking changes.
func (r *Report) top() []string {
	var lines, unknown, rest []string
	for _, l := range r.ownLines() {
		lines = append(lines, l.markdown())
	}
	for i := range r.Servers {
		if s := &r.Servers[i]; s.Verdict == drift.Unchecked {
			unknown = append(unknown, code(s.Server)+": "+prose(standing(s)))
		}
	}
	for _, u := range r.Unseen {
		at := code(Position{u.File, u.Line}.String())
		unknown = append(unknown, "could not search your code for calls: "+at+" "+cut(u.Reason))
	}
	for _, part := range r.parts()[:3] {
		for _, f := range slices.Concat(part.found...) {
			rest = append(rest, f.markdown())
		}
	}
	out := append(folded(lines, maxTop/2), folded(unknown, 2)...)
	return append(out, folded(rest, maxTop-len(out))...)
}

// markdown returns a line with its worst finding.
func (l *ownLine) markdown() string {
	f := l.found[0]
	about := code(f.server.Server) + " " + code(item{f.change.Kind, f.change.Name}.String())
	text := code(l.at().String()) + " " + code(l.Source) + ": " + about + ": " + cut(summary(f.change))
	if f.change.Remedy != "" {
		text += " → " + cut(f.change.Remedy)
	}
	return text
}

// markdown returns a finding with its items.
func (f finding) markdown() string {
	items := code(f.items[0].String())
	if n := len(f.items) - 1; n > 0 {
		items += " and " + strconv.Itoa(n) + " more"
	}
	return code(f.server) + " " + items + ": " + prose(f.text)
}

// folded keeps at most n points, and counts the rest.
func folded(points []string, n int) []string {
	if len(points) <= n {
		return points
	}
	return append(points[:n-1:n-1], fmt.Sprintf("and %d more", len(points)-n+1))
}

func viewServer(s *Server) serverView {
	v := serverView{Name: code(s.Server), State: string(s.Verdict), Error: cut(s.reason())}
	if s.State != StateChecked {
		v.State = s.State
	}
	one := Report{Servers: []Server{*s}}
	v.Breaking, v.Unknown = one.Count(drift.Breaking), one.Count(drift.Unknown)
	v.Warning, v.Info = one.Count(drift.Warning), one.Count(drift.Info)
	return v
}

// html escapes a text for an element pre; see [mark] for @.
func html(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;<!-- -->").Replace(text)
}

// code returns foreign text as inline code, shortened if it is long.
func code(text string) string { return mark(console.Cut(line(text), maxCode)) }

// mark makes inline code with a tag instead of backticks, which the text could close. Characters with a
// meaning in markdown, HTML or tables become character references. Sites that turn names, numbers and
// addresses into links leave the tag's content alone. For sites that search for @ earlier, a comment
// follows the @.
func mark(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + references(text) + "</code>"
}

// markup is the punctuation with a meaning in markdown, HTML or tables at any place.
const markup = "&<>`*[]|\\~$#"

// references replaces markup by character references, and also an underscore outside words, the beginning
// of an address, and GitLab's marks between braces.
func references(text string) string {
	var b strings.Builder
	for i, r := range text {
		rest := text[i+utf8.RuneLen(r):]
		next, _ := utf8.DecodeRuneInString(rest)
		last, _ := utf8.DecodeLastRuneInString(text[:i])
		switch {
		case r == '@':
			b.WriteString("&#64;<!-- -->")
		case strings.ContainsRune(markup, r),
			r == '_' && !(isWord(last) && isWord(next)),
			r == ':' && strings.HasPrefix(rest, "//"),
			r == '.' && i >= 3 && strings.EqualFold(text[i-3:i], "www"),
			r == '!' && isWord(next),
			r == '%' && (isWord(next) || next == '"'),
			r == '{' && (next == '+' || next == '-'):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isWord reports whether a character belongs to a word in markdown.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// prose formats a sentence of mcpgen in which foreign text is in double quotes: quoted parts become code,
// the others text. If a site might turn any unquoted part into a link, the whole sentence becomes code.
func prose(text string) string {
	text = line(text)
	var b strings.Builder
	for part, quoted := range segments(text) {
		switch {
		case quoted:
			b.WriteString(mark(part))
		case strings.ContainsAny(part, "@#<>`") || strings.Contains(part, "://") ||
			strings.Contains(strings.ToLower(part), "www."):
			return mark(text)
		default:
			b.WriteString(references(part))
		}
	}
	return b.String()
}

// segments yields the parts of a sentence, and whether each one is quoted. Quoted parts include their
// quotes.
func segments(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for text != "" {
			end, quoted := strings.IndexByte(text, '"'), false
			switch {
			case end < 0:
				end = len(text)
			case end == 0:
				end, quoted = closing(text), true
			}
			if !yield(text[:end], quoted) {
				return
			}
			text = text[end:]
		}
	}
}

// closing returns the length of the quoted text at the beginning of text, or the length of text if the
// quote is not closed.
func closing(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
