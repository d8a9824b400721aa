package drift

// This file takes up changes that others found: those of the Go API, and of budgets.

// ofAPI reports whether a rule is about the Go API.
func ofAPI(rule Rule) bool { return rule == SourceIncompatible || rule == SourceZeroValue }

func ofBudget(rule Rule) bool { return rule == SurfaceBudgetExceeded }

// Exceed joins to what [Compare] said of a server that its definitions exceed budgets,
// in the way of [Report.Add]. It takes all that is found of a server at once, so that
// an entry that accepts nothing is reported; without changes, nothing was found.
func (r *Report) Exceed(server string, changes []Change, opts *Options) {
	r.join(server, changes, opts, ofBudget)
}

// Add joins changes of the Go API to what [Compare] said of a server, by the same
// options: each gets the severity of its rule in the profile, overrides and accepts
// count, and what is off is dropped. Class and Severity are set here. Changes of
// servers that the report does not have are passed over. A nil opts is the zero
// value.
func (r *Report) Add(server string, changes []Change, opts *Options) {
	r.join(server, changes, opts, ofAPI)
}

// join joins changes of the rules that are looked for.
func (r *Report) join(server string, changes []Change, opts *Options, looked func(Rule) bool) {
	if opts == nil {
		opts = &Options{}
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		if s.Server != server || s.Verdict == Unchecked {
			continue
		}
		for _, c := range changes {
			if looked(c.Rule) {
				c.Class, c.Severity = c.Rule.Class(), c.Rule.Severity(opts.profile())
				s.Changes = append(s.Changes, c)
			}
		}
		s.settle(s.Changes, opts, looked)
	}
	r.Verdict = Join(r).Verdict
}

// Weigh counts what changes do to a Go module, in every profile: one that breaks a
// line is breaking, one that may is unknown at least; a bound that a line exceeds on
// purpose is breaking, too, and a text that models read is a warning at least. Changes of
// the Go API that were appended get their place. What options, by server, override and
// accept counts as it does in [Compare]; nil options are the zero value.
func (r *Report) Weigh(options func(server string) *Options) {
	for i := range r.Servers {
		s := &r.Servers[i]
		if s.Verdict == Unchecked {
			continue
		}
		opts := options(s.Server)
		if opts == nil {
			opts = &Options{}
		}
		for j := range s.Changes {
			c, least := &s.Changes[j], Off
			switch {
			case c.Effect == MayBreak:
				least = Unknown
			case c.Effect != "" || c.SafeBound() && len(c.CallSites) > 0:
				least = Breaking
			case c.Read:
				least = Warning
			}
			if !c.Severity.AtLeast(least) {
				c.Severity = least
			}
		}
		s.settle(s.Changes, opts, func(Rule) bool { return false })
	}
	r.Verdict = Join(r).Verdict
}
