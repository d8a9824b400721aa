package compat_test

import (
	"os"
	"strconv"
)

func testRounds() int  { n, _ := strconv.Atoi(os.Getenv("ROUNDS")); return n }
func testSeed() uint64 { n, _ := strconv.Atoi(os.Getenv("SEED")); return uint64(n) }
