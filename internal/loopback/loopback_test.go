package loopback

import "testing"

func TestIs(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:80": true, "127.0.0.1": true, "127.9.9.9:1": true, "::1": true, "[::1]": true,
		"[::1]:80": true, "::ffff:127.0.0.1": true,
		"": false, ":80": false, "0.0.0.0": false, "[::]:80": false, "10.0.0.1": false, "localhost.example.com": false,
		"127.0.0.1.example.com:80": false, "127.1": false,
	} {
		if Is(host) != want {
			t.Errorf("Is(%q) = %t", host, !want)
		}
	}
}
