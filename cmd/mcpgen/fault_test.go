//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// makeProject makes a module with one server in a mode, and returns its folder.
func makeProject(t *testing.T, mode ...string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = writeModule(dir, root)
	}
	if err == nil {
		text := "version: 1\nservers:\n  s: {command: mcptestserver, args: [" + strings.Join(mode, ", ") + "]}\n"
		err = os.WriteFile(filepath.Join(dir, "mcpgen.yaml"), []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// runProgram runs a program in a folder, which must succeed, and returns what it prints
// and the most memory that it held, in bytes.
func runProgram(t *testing.T, dir, name string, args ...string) (stdout string, memory int64) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOGC=")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &out, &errs)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
		memory = usage.Maxrss << 10
	}
	return out.String(), memory
}

// TestFaultD02HugeDescription generates for a description of megabytes: the code
// has a part of it, the snapshot has all.
func TestFaultD02HugeDescription(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	dir := makeProject(t, "big-desc", "-size", "2MiB")
	_, memory := runProgram(t, dir, "mcpgen", "generate")
	if limit := int64(256 << 20); memory > limit {
		t.Errorf("%d bytes of memory", memory)
	}
	err := filepath.WalkDir(filepath.Join(dir, "internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		switch {
		case err != nil:
			return err
		case filepath.Ext(path) == ".go" && len(data) > 1<<20:
			t.Errorf("%s has %d bytes", path, len(data))
		case filepath.Base(path) == "snapshot.json" && bytes.Count(data, []byte("evil words ")) < size/11-1:
			t.Errorf("%s does not have the whole description", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(dir, "internal", "mcp", "s", "s.go"))
	if err != nil || !bytes.Contains(code, []byte("evil words")) || !bytes.Contains(code, []byte("text is truncated after 16 KiB; the definition has all of it")) {
		t.Errorf("the code does not have the beginning of it, and a mark: %v", err)
	}
	runProgram(t, dir, "go", "build", "./...")
	runProgram(t, dir, "mcpgen", "generate", "--check")
}

// TestFaultF17BadOutput calls tools whose results miss their schema, each in its
// own way: a right value, or an error that holds the result; never zero values in
// silence.
func TestFaultF17BadOutput(t *testing.T) {
	t.Parallel()
	dir := makeProject(t, "bad-output")
	runProgram(t, dir, "mcpgen", "generate")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(badOutputProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	got, _ := runProgram(t, dir, "go", "run", ".")
	const want = `Array: decode error at "": want an object, got an array
BigInteger: {"n":9007199254740993,"s":"x"}
CasedKeys: decode error at "": the required members "n", "s" are missing
EmptyResult: decode error at "": the result has neither structured content nor text
ErrorToo: tool error "it failed"
ExtraMember: {"n":1,"s":"x","more":true}
FloatInteger: {"n":1,"s":"x"}
Good: {"n":1,"s":"x"}
HugeInteger: decode error at "/n": at "/n": 1e400 does not fit the Go type int: write decimal for it under types: in mcpgen.yaml
Missing: decode error at "": the result has neither structured content nor text
MissingMember: decode error at "": the required member "s" is missing
NoContent: {"n":1,"s":"x"}
Null: decode error at "": want an object, got null
OddIsError: tool error ""
TextOnly: {"n":1,"s":"x"}
WrongType: decode error at "/n": at "/n": want an integer, got a string
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// badOutputProgram calls every tool and prints what comes of it.
const badOutputProgram = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"reflect"

	"example.com/app/internal/mcp/s"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
)

func main() {
	project, err := config.Load("mcpgen.yaml")
	if err != nil {
		log.Fatal(err)
	}
	host, err := attach.Connect(context.Background(), project.Servers, nil)
	if err == nil {
		err = host.Err()
	}
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	client := reflect.ValueOf(s.New(host))
	for i := range client.NumMethod() {
		call := client.Method(i)
		if call.Type().NumIn() != 3 || call.Type().NumOut() != 2 {
			continue
		}
		out := call.Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.Zero(call.Type().In(1))})
		err, _ := out[1].Interface().(error)
		fmt.Printf("%s: %s\n", client.Type().Method(i).Name, outcome(out[0], err))
	}
}

func outcome(value reflect.Value, err error) string {
	if err == nil {
		data, err := json.Marshal(value.Interface())
		return fmt.Sprint(string(data), map[bool]any{true: "", false: err}[err == nil])
	}
	var (
		tool   *runtime.ToolError
		decode *runtime.DecodeError
		call   *runtime.CallError
	)
	switch {
	case !value.IsNil():
		return "a value beside the error " + err.Error()
	case errors.As(err, &tool):
		return fmt.Sprintf("tool error %q", tool.Result.Text())
	case errors.As(err, &decode) && errors.As(err, &call) && errors.Is(err, runtime.ErrDecode) && len(decode.Result.Raw) > 0:
		return fmt.Sprintf("decode error at %q: %v", decode.Pointer, decode.Err)
	}
	return "another error: " + err.Error()
}
`
