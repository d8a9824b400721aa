package main

// Reading from a person or a pipe can take any time, and such a read cannot be interrupted. Ctrl-C and
// --timeout end the wait for it.

import (
	"context"
	"io"
)

// maxInput bounds the size of standard input, in bytes.
const maxInput = 64 << 20

// awaited returns the result of read, or the cause of the context's end if that comes first; read then
// continues until the process ends.
func awaited[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// readAll reads standard input to its end.
func readAll(ctx context.Context, in io.Reader, limit int64) ([]byte, error) {
	data, err := awaited(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, limit+1)) })
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, usage("standard input: %v", err)
	case int64(len(data)) > limit:
		return nil, usage("standard input: more than %d bytes", limit)
	}
	return data, nil
}
