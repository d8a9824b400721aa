// A client of the first TypeScript SDK that calls a tool as a task, and cancels another
// task: node tasks.cjs FOLDER URL ANSWER
const { createRequire } = require("node:module");
const { join } = require("node:path");

async function main([folder, url, answer]) {
  const from = createRequire(join(folder, "package.json"));
  const base = "@modelcontextprotocol/sdk";
  const { Client } = from(base + "/client/index.js");
  const { StreamableHTTPClientTransport } = from(base + "/client/streamableHttp.js");
  const types = from(base + "/types.js");
  const client = new Client({ name: "peer", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  const asked = [];
  client.setRequestHandler(types.ElicitRequestSchema, async (request) => {
    asked.push(request.params.message);
    return { action: "accept", content: { interpretation: answer } };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools();
  const call = (args, options) =>
    client.experimental.tasks.callToolStream({ name: "simulate-research-query", arguments: args }, types.CallToolResultSchema, options);
  const got = { support: tools.flatMap((t) => (t.execution?.taskSupport ? [t.name] : [])), seen: [] };
  for await (const m of call({ topic: "python", ambiguous: true }, { task: { ttl: 60000 } })) {
    got.seen.push(m.type + (m.task ? " " + m.task.status : ""));
    if (m.type === "result") got.text = m.result.content[0].text;
    if (m.type === "error") throw m.error;
  }
  for await (const m of call({ topic: "bees", ambiguous: false }, { task: {} })) {
    if (m.type !== "taskCreated") continue;
    got.cancelled = (await client.experimental.tasks.cancelTask(m.task.taskId)).status;
    got.then = (await client.experimental.tasks.getTask(m.task.taskId)).status;
    break;
  }
  console.log(JSON.stringify({ ...got, asked }));
  await client.close();
}

main(process.argv.slice(2)).catch((err) => {
  console.error(err);
  process.exit(1);
});
