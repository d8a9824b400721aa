// Package parallel runs work on all processors.
package parallel

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
)

// Each calls f for 0 to n-1, with as many calls at a time as there are processors, and joins the errors
// in order. Once ctx has ended, it starts no more calls and returns only the error of ctx.
func Each(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			errs[i] = f(i)
		})
	}
	group.Wait()
	return cmp.Or(ctx.Err(), errors.Join(errs...))
}
