package supervise

import (
	"slices"
	"testing"
	"time"
)

const health = time.Minute

var (
	one     = []time.Duration{0}
	process = Policy{Gaps: one, Health: health}
	patient = Policy{Gaps: []time.Duration{0, 10 * time.Second, 30 * time.Second}, Health: health}
	once    = Policy{Gaps: one}
	remote  = Policy{Waits: []time.Duration{1, 2, 4}, Gaps: one, Health: health, Rest: health}
)

// play plays a life: r ready, l lost, n the next attempt by itself, c one on a
// call, . ten seconds, T tell. What n, c, T come to is compared.
func play(p Policy, events string) string {
	b, now := New(p), time.Unix(0, 0)
	var got []byte
	say := func(name byte, ok bool) {
		if !ok {
			name -= 'a' - 'A'
		}
		got = append(got, name)
	}
	for _, e := range events {
		switch e {
		case 'r':
			b.Ready(now)
		case 'l':
			b.Lost(now)
		case 'n':
			_, ok := b.Next()
			if ok {
				b.Tried(now)
			}
			say('n', ok)
		case 'c':
			ok, wait := b.OnCall(now)
			if ok {
				b.Tried(now)
			}
			say('c', ok)
			if again, _ := b.OnCall(now.Add(wait - 1)); !ok && wait > 0 && again {
				say('e', true) // earlier than it said
			}
		case 't':
			say('t', b.ReportOnce())
		case 's':
			say('s', b.Spent())
		case '.':
			now = now.Add(10 * time.Second)
		}
	}
	return string(got)
}

// Capital letters are what was refused.
func TestStories(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		events string
		want   string
	}{
		{"one restart, then no more", process, "rlscrlscc", "ScsCC"},
		{"a failed start has one attempt", process, "lcc", "cC"},
		{"health gives it back", process, "rlcr......lcrlc", "ccC"},
		{"a little less does not", process, "rlcr.....lc", "cC"},
		{"time without health does not", process, "rlcrl........c", "cC"},
		{"gaps grow", patient, "rlcc.cc..c.ccs", "cCcCCcCs"},
		{"gaps count from the attempt", patient, "rlcrl.cr...lcc", "cccC"},
		{"health gives them back", patient, "rlcr......lcc.c", "ccCc"},
		{"once is once", once, "rlcr.............lc", "cC"},
		{"none", Policy{}, "rlncs", "NCs"},
		{"told once an outage", process, "rlttrlt", "tTt"},
		{"a remote one comes by itself", remote, "rlnnnnc", "nnnNc"},
		{"success keeps what was used", remote, "rlnrlnrlnrln", "nnnN"},
		{"and health gives all back", remote, "rlnnnr......lnnnn", "nnnnnnN"},
		{"one more after a rest", remote, "rlnnnc......cc......c", "nnnccCc"},
		{"without a loss nothing changes", remote, "rnnnn", "nnnN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := play(c.policy, c.events); got != c.want {
				t.Errorf("%s: %s, want %s", c.events, got, c.want)
			}
		})
	}
}

func TestWaits(t *testing.T) {
	b := New(remote)
	var waits []time.Duration
	for {
		wait, ok := b.Next()
		if !ok {
			break
		}
		waits = append(waits, wait)
		b.Tried(time.Unix(0, 0))
	}
	if !slices.Equal(waits, remote.Waits) || b.Tries() != 3 {
		t.Errorf("waits %v, %d tries", waits, b.Tries())
	}
}

// However a server behaves, and however often it is called, it gets no more
// attempts than its times of health, its losses and its rests pay for.
func FuzzBudget(f *testing.F) {
	f.Add("rlcrlc......c")
	f.Add("lcccccc......r......lcnnnnn")
	f.Fuzz(func(t *testing.T, events string) {
		b, now := New(remote), time.Unix(0, 0)
		paid, ready, since := 4, false, now
		last := now
		for _, e := range events {
			switch e {
			case 'r':
				b.Ready(now)
				ready, since = true, now
			case 'l':
				if ready && now.Sub(since) >= health {
					paid += 4
				}
				b.Lost(now)
				ready = false
			case '.':
				now = now.Add(time.Second)
			default:
				ok := false
				if e == 'n' {
					_, ok = b.Next()
				} else {
					ok, _ = b.OnCall(now)
				}
				if ok {
					if now.Sub(last) >= health || last.Equal(time.Unix(0, 0)) {
						paid++
					}
					b.Tried(now)
					last = now
				}
			}
		}
		if b.Tries() > paid {
			t.Errorf("%q: %d attempts, at most %d", events, b.Tries(), paid)
		}
	})
}
