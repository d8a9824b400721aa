//go:build unix

// The load balancers, each with the configuration that its users copy.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// balancer is a load balancer. It reads its configuration again on a signal.
type balancer struct {
	name   string
	reload syscall.Signal
	config string   // in examples/gateway
	args   []string // of the program; CONFIG becomes its file, DIR its folder
	loses  int      // calls that may be lost when a gateway restarts
}

func balancers() []balancer {
	return []balancer{
		{"haproxy", syscall.SIGUSR2, "haproxy.cfg", []string{"-W", "-q", "-f", "CONFIG"}, 0},
		// nginx does not ask for the health, so it sends calls until connections are refused.
		{"nginx", syscall.SIGHUP, "nginx.conf", []string{"-p", "DIR", "-e", "stderr", "-c", "whole.conf"}, 1000},
	}
}

// nginxConfig includes the configuration of the example.
const nginxConfig = `daemon off;
pid nginx.pid;
error_log stderr crit;
worker_rlimit_nofile 20000;
events { worker_connections 8000; }
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	include nginx.conf;
}
`

// command is the program with the example's configuration, for other addresses.
func (b balancer) command(dir, bind string, gateways []string) (*exec.Cmd, error) {
	text, err := os.ReadFile(filepath.Join("examples/gateway", b.config))
	if err != nil {
		return nil, err
	}
	escaped := func(s string) string { return strings.ReplaceAll(s, ".", `\.`) }
	pairs := []string{"0.0.0.0:80", bind}
	for i, example := range []string{"10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080"} {
		pairs = append(pairs, example, gateways[i], escaped(example), escaped(gateways[i]))
	}
	config := filepath.Join(dir, b.config)
	for path, data := range map[string]string{config: strings.NewReplacer(pairs...).Replace(string(text)), filepath.Join(dir, "whole.conf"): nginxConfig} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			return nil, err
		}
	}
	program, err := exec.LookPath(b.name)
	if err != nil {
		program = "/usr/sbin/" + b.name
	}
	var args []string
	for _, a := range b.args {
		args = append(args, strings.NewReplacer("CONFIG", config, "DIR", dir).Replace(a))
	}
	return exec.Command(program, args...), nil
}
