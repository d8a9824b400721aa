// The way out: messages of all sizes, through a pipe that is sometimes full.

package wire

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// newPipe returns a queue with an end of a pipe, and the other end.
func newPipe(t *testing.T) (*streamLink, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	link := &streamLink{queue: newQueue(w)}
	link.c = newConn(Options{})
	link.c.link = link
	return link, r
}

// add puts a line.
func (l *streamLink) add(line string) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.put([]byte(line + "\n"))
}

// What leaves is what was not taken back, whole and in order. Drop says which messages
// those are, also while a part of one has left.
func TestQueue(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		link, r := newPipe(t)
		received := make(chan []string)
		go func() {
			var all []string
			lines := bufio.NewScanner(r)
			lines.Buffer(nil, 1<<20)
			for slow := rand.New(rand.NewPCG(seed, 1)); lines.Scan() && lines.Text() != "end"; {
				all = append(all, lines.Text())
				if slow.IntN(8) == 0 {
					time.Sleep(200 * time.Microsecond)
				}
			}
			received <- all
		}()
		var want []string
		for i := range 300 {
			line := fmt.Sprint(i, strings.Repeat("x", random.IntN(1<<random.IntN(18))))
			seq := link.add(line)
			if random.IntN(3) > 0 || link.Drop(seq) {
				want = append(want, line)
			}
		}
		link.add("end")
		if got := <-received; !slices.Equal(got, want) {
			t.Errorf("seed %d: %d lines arrived, want %d", seed, len(got), len(want))
		}
		_ = link.c.Close()
		link.mu.Lock()
		if link.size != 0 {
			t.Errorf("seed %d: %d bytes wait, want none", seed, link.size)
		}
		link.mu.Unlock()
	}
}

// A pipe that is full holds nobody up, and one that broke in the middle of a message says
// which one that was.
func TestQueueFull(t *testing.T) {
	link, r := newPipe(t)
	whole := link.add("a")
	part := link.add(strings.Repeat("b", 1<<20))
	none := link.add("c")
	buf := make([]byte, 10)
	if n, err := r.Read(buf); err != nil || string(buf[:n]) != "a\nbbbbbbbb" {
		t.Fatalf("%q, %v", buf[:n], err)
	}
	_ = r.Close()
	<-link.c.Done()
	if !link.Drop(whole) || !link.Drop(part) || link.Drop(none) {
		t.Errorf("Drop: %t, %t, %t, want that the first two have left", link.Drop(whole), link.Drop(part), link.Drop(none))
	}
}
