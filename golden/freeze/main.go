// Command freeze prints, as a txtar archive, what a user of this version has in a
// repository: generated packages with their lock and snapshots, a test that calls them, and
// programs that use each name that they export, each field in both directions. The archive
// of a release stays in testdata/frozen: it shows what a later version breaks.
//
// Usage: freeze, in golden
package main

import (
	"go/format"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/mcpgen/mcpgen/golden/project"
)

// here is the path of golden, in place of which the archive has the module of its user.
const here, user = "github.com/mcpgen/mcpgen/golden/", "example.com/app/"

// folders hold generated code; test calls the code of the first folder.
var folders, test = []string{"cases", "surface"}, "cases/call_test.go"

func main() {
	log.SetFlags(0)
	archive := &txtar.Archive{Comment: []byte("Written by golden/freeze. DO NOT EDIT: a release does not change.\n")}
	add := func(name string, data []byte) {
		data = []byte(strings.ReplaceAll(string(data), here, user))
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: data})
	}
	for _, folder := range folders {
		if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !frozen(filepath.ToSlash(path)) {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil {
				add(filepath.ToSlash(path), data)
			}
			return err
		}); err != nil {
			log.Fatal(err)
		}
		loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}, "./"+folder+"/...")
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range loaded {
			source, err := format.Source(project.Consumer(p.Types))
			if err != nil || len(p.Errors) > 0 {
				log.Fatal(p.PkgPath, err, p.Errors)
			}
			add("uses/"+strings.TrimPrefix(p.PkgPath, here)+"/uses.go", source)
		}
	}
	if _, err := os.Stdout.Write(txtar.Format(archive)); err != nil {
		log.Fatal(err)
	}
}

// frozen reports whether a file is generated, or the test.
func frozen(path string) bool {
	return path == test || filepath.Ext(path) != ".md" && filepath.Base(path) != ".gitattributes" && !strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "/example_test.go")
}
