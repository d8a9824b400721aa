package main

// A module that adds mcpgen as a tool gets the imports of this package into go.sum. Generated fakes
// import the package below, so a project with fakes builds without another go get.
import _ "github.com/mcpgen/mcpgen/runtime/mcptest"
