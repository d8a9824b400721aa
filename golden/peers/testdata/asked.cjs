// A client of the TypeScript SDK that can be asked: node asked.cjs FOLDER NAME URL HOME.
// It calls the tools of server-everything that ask, and reads a file of its folder HOME. It
// answers with its NAME, when all clients are in the middle of the same call: each of them
// prints a line at that point, and goes on when it reads one.
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

async function main([folder, name, url, home]) {
  const from = createRequire(join(folder, "package.json"));
  const sdk = "@modelcontextprotocol/sdk/";
  const { Client } = from(sdk + "client/index.js");
  const { StreamableHTTPClientTransport } = from(sdk + "client/streamableHttp.js");
  const types = from(sdk + "types.js");
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const meet = async () => {
    console.log("asked");
    await lines.next();
  };
  const client = new Client({ name, version: "1.0.0" }, { capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } } });
  client.setRequestHandler(types.ElicitRequestSchema, async () => {
    await meet();
    return { action: "accept", content: { name } };
  });
  client.setRequestHandler(types.CreateMessageRequestSchema, async () => {
    await meet();
    return { role: "assistant", model: "m", content: { type: "text", text: "model of " + name } };
  });
  let roots = [{ uri: "file://" + home, name }];
  client.setRequestHandler(types.ListRootsRequestSchema, async () => ({ roots }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const text = async (tool, args) => (await client.callTool({ name: tool, arguments: args })).content.map((c) => c.text).join("\n");
  const got = {
    elicited: await text("every__trigger-elicitation-request", {}),
    sampled: await text("every__trigger-sampling-request", { prompt: "hi", maxTokens: 5 }),
    folders: await text("files__list_allowed_directories", {}),
    file: await text("files__read_text_file", { path: join(home, "note.txt") }),
  };
  roots = [{ uri: "file://" + join(home, "deep"), name }];
  await client.sendRootsListChanged();
  for (let n = 0; n < 100; n++) {
    got.later = await text("files__list_allowed_directories", {});
    if (got.later.includes("deep")) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  console.log(JSON.stringify(got));
  await client.close();
  process.exit(0);
}

main(process.argv.slice(2)).catch((err) => {
  console.error(err);
  process.exit(1);
});
