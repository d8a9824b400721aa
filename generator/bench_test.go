package generator

import (
	"fmt"
	"go/format"
	"runtime"
	"strings"
	"testing"
	"time"
)

// BenchmarkGenerate measures a whole generation from the lock, and go/format
// alone over the bytes that come out of it. The ratio is what counts; x-format
// reports it.
func BenchmarkGenerate(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			opts := Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []Server{serverWithTools(b, "alpha", n)}}
			var out *Output
			var generating, formatting time.Duration
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				start := time.Now()
				var err error
				if out, err = Generate(b.Context(), opts); err != nil {
					b.Fatal(err)
				}
				generating += time.Since(start)
				start = time.Now()
				for _, f := range out.Files {
					if strings.HasSuffix(f.Path, ".go") {
						if _, err := format.Source(f.Data); err != nil {
							b.Fatal(err)
						}
					}
				}
				formatting += time.Since(start)
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(generating)/float64(formatting), "x-format")
			b.ReportMetric(float64(after.Sys)/1e6, "MB-system")
			lines := 0
			for _, f := range out.Files {
				if strings.HasSuffix(f.Path, ".go") {
					lines += strings.Count(string(f.Data), "\n")
				}
			}
			b.ReportMetric(float64(lines)/float64(n), "lines/tool")
		})
	}
}
