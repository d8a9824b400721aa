// Calls a tool of an MCP server over stdio with the client of the TypeScript SDK, and
// prints how many microseconds each call took, or lists the tools:
// node calls.cjs FOLDER CALLS ROUNDS TOOL COMMAND…
// FOLDER is where the packages are installed.
const { createRequire } = require("node:module");
const { join } = require("node:path");

async function main([folder, calls, rounds, tool, command, ...args]) {
  const from = createRequire(join(folder, "package.json"));
  const { Client } = from("@modelcontextprotocol/client");
  const { StdioClientTransport } = from("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));
  if (tool === "list") {
    console.log((await client.listTools()).tools.length);
  }
  for (let round = 0; tool !== "list" && round < rounds; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) {
      const result = await client.callTool({ name: tool, arguments: {} });
      if (!Array.isArray(result.structuredContent.entities)) throw new Error("not a graph");
    }
    console.log(Number(process.hrtime.bigint() - start) / 1000 / calls);
  }
  await client.close();
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
