// The places of files in the table of dialects.

package dialect

// place returns the locations of files on a machine, by precedence.
type place func(m Machine) []Location

// below is the place of files in a folder; paths are slash paths in it.
func below(scope string, folder func(Machine) string, paths ...string) place {
	return func(m Machine) []Location {
		locations := make([]Location, len(paths))
		for i, path := range paths {
			locations[i] = Location{m.Join(folder(m), path), scope}
		}
		return locations
	}
}

// project is the place of files in the project.
func project(paths ...string) place {
	return below(ScopeProject, func(m Machine) string { return m.Dir }, paths...)
}

// home is the place of files in the user's folder.
func home(paths ...string) place {
	return below(ScopeUser, func(m Machine) string { return m.Home }, paths...)
}

// appData and xdg are places in the user's folder for settings: that of the system, and that of Linux on
// all systems.
func appData(paths ...string) place { return below(ScopeUser, Machine.appData, paths...) }
func xdg(paths ...string) place     { return below(ScopeUser, Machine.xdgConfig, paths...) }

// file is the place of one file with an absolute path.
func file(scope, path string) place {
	return func(Machine) []Location { return []Location{{path, scope}} }
}

// on is a place that depends on the operating system, named as in [Machine].
func on(systems map[string]place, otherwise place) place {
	return func(m Machine) []Location {
		if p, ok := systems[m.OS]; ok {
			return p(m)
		}
		return otherwise(m)
	}
}

// allOf combines several places.
func allOf(places ...place) place {
	return func(m Machine) []Location {
		var all []Location
		for _, p := range places {
			all = append(all, p(m)...)
		}
		return all
	}
}

// as returns the same place with another scope.
func (p place) as(scope string) place {
	return func(m Machine) []Location {
		all := p(m)
		for i := range all {
			all[i].Scope = scope
		}
		return all
	}
}

// movedBy is a place whose folder an environment variable replaces, if it is set.
func (p place) movedBy(variable string) place {
	return func(m Machine) []Location {
		all := p(m)
		if folder := m.lookup(variable); folder != "" {
			for i := range all {
				all[i].Path = m.Join(folder, m.base(all[i].Path))
			}
		}
		return all
	}
}

// namedBy is a place whose only file an environment variable replaces, if it is set.
func (p place) namedBy(variable string) place {
	return func(m Machine) []Location {
		all := p(m)
		if path := m.lookup(variable); path != "" {
			all[0].Path = path
		}
		return all
	}
}
