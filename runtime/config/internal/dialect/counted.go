// What of a project says which programs are started: what trust in it covers.

package dialect

import "slices"

// Counted is a file or folder of a project that decides what is started.
type Counted struct {
	Path string   // a slash path below the project
	Keys []string // of a file with keys only these count; nil: all of it does
	Tree bool     // a folder, of which every file below it counts
	Mark string   // a file without this text is another program's
}

// AllCounted are the files of a project that the dialects have there, with what counts
// beside them, each once. Where two dialects share a file all of it counts.
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

// keysOf are several files of which the same keys count.
func keysOf(keys []string, paths ...string) []Counted {
	counted := make([]Counted, len(paths))
	for i, path := range paths {
		counted[i] = Counted{Path: path, Keys: keys}
	}
	return counted
}
