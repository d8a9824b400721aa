// Files with variables, such as .env.

package dialect

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// maxTextFile bounds the size of a file that holds one value, in bytes.
const maxTextFile = 64 << 10

// loadText reads a file that holds one value. Its errors are the system's, without the path.
func loadText(path string) (string, error) {
	data, err := regular.ReadFile(path, maxTextFile)
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return strings.TrimRight(string(data), "\r\n"), err
}

// maxEnvFile bounds the size of a file with variables, in bytes.
const maxEnvFile = 1 << 20

// loadEnvFile reads NAME=value lines, with quotes, comments and export as in other readers of such files.
// The result is sorted by name; the later of two lines with the same name counts.
func loadEnvFile(path string) ([]endpoint.Var, error) {
	data, err := regular.ReadFile(path, maxEnvFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tree.Unreadable(path, err, "write it", "remove envFile")
	}
	if err != nil {
		return nil, tree.Unreadable(path, err)
	}
	values, err := parseEnv(data)
	if err != nil {
		at := tree.Position{Path: path}
		return nil, &tree.Finding{Position: at, Text: "not a file of NAME=value lines", Steps: []string{"correct it"}}
	}
	vars := make([]endpoint.Var, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if reason := texts.EnvName(name); reason != "" {
			return nil, &tree.Finding{Position: tree.Position{Path: path}, Text: reason, Steps: []string{"correct it"}}
		}
		vars = append(vars, endpoint.Var{Name: name, Value: values[name]})
	}
	return vars, nil
}

// parseEnv reads the text. It recovers from panics of the parser, which has panicked on broken input
// before.
func parseEnv(data []byte) (values map[string]string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the parser failed on this text")
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	return godotenv.UnmarshalBytes(data)
}
