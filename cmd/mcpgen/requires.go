package main

// Who gets mcpgen as a tool gets into go.sum what it imports. The fakes that it
// generates import this, so a project with fakes builds without another go get.
import _ "github.com/mcpgen/mcpgen/runtime/mcptest"
