package budget

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func panicIfSlow() { panic("slow") }

// However many come, no more is held than there is, each gets its turn, and a
// budget below does not take more than its own.
func TestShared(t *testing.T) {
	host := New(100, nil)
	a, b := New(60, host), New(1000, host)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			var r Room
			mine := []*Budget{a, b}[i%2]
			for range 5 {
				if err := r.Reserve(t.Context(), mine, int64(i%70+1), panicIfSlow); err != nil {
					t.Error(err)
				}
				if err := r.Reserve(t.Context(), mine, 1<<40, panicIfSlow); err != nil { // there is one
					t.Error(err)
				}
				r.Free()
				r.Free()
			}
			r.Close()
			if err := r.Reserve(t.Context(), mine, 1, panicIfSlow); err == nil {
				t.Error("Reserve of a closed Room has no error, want one")
			}
		})
	}
	all.Wait()
	for _, budget := range []*Budget{host, a, b} {
		if budget.used != 0 || budget.awaited() {
			t.Errorf("%d bytes are held, somebody waits: %t", budget.used, budget.awaited())
		}
	}
	if host.Peak() > 100 || a.Peak() > 60 || b.Peak() > 1000 || host.Peak() == 0 {
		t.Errorf("peaks %d, %d, %d", host.Peak(), a.Peak(), b.Peak())
	}
}

// Who needs more than there is gets all of it. Who gives up leaves the queue, and
// lets in those behind it.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(10, New(10, nil))
		var first, second, third Room
		if err := first.Reserve(t.Context(), b, 6, panicIfSlow); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		gaveUp, done := make(chan error, 1), make(chan error, 1)
		go func() { gaveUp <- second.Reserve(ctx, b, 50, panicIfSlow) }()
		synctest.Wait()
		go func() { done <- third.Reserve(t.Context(), b, 4, panicIfSlow) }()
		synctest.Wait()
		if len(done) != 0 {
			t.Error("the third in the queue got its bytes, want it to wait for the second")
		}
		why := errors.New("enough")
		cancel(why)
		if err := <-gaveUp; !errors.Is(err, why) {
			t.Errorf("error %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		first.Free()
		third.Free()
		if err := second.Reserve(t.Context(), b, 50, panicIfSlow); err != nil || b.used != 10 || b.parent.used != 10 {
			t.Errorf("%d bytes, %v", b.used, err)
		}
		second.Close()
	})
}

// A message that does not arrive is ended once somebody waits for its room.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := New(10, nil)
		var stuck, other Room
		ended := time.Time{}
		begin := time.Now()
		if err := stuck.Reserve(t.Context(), New(10, host), 10, func() { ended = time.Now(); go stuck.Close() }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*lease + time.Second)
		if !ended.IsZero() {
			t.Errorf("the holder was ended at %v, want it left alone while nobody waits", ended)
		}
		if err := other.Reserve(t.Context(), New(10, host), 1, panicIfSlow); err != nil {
			t.Error(err)
		}
		if d := ended.Sub(begin); d != 11*lease {
			t.Errorf("it was ended after %v", d)
		}
		other.Close()
	})
}
