// Watching files, so that a host reloads by itself.

package live

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// watchInterval is the interval between checks of the files. A change is read after
// an interval without further changes. After a failure it is read again at growing
// intervals: files that are written one after another do not fit for a while, and not
// all of them are watched.
const (
	watchInterval = 250 * time.Millisecond
	maxPause      = 240 // intervals
)

// watcher reloads a host when the files of its configuration change. The zero value
// does nothing.
type watcher struct {
	end  context.CancelFunc
	done chan struct{}

	mu    sync.Mutex
	files map[string]os.FileInfo // as they were read; nil: the file did not exist
}

// watchedFiles returns the files that determine a configuration.
func (f *inForce) watchedFiles() []string {
	files := append([]string{f.opts.AgentFile}, f.project.Files...)
	if dir := f.launches.dir; dir != "" {
		files = append(files, filepath.Join(dir, lockName))
	}
	if store, err := Grants(f.project); err == nil {
		files = append(files, store.Path())
	}
	if store, err := trust.Open(""); err == nil {
		files = append(files, store.Path())
	}
	files = append(files, provenance.Path(f.opts.Signers))
	for _, server := range f.project.Servers {
		if p, ok := server.Launch.(*endpoint.Process); ok && filepath.IsAbs(p.EnvFile) {
			files = append(files, p.EnvFile)
		}
	}
	return files
}

// follow begins to watch the files of a configuration. Began is the time when the
// reading began: files that changed since then count as changed.
func (w *watcher) follow(began time.Time, f *inForce) {
	files := map[string]os.FileInfo{}
	for _, path := range f.watchedFiles() {
		if path == "" {
			continue
		}
		if files[path] = lookAt(path); files[path] != nil && files[path].ModTime().After(began) {
			files[path] = nil
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = files
}

// changed reports whether a file has changed since the last check, and records its
// current state.
func (w *watcher) changed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := false
	for path, before := range w.files {
		if now := lookAt(path); !sameFile(before, now) {
			w.files[path], changed = now, true
		}
	}
	return changed
}

func lookAt(path string) os.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// watch begins to check the files.
func (h *Host) watch() {
	ctx, end := context.WithCancel(context.Background())
	w := &h.setup.watcher
	w.end, w.done = end, make(chan struct{})
	go func() {
		defer close(w.done)
		pending, failed := false, ""
		pause, left := 0, 0 // intervals until the next try
		for tick := time.Tick(watchInterval); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
			}
			if w.changed() {
				pending, pause, left = true, 0, 0
				continue
			}
			if left--; !pending || left >= 0 {
				continue
			}
			before := h.setup.now.Load()
			err := h.Reload(ctx)
			if pending = err != nil && h.setup.now.Load() == before; pending {
				pause = min(2*pause+1, maxPause)
				left = pause
			}
			switch {
			case err == nil:
				failed = ""
			case err.Error() != failed && ctx.Err() == nil:
				failed = err.Error()
				h.setup.logger.Error("reload: " + failed)
			}
		}
	}()
}

// stop returns when no further reload can begin.
func (w *watcher) stop() {
	if w.end != nil {
		w.end()
		<-w.done
	}
}
