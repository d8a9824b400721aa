package console

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// Console is where a command writes: data to Out, everything else to Err.
type Console struct {
	Out     io.Writer
	Err     io.Writer
	Quiet   bool // no notes and no progress
	Verbose bool
	Color   bool
	Program Program // how hints name this program

	mu     sync.Mutex
	status string // what the last line of the terminal shows
	asking bool   // the last line of the terminal is a question
}

// Progress reports whether Err is a terminal that may show progress.
func (c *Console) Progress() bool { return !c.Quiet && IsTerminal(c.Err) }

// Status shows what is under way on the last line of a terminal, in place of what it
// showed before; "" removes it. Lines that are written meanwhile stand above it. It does
// nothing where there is no [Console.Progress].
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

// clear removes the status from the terminal. The lock is held.
func (c *Console) clear() {
	if c.status != "" {
		fmt.Fprint(c.Err, "\r\x1b[K")
	}
}

// Write writes to a person at the terminal. What ends in no newline is a question, whose
// line stays alone until the next line is written.
func (c *Console) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.status, c.asking = "", !bytes.HasSuffix(text, []byte("\n"))
	return c.Err.Write(text)
}

// Note writes one line for the person to Err, unless Quiet. As with [Console.Warn] and
// [Console.Error], next steps of errors among the arguments stand on lines of their own
// below it: see [hint.With].
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

// Warn writes one warning to Err, also when Quiet: silence is a defect.
func (c *Console) Warn(format string, args ...any) {
	c.line(c.paint("33", "warning: "), format, args...)
}

// Error writes one error to Err.
func (c *Console) Error(format string, args ...any) {
	c.line(c.paint("31", "error: "), format, args...)
}

// Printf writes data to Out.
func (c *Console) Printf(format string, args ...any) {
	c.Status("")
	fmt.Fprintf(c.Out, format, args...)
}

func (c *Console) line(prefix, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.asking = false
	defer fmt.Fprint(c.Err, c.status)
	text := fmt.Sprintf(format, args...)
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

// Help writes next steps to Err that belong to no single line, unless Quiet.
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

// help writes one line for each step. The lock is held.
func (c *Console) help(steps []string) {
	for _, step := range steps {
		c.lines(c.paint("36", "help: "), step)
	}
}

// lines writes a text behind a prefix. Below one that is not empty, all further lines are
// indented, so that none of them passes for a line with a prefix of its own.
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

// WantColor reports whether w is a terminal on which NO_COLOR does not forbid
// color (https://no-color.org).
func WantColor(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// IsTerminal reports whether a reader or a writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is how many columns a terminal has, within what a report can be read in, and
// whether w is one. It is 0 where that is not known.
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
