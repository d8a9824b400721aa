// Where files are, as the table of dialects says it.

package dialect

// place is where files are on a machine, by precedence.
type place func(m Machine) []Location

// below are files in a folder, by their slash paths in it.
func below(scope string, folder func(Machine) string, paths ...string) place {
	return func(m Machine) []Location {
		locations := make([]Location, len(paths))
		for i, path := range paths {
			locations[i] = Location{m.Join(folder(m), path), scope}
		}
		return locations
	}
}

// project are files of the project.
func project(paths ...string) place {
	return below(ScopeProject, func(m Machine) string { return m.Dir }, paths...)
}

// home are files in the user's folder.
func home(paths ...string) place {
	return below(ScopeUser, func(m Machine) string { return m.Home }, paths...)
}

// appData and xdg are files in the user's folder of settings: on each system, and
// always that of Linux.
func appData(paths ...string) place { return below(ScopeUser, Machine.appData, paths...) }
func xdg(paths ...string) place     { return below(ScopeUser, Machine.xdgConfig, paths...) }

// file is one file at an absolute path.
func file(scope, path string) place {
	return func(Machine) []Location { return []Location{{path, scope}} }
}

// on is a place that differs between systems, by their names as in [Machine].
func on(systems map[string]place, otherwise place) place {
	return func(m Machine) []Location {
		if p, ok := systems[m.OS]; ok {
			return p(m)
		}
		return otherwise(m)
	}
}

// allOf are the files of several places.
func allOf(places ...place) place {
	return func(m Machine) []Location {
		var all []Location
		for _, p := range places {
			all = append(all, p(m)...)
		}
		return all
	}
}

// as are the same files in another scope.
func (p place) as(scope string) place {
	return func(m Machine) []Location {
		all := p(m)
		for i := range all {
			all[i].Scope = scope
		}
		return all
	}
}

// movedBy is a place whose files are in the folder that a variable of the environment
// names, if it is set.
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

// namedBy is a place whose one file a variable of the environment names, if it is set.
func (p place) namedBy(variable string) place {
	return func(m Machine) []Location {
		all := p(m)
		if path := m.lookup(variable); path != "" {
			all[0].Path = path
		}
		return all
	}
}
