package systems

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// session plays a transcript: session PROGRAM FILE. The lines of the file that begin with
// the program's prompt are typed, each when the program asks for one, and what it prints
// goes to standard output, with what was typed. A line "$ cp FROM TO" is what somebody
// else does at that point. Servers start and end in any order, so the lines of standard
// error are sorted.
func session() {
	if len(os.Args) != 3 {
		fatal(errors.New("usage: session PROGRAM FILE"))
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		fatal(err)
	}
	cmd, prompt := exec.Command(os.Args[1]), os.Args[1]+"> "
	var notices bytes.Buffer
	cmd.Stderr = &notices
	in, err := cmd.StdinPipe()
	if err != nil {
		fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		fatal(err)
	}
	if err := cmd.Start(); err != nil {
		fatal(err)
	}
	printed := bufio.NewReader(out)
	printUntil(printed, prompt)
	for line := range strings.Lines(string(text)) {
		if typed, ok := strings.CutPrefix(line, prompt); ok {
			fmt.Print(line)
			_, err = io.WriteString(in, typed)
			printUntil(printed, prompt)
		} else if files, ok := strings.CutPrefix(line, "$ cp "); ok {
			fmt.Print(line)
			from, to, _ := strings.Cut(strings.TrimSpace(files), " ")
			if text, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
		}
		if err != nil {
			fatal(err)
		}
	}
	_ = in.Close() // the end of the input
	printUntil(printed, "")
	err = cmd.Wait()
	fmt.Fprint(os.Stderr, strings.Join(slices.Sorted(strings.Lines(notices.String())), ""))
	if err != nil {
		fatal(err)
	}
	os.Exit(0)
}

// printUntil prints what a program prints until it asks for a line, or ends.
func printUntil(r *bufio.Reader, prompt string) {
	var line []byte
	for {
		b, err := r.ReadByte()
		if err != nil {
			fmt.Printf("%s", line)
			return
		}
		line = append(line, b)
		if string(line) == prompt {
			return
		}
		if b == '\n' {
			fmt.Printf("%s", line)
			line = nil
		}
	}
}
