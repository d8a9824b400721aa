// Package collector has a test in which a gateway sends traces, metrics and logs to
// OpenTelemetry's collector. It is a separate module, because the collector needs a hundred
// others. make test-collector runs it.
package collector
