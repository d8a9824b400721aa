package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one tab. What goes wrong in it is collected until somebody asks.
type browser struct {
	ctx context.Context

	mu       sync.Mutex
	problems []string
}

// startBrowser starts Chromium, which ends with the test.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Fatal("no Chromium: apt-get install chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Flag("force-color-profile", "srgb"))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil { // it starts the browser
		t.Fatal(err)
	}
	return b
}

// listen notes what must not happen: errors, messages, dialogs, and requests that
// leave the disk.
func (b *browser) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.problem("exception: %s", e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.problem("console: %s", e.Type)
	case *log.EventEntryAdded:
		b.problem("%s: %s", e.Entry.Level, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		b.problem("a dialog: %s", e.Message)
		go func() { // a listener runs no command
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}()
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, "file://") && !strings.HasPrefix(url, "data:") {
			b.problem("a request of %s", url)
		}
	}
}

func (b *browser) problem(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, fmt.Sprintf(format, args...))
}

// check fails with everything that went wrong since it was called last.
func (b *browser) check(t *testing.T, where string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		t.Errorf("%s: %s", where, p)
	}
	b.problems = nil
}

// do carries out actions.
func (b *browser) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// get carries out an action that has a result.
func get[T any](t *testing.T, b *browser, action chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	out, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// eval evaluates an expression, and waits for it if it is a promise.
func eval[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	return get(t, b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// call sends a command of the protocol.
func call[P any](t *testing.T, b *browser, command cdp.Command[P, cdp.Empty], params P) {
	t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		t.Fatal(err)
	}
}

// look is how somebody looks at a page.
type look struct {
	width, height int64
	dark          bool
}

func (l look) String() string {
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%d-%s", l.width, scheme)
}

// looks are a phone, a tablet and a desk, by day and by night.
func looks() []look {
	var out []look
	for _, dark := range []bool{false, true} {
		out = append(out, look{360, 740, dark}, look{800, 1000, dark}, look{1280, 900, dark})
	}
	return out
}

// as opens pages as somebody looks at them.
func (b *browser) as(t *testing.T, l look) {
	t.Helper()
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	call(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: l.width, Height: l.height, DeviceScaleFactor: 1, Mobile: l.width < 500})
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// open opens a page.
func (b *browser) open(t *testing.T, url string) {
	t.Helper()
	b.do(t, chromedp.Navigate("about:blank"), chromedp.Navigate(url), chromedp.WaitReady(chromedp.CSS("main")))
}

// screenshot keeps a picture of the window, and returns it.
func (b *browser) screenshot(t *testing.T, name string) []byte {
	t.Helper()
	data := get(t, b, chromedp.CaptureScreenshot())
	b.keep(t, name+".png", data)
	return data
}

// keep writes a file into the folder that PAGES_KEEP names, for somebody to look at.
func (b *browser) keep(t *testing.T, name string, data []byte) {
	t.Helper()
	folder := os.Getenv("PAGES_KEEP")
	if folder == "" {
		return
	}
	if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(filepath.Join(folder, name), data, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// violation is a rule of axe that a page breaks.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// violations are what axe finds in the open page, by the rules of WCAG 2.2 A and AA and
// by those that axe calls good practice.
func (b *browser) violations(t *testing.T) []violation {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "bin", "pages", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("%v: run make test-pages", err)
	}
	eval[bool](t, b, string(source)+"; true")
	report := eval[string](t, b, `axe.run(document, {resultTypes: ['violations']}).then((r) => JSON.stringify(r.violations))`)
	var found []violation
	if err := json.Unmarshal([]byte(report), &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// axe fails with what axe finds in the open page.
func (b *browser) axe(t *testing.T, where string) {
	t.Helper()
	for _, v := range b.violations(t) {
		for _, n := range v.Nodes[:min(len(v.Nodes), 3)] {
			t.Errorf("%s: axe: %s: %s (%d times)\n%s\n%s", where, v.ID, v.Help, len(v.Nodes), n.HTML[:min(len(n.HTML), 300)], n.Summary)
		}
	}
}
