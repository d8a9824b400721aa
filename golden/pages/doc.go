// Package pages tests the catalogue in a real browser: Debian's Chromium, driven by its
// own protocol. It is a module of its own, so that the library for that is no
// requirement of those who use mcpgen. Run it with make test-pages.
package pages
