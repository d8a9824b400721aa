// A client of a TypeScript SDK, which takes steps and prints what it sees:
// node client.cjs FOLDER PACKAGE REVISION NAME HOME STEPS URL | COMMAND…
// FOLDER is where the packages are installed. PACKAGE is sdk (the first SDK) or client
// (the second). compare_test.go of the folder above says what the lines of STEPS and the printed lines hold.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

const modern = "2026-07-28";
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const print = (line) => console.log(JSON.stringify(line));

// within ends with the promise, or after some seconds with undefined.
const within = (ms, promise) => {
  let late;
  const ended = new Promise((done) => (late = setTimeout(done, ms)));
  return Promise.race([promise, ended]).finally(() => clearTimeout(late));
};

// Seen is what arrives during a step.
class Seen {
  constructor(step, cancel) {
    this.step = step;
    this.left = { ...step.wants };
    this.saw = {};
    this.all = new Promise((done) => (this.done = done));
    this.cancel = cancel;
    if (!step.wants) this.done();
  }

  async take(method, params) {
    if (!(this.left[method] > 0)) return;
    (this.saw[method] ??= []).push(params);
    this.left[method]--;
    if (Object.values(this.left).every((n) => n <= 0)) this.done();
    if (this.step.meet) {
      this.met ??= meet(this.step.step);
      await this.met;
    }
    if (this.step.cancel) this.cancel();
  }
}

async function meet(step) {
  print({ meet: step });
  await input.next();
}

async function main([folder, name, revision, person, home, steps, ...target]) {
  const from = createRequire(join(folder, "package.json"));
  const base = "@modelcontextprotocol/" + name;
  const first = name === "sdk";
  const { Client } = from(first ? base + "/client/index.js" : base);
  const { StreamableHTTPClientTransport } = from(first ? base + "/client/streamableHttp.js" : base);
  const { StdioClientTransport } = from(first ? base + "/client/stdio.js" : base + "/stdio");
  const client = new Client({ name: "peer", version: "1.0.0" }, {
    capabilities: {
      elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true },
      ...(revision === modern ? { extensions: { "io.modelcontextprotocol/tasks": {} } } : {}),
    },
    ...(first ? {} : revision === modern ? { versionNegotiation: { mode: { pin: revision } } } : { supportedProtocolVersions: [revision] }),
  });
  let seen = new Seen({});
  let roots = [{ uri: "file://" + home, name: person }];
  const answers = {
    "elicitation/create": ({ mode }) => (mode === "url" ? { action: "accept" } : { action: "accept", content: { name: person, username: person } }),
    "sampling/createMessage": () => ({ role: "assistant", model: "m", content: { type: "text", text: "model of " + person } }),
    "roots/list": () => ({ roots }),
  };
  const schemas = first && from(base + "/types.js");
  const kinds = first && { "elicitation/create": schemas.ElicitRequestSchema, "sampling/createMessage": schemas.CreateMessageRequestSchema, "roots/list": schemas.ListRootsRequestSchema };
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(first ? kinds[method] : method, async (request) => {
      await seen.take(method, request.params);
      return answer(request.params);
    });
  }
  client.fallbackNotificationHandler = async ({ method, params }) => seen.take(method, params);
  const transport = target[0].startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(target[0]))
    : new StdioClientTransport({ command: target[0], args: target.slice(1), stderr: "ignore" });
  const own = (params, options) => (first ? [params, undefined, options] : [params, options]);
  // A request without a method of the SDK's own: its result is what the server says.
  const raw = (method, p, o) =>
    client.request({ method, params: p }, first ? schemas.ResultSchema : { "~standard": { version: 1, vendor: "peer", validate: (value) => ({ value }) } }, o);
  let listening;
  const methods = {
    "tools/list": (p, o) => client.listTools(p, o),
    "tools/call": (p, o) => client.callTool(...own(p, o)),
    "prompts/list": (p, o) => client.listPrompts(p, o),
    "prompts/get": (p, o) => client.getPrompt(p, o),
    "resources/list": (p, o) => client.listResources(p, o),
    "resources/templates/list": (p, o) => client.listResourceTemplates(p, o),
    "resources/read": (p, o) => client.readResource(p, o),
    "completion/complete": (p, o) => client.complete(p, o),
    "logging/setLevel": (p, o) => client.setLoggingLevel(p.level, o),
    "resources/subscribe": async (p, o) => {
      if (revision !== modern) return client.subscribeResource(p, o);
      listening = await client.listen({ resourceSubscriptions: [p.uri] });
      return {};
    },
    "resources/unsubscribe": async (p, o) => {
      if (revision !== modern) return client.unsubscribeResource(p, o);
      await listening.close();
      return {};
    },
    "tasks/call": (p, o) => raw("tools/call", p, o),
    ...Object.fromEntries(["get", "result", "update", "cancel", "list"].map((verb) => ["tasks/" + verb, (p, o) => raw("tasks/" + verb, p, o)])),
    "notifications/roots/list_changed": async () => {
      roots = [{ uri: "file://" + join(home, "deep"), name: person }];
      await client.sendRootsListChanged();
      return {};
    },
  };
  const attempt = async (f) => {
    try {
      return { result: await f() };
    } catch (err) {
      return { error: { code: err.code, message: err.message, data: err.data } };
    }
  };
  const hello = await attempt(async () => {
    await client.connect(transport);
    return {
      protocolVersion: first ? revision : client.getNegotiatedProtocolVersion(),
      capabilities: client.getServerCapabilities(), serverInfo: client.getServerVersion(), instructions: client.getInstructions(),
    };
  });
  print({ step: "initialize", ...hello });
  // The second SDK does not return a task of 2026-07-28: its ID is in the answer.
  let task = "$TASK";
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    task = message.result?.taskId ?? message.result?.task?.taskId ?? task;
    onmessage(message, extra);
  };
  if (hello.error) process.exit(0);
  const lines = readFileSync(steps, "utf8").replaceAll("$HOME", home).replaceAll("$NAME", person).trim().split("\n");
  for (const step of lines.map((line) => JSON.parse(line))) {
    const stop = new AbortController();
    seen = new Seen(step, () => stop.abort("enough"));
    if (step.meet && !step.wants) await meet(step.step);
    const options = { signal: stop.signal, ...(step.wants?.["notifications/progress"] ? { onprogress: (p) => seen.take("notifications/progress", p) } : {}) };
    let got;
    for (let n = 0; n < 100; n++) {
      const params = step.params && JSON.parse(JSON.stringify(step.params).replaceAll("$TASK", task));
      got = await attempt(() => methods[step.method](params, options));
      if (!step.until || JSON.stringify(got).includes(step.until)) break;
      await within(50, new Promise(() => {}));
    }
    await within(10_000, seen.all);
    if (step.meet && step.wants) await (seen.met ??= meet(step.step));
    print({ step: step.step, ...got, ...(step.wants ? { saw: seen.saw } : {}) });
  }
  await within(5000, client.close());
  process.exit(0);
}

main(process.argv.slice(2)).catch((err) => {
  console.error(err);
  process.exit(1);
});
