// Reading a project in steps: parse, decode, check, import, merge.

package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// loader reads one project.
type loader struct {
	checker
	env     Environment
	all     []dialect.Row   // servers as the files define them, in file order
	rows    map[string]int  // indices in all of the servers that count, by name
	imports []Notice        // notices of the imported files
	unread  []*tree.Finding // the imports that cannot be read

	dialects  []dialect.Dialect // of files that were read, or searched for by name
	manifests []Manifest
	off       map[string]bool // servers that mcpgen.yaml disables
	skipped   []Skipped
	systems   []string // imported by name
	sources   askedFiles
	missed    []Unread
	files     []string          // that were read or searched for
	mcp       string            // the system that --mcp has to name; "" for an mcpgen.yaml
	lost      []string          // servers whose definitions are unusable
	together  map[string]string // the system of each file that one system reads with others, by path
}

// newLoader returns a loader for a file in a folder; "" means none.
func newLoader(path, dir string) *loader {
	l := &loader{
		checker: checker{tree.Report{Path: path}, dir}, rows: map[string]int{},
		sources: askedFiles{project: dir}, together: map[string]string{},
	}
	env, _ := System() // no file is searched for if the working directory is unknown
	if dir != "" {
		env.Dir = dir
	}
	l.use(env)
	return l
}

// use sets the environment of the loader, which records the files that it reads.
func (l *loader) use(env Environment) {
	read := env.Read
	env.Read = func(path string) ([]byte, error) {
		if abs, err := filepath.Abs(path); err == nil && !slices.Contains(l.files, abs) {
			l.files = append(l.files, abs)
		}
		if read == nil {
			return nil, errors.ErrUnsupported
		}
		return read(path)
	}
	l.env = env
}

// load reads an mcpgen.yaml.
func (l *loader) load(data []byte, json bool) (*Project, error) {
	parse := tree.ParseYAML
	if json {
		parse = tree.ParseJSON
	}
	root := parse(&l.Report, data)
	for _, e := range l.Errors {
		if e.Text == tree.Empty {
			e.Steps = []string{"begin with:\n\n" + example}
		}
	}
	if root == nil || !l.version(root) {
		return nil, inOrder(&l.Report)
	}
	file := new(File)
	d := tree.Decoder{Report: &l.Report, Custom: customTypes()}
	d.Decode(root, "", file)
	for _, e := range l.Errors {
		if strings.HasSuffix(e.Text, ".type: unknown key") &&
			slices.Equal(e.Steps, []string{tree.Suggest("types", []string{"types"})}) {
			e.Steps = []string{tree.Suggest("transport", []string{"transport"})} // other formats call transport type
		}
	}
	l.off = map[string]bool{}
	for name, entry := range file.Servers {
		l.off[name] = entry.Enabled != nil && !*entry.Enabled
	}
	l.checkFile(file, root)
	l.ownServers(file, root)
	before := len(l.Errors)
	imported := l.importFiles(file, root.Value("import"))
	l.configured(file, root, len(imported)+len(l.unread) == 0 && len(l.Errors) == before)
	err := errors.Join(inOrder(&tree.Report{Errors: slices.Concat(l.Errors, l.unread)}), errors.Join(imported...))
	if len(l.Errors) > 0 {
		return nil, err
	}
	p, problem := l.project(file, root)
	return partial(p, problem, err)
}

// version reports whether the file has the version that this package reads. The keys of other versions
// are not checked.
func (l *loader) version(root *tree.Node) bool {
	if root.Kind != tree.Map {
		l.Fail(root.Pos, "", "want a mapping, found "+root.Kind.String(), "begin with version: 1")
		return false
	}
	n := root.Value("version")
	if n == nil {
		return true // reported with the other missing keys
	}
	if v, ok := n.Int(); ok && v != 1 {
		l.Fail(n.Pos, "version", fmt.Sprintf("version %d is unknown: this mcpgen reads version 1", v),
			"use the version of mcpgen that the file was written for")
		return false
	}
	return true
}

// importFiles reads the imported files and returns their errors.
func (l *loader) importFiles(file *File, n *tree.Node) []error {
	var errs []error
	at := tree.Path("import")
	for i, name := range file.Import {
		pos := n.List[i].Pos
		switch {
		case name == "":
			if n.List[i].Kind == tree.String {
				l.Fail(pos, at.Index(i), "the path is empty")
			}
			continue
		case l.dir == "":
			l.Fail(pos, at.Index(i),
				"a configuration that was not read from a file has no folder for imports",
				"define the servers in the configuration itself, or load the configuration from a file")
			continue
		}
		var found []error
		source := l.sources.source(l.beside(name), "", "")
		if d, ok := l.systemNamed(name, l.beside(name)); ok {
			l.systems = append(l.systems, d.Name)
			found = l.take(d, searchFiles(l.env, d, namedSystem))
		} else {
			l.sources.named = append(l.sources.named, source)
			found = l.read(l.beside(name))
		}
		if e := wholeFile(found); e != nil {
			unread := &tree.Finding{
				Position: l.At(pos), Text: string(at.Index(i)) + ": " + e.Path + ": " + e.Reason,
				Steps: e.Steps, Cause: e.cause,
			}
			if len(unread.Steps) == 0 {
				unread.Steps = []string{"correct the path", "remove the import"}
			}
			l.unread = append(l.unread, unread)
			l.missed = append(l.missed, Unread{source, errorOf(unread)})
			continue
		}
		errs = append(errs, found...)
	}
	return errs
}

// beside returns the path of an imported file. After ~/ it is relative to the user's folder, else to the
// importing file.
func (l *loader) beside(name string) string {
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		if home := homeOf(os.LookupEnv); home != "" {
			return filepath.Join(home, filepath.FromSlash(below))
		}
	}
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	if l.Path == "" {
		return filepath.Join(l.dir, name)
	}
	return filepath.Join(filepath.Dir(l.Path), name)
}

// wholeFile returns the only error of a file if it has no line. Such an error is reported at the line
// that names the file.
func wholeFile(errs []error) *Error {
	if len(errs) != 1 {
		return nil
	}
	e, ok := errors.AsType[*Error](errs[0])
	if !ok || e.Line > 0 {
		return nil
	}
	return e
}

// read reads a server file that the user named and merges its rows. If two rows have the same name, the
// first one wins.
func (l *loader) read(path string) []error {
	return l.add(readServerFile(l.env, path, false))
}

// add merges the rows of a file.
func (l *loader) add(f *dialect.File) []error {
	rows, errs := l.rowsOf(f, func(name string) bool { _, ok := l.rows[name]; return ok })
	l.merge(rows)
	return errs
}

// rowsOf returns the rows of a file that was named, and its errors. There are no rows if the file's
// system requires trust and the file is not trusted. Errors of servers that are disabled, or defined
// earlier, are ignored.
func (l *loader) rowsOf(f *dialect.File, defined func(name string) bool) ([]dialect.Row, []error) {
	l.dialects = append(l.dialects, f.Dialect)
	if reason, hint := l.env.refuses(f, namedFile); reason != "" && !f.Absent {
		l.skip(skippedFile(f, reason, hint))
		return nil, nil
	}
	rows := f.Dialect.Merge(f.Rows)
	forgiven := map[string]bool{}
	for _, r := range f.Broken {
		name := r.Server.Name
		earlier := defined(name)
		forgiven[name] = l.off[name] || earlier
		if l.off[name] && !earlier {
			rows = append(rows, r)
		}
	}
	l.note(f)
	var errs []error
	for i, e := range f.Errors {
		switch {
		case e.Server == "":
			f.Unread = e.Text
		case forgiven[e.Server]:
			continue
		case l.off != nil && (i == len(f.Errors)-1 || f.Errors[i+1].Server != e.Server):
			// An mcpgen.yaml can only disable a broken server of another program's file.
			e.Steps = append(slices.Clip(e.Steps),
				"to go without this server, write servers: {"+tree.Quote(e.Server)+": {enabled: false}}")
		}
		errs = append(errs, errorOf(e))
		if e.Server != "" {
			f.Lost = append(f.Lost, e.Server)
		}
	}
	l.leaves(f)
	l.sources.add(f)
	return rows, errs
}

// note adds the notices and the manifest of a file that counts.
func (l *loader) note(f *dialect.File) {
	f.Sort()
	l.imports = append(l.imports, noticesOf(f.Notices)...)
	if f.Manifest != nil {
		l.manifests = append(l.manifests, *f.Manifest)
	}
}

// merge appends rows.
func (l *loader) merge(rows []dialect.Row) {
	for _, r := range rows {
		switch {
		case r.Disabled: // it would not be used in any case
		case r.Shadowed:
			l.imports = append(l.imports, rowNotice(r, " is "))
		case r.Left != "":
			l.imports = append(l.imports, rowNotice(r, " is left out: "))
		case r.Namesake != tree.Position{}:
			l.imports = append(l.imports, rowNotice(r,
				fmt.Sprintf(" has the same name as the server in %s; mcpgen uses both servers", r.Namesake)))
		}
		l.all = dialect.AppendFirst(l.all, l.rows, r)
		if last := l.all[len(l.all)-1]; last.Shadowed && !r.Shadowed {
			l.imports = append(l.imports, rowNotice(last, " is "))
		}
	}
}

// project builds the result.
func (l *loader) project(file *File, root *tree.Node) (*Project, error) {
	p := &Project{
		Path: l.Path, Dir: l.dir, Output: DefaultOutput, Naming: l.naming(file),
		Docs: file.Docs, Fakes: file.Fakes == nil || *file.Fakes, Build: map[string]Build{},
		Drift: judgement(file.Drift, root.Value("drift")),
	}
	p.Store, p.RequireSignature = file.Store, file.Signed
	if file.Limits != nil {
		p.Memory = file.Limits.Memory
	}
	if file.Budget != nil {
		p.Budget = file.Budget.Tokens
	}
	if file.Output != "" {
		p.Output = path.Clean(file.Output)
	}
	for _, r := range l.counting() {
		name := r.Server.Name
		entry := file.Servers[name]
		if enabled := entry.Enabled; enabled != nil {
			r.Disabled = !*enabled
		}
		if p.Naming == naming.Dot && strings.Contains(name, ".") && !r.Disabled {
			l.imports = append(l.imports, leftForDot(r))
			continue
		}
		build := buildOf(name, &entry, r)
		build.Checked = file.Validate
		if entry.Validate != nil {
			build.Checked = *entry.Validate
		}
		l.readTypes(&build, root.Value("servers").Value(name))
		p.Build[name] = build
		if r.Disabled {
			p.Disabled = append(p.Disabled, name)
			continue
		}
		r.Server = bounded(r.Server, &entry)
		l.hold(&r.Server, &entry, root.Value("servers").Value(name), tree.Path("servers").Key(name))
		r.Server.Client = offers(file.Client, entry.Client)
		r.Server.Lazy = file.Lazy
		if entry.Lazy != nil {
			r.Server.Lazy = *entry.Lazy
		}
		p.Servers = append(p.Servers, r.Server)
	}
	slices.Sort(p.Disabled)
	for _, r := range l.all {
		if r.Disabled {
			r.Left = cmp.Or(r.Left, "disabled")
		}
		p.Definitions = append(p.Definitions, r)
	}
	p.Manifests, p.Skipped, p.lost, p.Unread, p.sources = l.manifests, l.skipped, l.lost, l.missed, l.sources
	p.sources.read = append(p.sources.read, l.sources.source(l.Path, "", ""))
	p.Entries = map[string]Build{}
	for name, entry := range file.Servers {
		if _, ok := p.Build[name]; !ok {
			build := buildOf(name, &entry, new(dialect.Row))
			l.readTypes(&build, root.Value("servers").Value(name))
			p.Entries[name] = build
		}
	}
	p.Native = l.systemNames(func(d dialect.Dialect) []string { return d.Native })
	p.Guides = l.systemNames(func(d dialect.Dialect) []string { return d.Guides })
	p.Home = l.home()
	l.permissions(p, file, root)
	l.profiles(p, file, root.Value("profiles"))
	l.auditLog(p, file)
	l.ledger(p, file, root)
	p.require()
	if len(p.Servers) == 0 && root != nil {
		l.Note(tree.Pos{}, "", "no server is enabled")
	}
	if err := inOrder(&l.Report); err != nil {
		return nil, err
	}
	p.Notices = append(noticesOf(l.Notices), l.imports...)
	p.Files = l.files
	p.settings = settingsOf(p, root, l.counting())
	return p, nil
}

// leftForDot leaves out a server whose tools' names could not be split, and returns the notice.
func leftForDot(r *dialect.Row) Notice {
	name := naming.Dot.Qualify(r.Server.Name, "TOOL")
	r.Left = "its name has a dot, so that " + tree.Quote(name) + " does not say where the tool begins"
	n := rowNotice(*r, " is left out: ")
	n.Steps = []string{
		"rename the server", "import its file in an mcpgen.yaml with another naming, such as naming: underscore",
	}
	return n
}

// counting returns the rows that count, in file order.
func (l *loader) counting() []*dialect.Row {
	var rows []*dialect.Row
	for _, i := range slices.Sorted(maps.Values(l.rows)) {
		rows = append(rows, &l.all[i])
	}
	return rows
}

// systemNames collects the names that list returns for the systems whose files were read, each once.
func (l *loader) systemNames(list func(dialect.Dialect) []string) []string {
	var names []string
	for _, d := range l.dialects {
		for _, name := range list(d) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// home returns the folder in which the only system keeps grants and log for all projects: if --mcp names
// the system, or if all servers are defined in that folder.
func (l *loader) home() string {
	if len(l.dialects) != 1 || l.dialects[0].Home == "" || l.env.Home == "" {
		return ""
	}
	home := l.env.machine().Join(l.env.Home, l.dialects[0].Home)
	rows := l.counting()
	if l.mcp != l.dialects[0].Name && (len(rows) == 0 || slices.ContainsFunc(rows, func(r *dialect.Row) bool {
		return filepath.Dir(r.Server.Source.Path) != filepath.Clean(home)
	})) {
		return ""
	}
	return home
}

// denies reports whether the gate of one of the systems is on by default.
func (l *loader) denies() bool {
	return slices.ContainsFunc(l.dialects, func(d dialect.Dialect) bool { return d.Denies })
}

// bounded applies the limits of a server's entry, which override the limits of its own file.
func bounded(s endpoint.Server, entry *Entry) endpoint.Server {
	s.AllowEmpty, s.Single = entry.AllowEmpty, entry.Single
	s.Resources, s.Protocol = endpoint.Resources(entry.Resources), entry.Protocol
	if t := entry.Timeout; t != nil {
		s.Timeout.Start = cmp.Or(t.Start, s.Timeout.Start)
		s.Timeout.Call = cmp.Or(t.Call, s.Timeout.Call)
	}
	if m := entry.Limits; m != nil {
		s.Limits = *m
	}
	return s
}

// hold makes a server run only locked bytes if its entry requires it.
func (l *loader) hold(s *endpoint.Server, entry *Entry, n *tree.Node, at tree.Path) {
	if entry.Artifacts == "" {
		return
	}
	p, ok := s.Launch.(*endpoint.Process)
	if !ok {
		m, _ := n.Get("artifacts")
		l.Fail(m.Pos, at.Key("artifacts"), "needs a command, and this server has a url", "remove it")
		return
	}
	held := *p // the launch may be shared
	held.Locked, held.Scripts = true, slices.Compact(slices.Sorted(slices.Values(entry.Scripts)))
	s.Launch = &held
}

func buildOf(name string, entry *Entry, r *dialect.Row) Build {
	b := Build{
		Package: entry.Package, Given: entry.Package != "", Results: entry.Results,
		From: entry.From, Lenient: entry.Decode == "lenient",
		Include: r.Include, Exclude: r.Exclude,
	}
	if b.Package == "" {
		b.Package = gopkg.Of(name)
	}
	if entry.Budget != nil {
		b.Budget = entry.Budget.Tokens
	}
	if t := entry.Tools; t != nil {
		// Tools that the server's own file excludes stay excluded.
		b.Exclude, b.Rename = slices.Concat(b.Exclude, t.Exclude), t.Rename
		if t.Include != nil {
			b.Include = t.Include
		}
	}
	return b
}

// rowNotice returns the notice for a row that another one replaces, or that its own system ignores.
func rowNotice(r dialect.Row, is string) Notice {
	at := r.Server.Source
	text := "the server " + tree.Quote(r.Server.Name) + is + r.Left
	return Notice{Path: at.Path, Line: at.Line, Column: r.Column, Text: text}
}
