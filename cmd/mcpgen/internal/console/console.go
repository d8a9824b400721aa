package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
	"text/tabwriter"

	"golang.org/x/term"
)

// Console is the output of a command: data goes to Out, everything else to Err.
type Console struct {
	Out     io.Writer
	Err     io.Writer
	Quiet   bool // no notes and no progress
	Verbose bool
	Color   bool
	Program Program // the name of this program in hints

	mu     sync.Mutex
	status string // the status on the last line of the terminal
	asking bool   // the last line of the terminal is a question
}

// Progress reports whether Err is a terminal that can replace a line, and progress may be shown.
func (c *Console) Progress() bool {
	return !c.Quiet && os.Getenv("TERM") != "dumb" && IsTerminal(c.Err)
}

// Status shows the current activity on the last line of the terminal and replaces the previous status; ""
// removes it. Other lines are written above it. Without [Console.Progress] it does nothing.
func (c *Console) Status(format string, args ...any) {
	if !c.Progress() {
		return
	}
	text := Clean(fmt.Sprintf(format, args...))
	if columns, _ := Width(c.Err); columns > 0 {
		text = Cut(text, columns-1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if text == c.status || c.asking {
		return
	}
	c.clear()
	c.status = text
	fmt.Fprint(c.Err, text)
}

// clear removes the status from the terminal. The caller holds the lock.
func (c *Console) clear() {
	if c.status != "" {
		fmt.Fprint(c.Err, "\r\x1b[K")
	}
}

// Write writes to a person at the terminal, as [Console.Printf] does. A text without a final newline is a
// question, which stays alone on its line until the next line is written.
func (c *Console) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.status, c.asking = "", !bytes.HasSuffix(text, []byte("\n"))
	_, err := io.WriteString(c.Err, inertLines(CleanText(string(text))))
	return len(text), err
}

// Note writes one line for the user to Err, unless Quiet. Next steps of errors among the arguments are
// written below it on separate lines, as for [Console.Warn] and [Console.Error]: see [hint.With].
func (c *Console) Note(format string, args ...any) {
	if !c.Quiet {
		c.line("", format, args...)
	}
}

// Detail writes one line to Err if Verbose.
func (c *Console) Detail(format string, args ...any) {
	if c.Verbose && !c.Quiet {
		c.line("", format, args...)
	}
}

// Warn writes one warning to Err, even if Quiet: a hidden warning would be a defect.
func (c *Console) Warn(format string, args ...any) {
	c.line(c.paint("33", "warning: "), format, args...)
}

// Error writes one error to Err.
func (c *Console) Error(format string, args ...any) {
	c.line(c.paint("31", "error: "), format, args...)
}

// Printf writes to Out for a person: every text among the arguments is cleaned to one line by [Clean],
// and no line is a command to the program that runs mcpgen. Data for programs is written to Out directly.
func (c *Console) Printf(format string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = Clean(err.Error())
		}
	}
	c.PrintText(fmt.Sprintf(format, onOneLine(args)...))
}

// PrintText writes a text of several lines to Out for a person.
func (c *Console) PrintText(text string) {
	c.Status("")
	fmt.Fprint(c.Out, inertLines(CleanText(text)))
}

// onOneLine cleans texts among the arguments by [Clean]. Errors are unchanged.
func onOneLine(args []any) []any {
	for i, arg := range args {
		if _, ok := arg.(error); ok {
			continue
		}
		if s, ok := arg.(fmt.Stringer); ok {
			args[i] = Clean(s.String())
		} else if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
			args[i] = Clean(v.String())
		} else if raw, ok := arg.(json.RawMessage); ok {
			args[i] = Clean(string(raw))
		}
	}
	return args
}

// Table is text in columns, printed when it is complete.
type Table struct {
	c    *Console
	text bytes.Buffer
	w    *tabwriter.Writer
}

// Table returns a new table.
func (c *Console) Table() *Table {
	t := &Table{c: c}
	t.w = tabwriter.NewWriter(&t.text, 0, 0, 2, ' ', 0)
	return t
}

// Row adds a row. Its cells may be foreign text.
func (t *Table) Row(cells ...string) {
	clean := make([]string, len(cells))
	for i, cell := range cells {
		clean[i] = Clean(cell)
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(clean, "\t"), "\t"))
}

// Rows returns the formatted rows.
func (t *Table) Rows() []string {
	t.w.Flush() // a buffer, so it cannot fail
	return strings.FieldsFunc(t.text.String(), func(r rune) bool { return r == '\n' })
}

// Print writes the table, as [Console.Printf] does. An empty table writes nothing.
func (t *Table) Print() {
	for _, row := range t.Rows() {
		t.c.Printf("%s\n", row)
	}
}

// inertLines makes each line of a text inert: see [Inert].
func inertLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Inert(line)
	}
	return strings.Join(lines, "\n")
}

func (c *Console) line(prefix, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.asking = false
	defer fmt.Fprint(c.Err, c.status)
	text := fmt.Sprintf(format, onOneLine(args)...)
	var steps []string
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			var more []string
			text, more = Steps(text, err)
			steps = append(steps, more...)
		}
	}
	c.lines(prefix, text)
	c.help(steps)
}

// Help writes next steps that belong to no single line to Err, unless Quiet.
func (c *Console) Help(steps ...string) {
	if c.Quiet || len(steps) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.asking = false
	defer fmt.Fprint(c.Err, c.status)
	c.help(steps)
}

// help writes one line for each step. The caller holds the lock.
func (c *Console) help(steps []string) {
	for _, step := range steps {
		c.lines(c.paint("36", "help: "), step)
	}
}

// lines writes a text after a prefix. If the prefix is not empty, further lines are indented, so that
// they cannot pass for lines with a prefix.
func (c *Console) lines(prefix, text string) {
	indent := ""
	for part := range strings.SplitSeq(c.Program.Hint(CleanText(text)), "\n") {
		if part == "" {
			fmt.Fprintln(c.Err)
			continue
		}
		fmt.Fprintf(c.Err, "%s%s%s\n", indent, prefix, Inert(part))
		if prefix != "" {
			prefix, indent = "", "  "
		}
	}
}

// paint returns s in an ANSI color, if color is on.
func (c *Console) paint(code, s string) string {
	if !c.Color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// WantColor reports whether w is a terminal and NO_COLOR is not set (https://no-color.org).
func WantColor(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// IsTerminal reports whether a reader or a writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the columns of a terminal, limited to a readable width, and whether w is a terminal.
// Columns is 0 if unknown.
func Width(w io.Writer) (columns int, terminal bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, true
	}
	return min(max(columns, 60), 120), true
}
