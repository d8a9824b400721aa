// Reads addresses, one JSON string a line, and answers what WHATWG's URL and what
// servers written with it make of each: null where it is no URL.
const { fileURLToPath } = require("node:url");
const { posix } = require("node:path");

const attempt = (f) => {
  try {
    return [f()];
  } catch {
    return [];
  }
};

const read = (text) => {
  const [u] = attempt(() => new URL(text));
  if (!u) return null;
  const paths = [
    u.pathname,
    posix.normalize(u.pathname),
    ...attempt(() => posix.normalize(decodeURIComponent(u.pathname))),
    ...attempt(() => posix.normalize(decodeURI(u.pathname))),
    ...attempt(() => posix.normalize(fileURLToPath(u, { windows: false }))),
  ];
  return { scheme: u.protocol, host: u.hostname, port: u.port, paths };
};

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => console.log(JSON.stringify(read(JSON.parse(line)))));
