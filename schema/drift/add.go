package drift

// This file adds changes found by other packages: changes of the Go API, and exceeded budgets.

// ofAPI reports whether a rule is about the Go API.
func ofAPI(rule Rule) bool { return rule == SourceIncompatible || rule == SourceZeroValue }

func ofBudget(rule Rule) bool { return rule == SurfaceBudgetExceeded }

// Exceed adds exceeded budgets of a server's definitions to the report, as [Report.Add] does for changes of the
// Go API. Pass all changes of a server at once, so that accept entries without effect are reported; an empty
// list means that no budget is exceeded.
func (r *Report) Exceed(server string, changes []Change, opts *Options) {
	r.join(server, changes, opts, ofBudget)
}

// Add adds changes of the Go API to a server's report under the given options: each change gets the severity of
// its rule in the profile, overrides and accepts apply, and changes with severity off are dropped. Add sets
// Class and Severity. Changes of servers that are not in the report are ignored. A nil opts is the zero value.
func (r *Report) Add(server string, changes []Change, opts *Options) {
	r.join(server, changes, opts, ofAPI)
}

// join adds changes whose rules satisfy looked.
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

// Weigh applies the effects of changes on a Go module, in every profile. A change that breaks a line is
// breaking; a change that may break one is at least unknown. A bound that a line exceeds on purpose is
// breaking, and a text that models read is at least a warning. Weigh also sorts appended changes of the Go API.
// Overrides and accepts of the options, by server, apply as in [Compare]; nil options are the zero value.
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
