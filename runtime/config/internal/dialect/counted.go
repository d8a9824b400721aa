// The project files that decide which programs are started. Trust in a project covers their content.

package dialect

import "slices"

// Counted is a file or folder of a project that decides which programs are started.
type Counted struct {
	Path string   // a slash path below the project
	Keys []string // only these keys of the file count; nil: the whole file counts
	Tree bool     // a folder: every file below it counts
	Mark string   // a file without this text belongs to another program
}

// AllCounted returns the files of all dialects in a project, and the files next to them that count, each
// once. If two dialects share a file, the whole file counts.
func AllCounted() []Counted {
	var all []Counted
	for _, d := range All() {
		mark := ""
		if d.Name == scarabName {
			mark = manifestKind
		}
		files := slices.Clone(d.beside)
		for _, name := range d.InProject() {
			files = append(files, Counted{Path: name, Keys: d.decides, Mark: mark})
		}
		for _, file := range files {
			if i := slices.IndexFunc(all, func(c Counted) bool { return c.Path == file.Path }); i >= 0 {
				all[i].Keys = nil
				continue
			}
			all = append(all, file)
		}
	}
	return all
}

// keysOf returns several files of which the same keys count.
func keysOf(keys []string, paths ...string) []Counted {
	counted := make([]Counted, len(paths))
	for i, path := range paths {
		counted[i] = Counted{Path: path, Keys: keys}
	}
	return counted
}
