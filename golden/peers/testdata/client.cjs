// A client of the TypeScript SDK, which prints what it gets as one line of JSON:
// node client.cjs FOLDER PACKAGE ERA URL | COMMAND…
// FOLDER is where the packages are installed. PACKAGE is sdk (the first SDK) or client
// (the second), ERA legacy or 2026-07-28.
const { createRequire } = require("node:module");
const { join } = require("node:path");

async function main([folder, name, era, ...target]) {
  const from = createRequire(join(folder, "package.json"));
  const base = "@modelcontextprotocol/" + name;
  const first = name === "sdk";
  const { Client } = from(first ? base + "/client/index.js" : base);
  const { StreamableHTTPClientTransport } = from(first ? base + "/client/streamableHttp.js" : base);
  const { StdioClientTransport } = from(first ? base + "/client/stdio.js" : base + "/stdio");
  const client = new Client({ name: "peer", version: "1.0.0" }, {
    capabilities: { elicitation: { form: {} } },
    ...(era === "legacy" ? {} : { versionNegotiation: { mode: { pin: era } } }),
  });
  const asked = [];
  client.setRequestHandler(first ? from(base + "/types.js").ElicitRequestSchema : "elicitation/create", async (request) => {
    asked.push(request.params.message);
    return { action: "accept", content: { name: "Ada" } };
  });
  await client.connect(target[0].startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(target[0]))
    : new StdioClientTransport({ command: target[0], args: target.slice(1), stderr: "ignore" }));
  const call = (name, args) => client.callTool({ name, arguments: args });
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const progress = [];
  await client.callTool({ name: "every__trigger-long-running-operation", arguments: { duration: 0.2, steps: 2 } },
    ...(first ? [undefined] : []), { onprogress: (p) => progress.push(p.progress) });
  console.log(JSON.stringify({
    tools: tools.map((t) => t.name),
    prompts: prompts.map((p) => p.name),
    echo: (await call("every__echo", { message: "hi" })).content,
    sum: (await call("calc__exact", { n: 7 })).structuredContent,
    failed: (await call("every__echo", {})).isError === true,
    answer: (await call("every__trigger-elicitation-request", {})).content,
    messages: asked,
    prompt: (await client.getPrompt({ name: "every__simple-prompt" })).messages.length,
    read: (await client.readResource({ uri: resources[0].uri })).contents[0].uri === resources[0].uri,
    progress,
  }));
  await client.close();
}

main(process.argv.slice(2)).catch((err) => {
  console.error(err);
  process.exit(1);
});
