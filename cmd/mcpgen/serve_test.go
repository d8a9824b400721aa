package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveHTTP starts a test server that is reached by address, until the script ends, and
// puts the address into a variable: serve VARIABLE MODE [flags]
func serveHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: serve VARIABLE MODE [flags]")
	}
	cmd := exec.Command(findProgram(ts, "mcptestserver"), append(args[1:], "-http", "127.0.0.1:0")...)
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), os.Stderr
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	ts.Setenv(args[0], strings.TrimSpace(url))
}

// offerServers starts mcpgen serve over HTTP, until the script ends, and puts the address
// and what it prints beside into variables: offer ADDRESS PRINTED [flags]
func offerServers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: offer ADDRESS PRINTED [flags]")
	}
	cmd := exec.Command(findProgram(ts, "mcpgen"), append(args[2:], "serve", "--http", "127.0.0.1:0")...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = os.Environ()
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	printed, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	at := regexp.MustCompile(`at (https?://\S+)`)
	var address string
	var all []string
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		all = append(all, lines.Text())
		if m := at.FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
		}
		if text := lines.Text(); strings.Contains(text, "MCPGEN_TOKEN=") || strings.Contains(text, "every user") || strings.Contains(text, "callers present") {
			break // that is the last one
		}
	}
	if address == "" {
		ts.Fatalf("no address in %q", all)
	}
	ts.Setenv(args[0], address)
	ts.Setenv(args[1], strings.Join(all, " "))
}

// certify makes an authority in ca.pem, and certificates of it for a gateway in cert.pem and
// key.pem, and for the caller NAME in NAME.pem, with its key: certify NAME
func certify(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: certify NAME")
	}
	var authority *x509.Certificate
	var secret *ecdsa.PrivateKey
	make := func(c *x509.Certificate) (cert, key []byte) {
		own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		ts.Check(err)
		c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(1), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
		parent, by := authority, secret
		if parent == nil {
			parent, by = c, own
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, &own.PublicKey, by)
		ts.Check(err)
		if authority == nil {
			authority, secret = c, own
		}
		text, err := x509.MarshalPKCS8PrivateKey(own)
		ts.Check(err)
		return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})
	}
	ca, _ := make(&x509.Certificate{Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	cert, key := make(&x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	caller, callerKey := make(&x509.Certificate{Subject: pkix.Name{CommonName: args[0]}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	for name, text := range map[string][]byte{"ca.pem": ca, "cert.pem": cert, "key.pem": key, args[0] + ".pem": append(caller, callerKey...)} {
		ts.Check(os.WriteFile(ts.MkAbs(name), text, 0o600))
	}
}

// askGateway begins a session with a gateway, and demands one status: ask STATUS URL [FILE],
// with the token that is in a file; over TLS, with the certificate there, by the authority in
// ca.pem.
func askGateway(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ask STATUS URL [FILE]")
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	req, err := http.NewRequest(http.MethodPost, args[1], strings.NewReader(hello))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	client := http.DefaultClient
	if strings.HasPrefix(args[1], "https:") {
		config := &tls.Config{RootCAs: x509.NewCertPool()}
		config.RootCAs.AppendCertsFromPEM([]byte(ts.ReadFile("ca.pem")))
		if len(args) > 2 {
			pair, err := tls.LoadX509KeyPair(ts.MkAbs(args[2]), ts.MkAbs(args[2]))
			ts.Check(err)
			config.Certificates = []tls.Certificate{pair}
		}
		client = &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	} else if len(args) > 2 {
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(args[2])))
	}
	res, err := client.Do(req)
	ts.Check(err)
	_ = res.Body.Close()
	if got := strconv.Itoa(res.StatusCode); got != args[0] {
		ts.Fatalf("status %s, want %s", got, args[0])
	}
}

// scrapeMetrics writes the metrics at the address that stands in a text: scrape TEXT FILE
func scrapeMetrics(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scrape TEXT FILE")
	}
	res, err := http.Get(regexp.MustCompile(`http://\S+/metrics`).FindString(args[0]))
	ts.Check(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// collectTelemetry starts a collector, until the script ends, and puts its address into a variable. It
// writes the bodies of requests into files of a folder, one a line, and their headers: collect VARIABLE DIR
func collectTelemetry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: collect VARIABLE DIR")
	}
	dir := ts.MkAbs(args[1])
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var header bytes.Buffer
		err = errors.Join(err, r.Header.Write(&header), os.MkdirAll(dir, 0o700))
		for name, data := range map[string][]byte{path.Base(r.URL.Path): append(body, '\n'), "headers": bytes.ReplaceAll(header.Bytes(), []byte("\r"), nil)} {
			file, openErr := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err = errors.Join(err, openErr); openErr == nil {
				_, writeErr := file.Write(data)
				err = errors.Join(err, writeErr, file.Close())
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
	ts.Defer(srv.Close)
	ts.Setenv(args[0], srv.URL)
}

// findProgram finds a program of the script's PATH.
func findProgram(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		for _, ending := range []string{"", ".exe"} {
			path := filepath.Join(dir, name+ending)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	ts.Fatalf("%s is not in PATH", name)
	return ""
}
