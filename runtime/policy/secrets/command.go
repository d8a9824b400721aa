package secrets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// placeholder is replaced by the name of the secret in the arguments of a command.
const placeholder = "{name}"

const (
	commandTimeout = 30 * time.Second // a person may have to unlock a store
	commandGrace   = 2 * time.Second  // for processes that a command leaves running
)

const runStep = "run it by hand"

// Command returns a source that runs a program such as a password manager: the
// standard output, without the line break at its end, is the value. {name} in
// the arguments is replaced by the name; no shell is used. Exit status 1 without
// output means that the program does not have the secret; every other failure is an
// error, which names the program and does not quote its output. The program has 30
// seconds.
func Command(argv ...string) policy.SecretSource {
	return func(ctx context.Context, name string) (string, error) {
		if len(argv) == 0 || argv[0] == "" {
			return "", hint.New("the command for secrets is empty", "name a program")
		}
		// A program would take such a name for a flag.
		if strings.HasPrefix(name, "-") {
			return "", hint.With(
				fmt.Errorf("the secret name %q begins with a dash, so a command could read it as a flag", name),
				"rename it")
		}
		args := make([]string, len(argv)-1)
		for i, arg := range argv[1:] {
			args[i] = strings.ReplaceAll(arg, placeholder, name)
		}
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		out := &limited{limit: maxValue + 2}
		cmd := exec.CommandContext(ctx, argv[0], args...)
		cmd.Stdout, cmd.WaitDelay = out, commandGrace
		err := cmd.Run()
		exit, exited := errors.AsType[*exec.ExitError](err)
		switch {
		case ctx.Err() != nil:
			err := fmt.Errorf("the command %q for secrets did not end in time: %w", argv[0], context.Cause(ctx))
			return "", hint.With(err, runStep)
		case exited && exit.ExitCode() == 1 && out.Len() == 0:
			return "", policy.ErrNoSecret
		case err != nil:
			return "", hint.With(fmt.Errorf("the command %q for secrets failed: %w", argv[0], err), runStep)
		}
		value := strings.TrimSuffix(strings.TrimSuffix(out.String(), "\n"), "\r")
		if err := CheckValue(value); err != nil {
			return "", hint.With(fmt.Errorf("the command %q for secrets: %w", argv[0], err), runStep)
		}
		return value, nil
	}
}

// limited keeps the first bytes that are written to it.
type limited struct {
	bytes.Buffer
	limit int
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.limit - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
