// Package loopback tells which hosts are this machine.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// Is reports whether a host is localhost or an address of the loopback interface. The
// host may have a port, and an IPv6 address brackets.
func Is(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
