#!/usr/bin/env node
// Starts the mcpgen of this platform. npm installed it as a package beside this one.
"use strict";

const { spawn } = require("child_process");

const name = `@mcpgen/mcpgen-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "mcpgen.exe" : "mcpgen";
let binary;
try {
  binary = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`error: mcpgen: the package ${name} is not installed`);
  console.error("help: install without --omit=optional; on another platform: go install github.com/mcpgen/mcpgen/cmd/mcpgen@latest");
  process.exit(2);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (err) => {
  console.error(`error: mcpgen: ${err.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
// A terminal sends Ctrl-C to both processes.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
