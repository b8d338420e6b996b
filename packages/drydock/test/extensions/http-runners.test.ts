import { describe, expect, it } from "vitest";
import { describeExtension } from "../testing/extension-dock.ts";
import { openExtensionServer, openSite } from "./extension-server.ts";

const SECRET = "zk4-not-for-anybody";
const site = await openSite({
  "/": "<!doctype html><title>A dock</title><body><p>Ships are mended here.</p><a href='/items'>all</a></body>",
  "/items": '{"items":[{"name":"anchor","price":12},{"name":"rope","price":7}]}',
});

const runners = describeExtension(
  "runners",
  `{ tools: [show, env_tool, sh, no_such_program], hosts: ["${site.host}"], secrets: [API_TOKEN] }`,
  `      - name: own
        description: Runs the extension's own tool.
        runner: exec.show
      - name: environment
        description: Shows the environment.
        runner: exec.env_tool
      - name: missing
        description: Its tool is not there.
        runner: exec.no_such_program
      - name: hang
        description: Never ends.
        runner: exec.sh
        timeoutSeconds: 1
        args: [-c, "echo begun; sleep 987654"]
      - name: slow
        description: Says two things.
        runner: exec.sh
        args: [-c, "echo one; sleep 0.2; echo two"]
      - name: keep
        description: Leaves a file.
        runner: exec.sh
        args: [-c, "echo kept >> note.txt; cat note.txt"]
      - name: much
        description: Says more than is kept.
        runner: exec.sh
        args: [-c, "head -c 3000000 /dev/zero | tr '\\\\0' x"]
      - name: python
        description: A script.
        runner: python.script
        script: scripts/sum.py
        arguments: [{ name: numbers, type: number, repeat: true }]
        args: ["{{ numbers }}"]
      - name: node
        description: A script.
        runner: node.script
        script: scripts/up.mjs
        stdin: "{{ input }}"
      - name: items
        description: A declared request.
        runner: api.call
        request:
          url: "http://${site.host}/items"
          auth: { type: bearer, secret: API_TOKEN }
      - name: schema
        description: The shape of a response.
        runner: analyze.schema
      - name: analyze
        description: What a response holds.
        runner: analyze.response
`,
);
const files = {
  ...runners,
  "tools/show": "#!/bin/sh\necho its own\n",
  "scripts/sum.py": "import sys\nprint(sum(float(word) for word in sys.argv[1:]))\n",
  "scripts/up.mjs":
    "let text = '';\nfor await (const piece of process.stdin) text += piece;\nconsole.log(text.toUpperCase());\n",
};
const place = openExtensionServer({
  extensions: [files],
  policy: `version: 1\nnetwork: { allow: ["${site.host}"] }\n`,
});

describe("runners over HTTP", () => {
  it("finds a tool in the extension's own folder, and tells of one that is nowhere", async () => {
    expect(await place.output("/runners own")).toBe("its own\n");
    const missing = await place.ask("POST", "/capabilities", { route: "/runners missing" });
    expect([missing.status, missing.value.error.code]).toEqual([424, "extension.tool_missing"]);
    expect(await place.output("/runners environment")).not.toMatch(/HOME=\/root|TOKEN/);
  });

  it("ends a tool that hangs, and says after how long", async () => {
    const hung = await place.ask("POST", "/capabilities", { route: "/runners hang" });
    expect(hung).toMatchObject({ status: 422, value: { output: "begun\n", error: { code: "limit.timeout" } } });
  });

  it("runs scripts of the extension in both languages", async () => {
    expect(await place.output("/runners python 1 2 3.5")).toBe("6.5\n");
    expect(await place.output("/runners own | /runners node", { session: "scripts" })).toBe("ITS OWN\n\n");
  });

  it("keeps files between the calls of a conversation, apart from others", async () => {
    expect(await place.output("/runners keep", { session: "one" })).toBe("kept\n");
    expect(await place.output("/runners keep", { session: "one" })).toBe("kept\nkept\n");
    expect(await place.output("/runners keep", { session: "two" })).toBe("kept\n");
  });

  it("sends a declared request with a secret that nobody gets to see", async () => {
    const { client } = place;
    expect(await place.call("/runners items")).toMatchObject({ success: false });
    expect(await client.secrets.set("API_TOKEN", SECRET)).toEqual({ name: "API_TOKEN", stored: true });
    expect(await client.secrets.list()).toEqual({ names: ["API_TOKEN"] });
    const outcome = await place.call("/runners items", { session: "api" });
    expect(outcome).toMatchObject({ success: true, json: { items: [{ name: "anchor" }, { name: "rope" }] } });
    expect(site.asked.at(-1)).toBe(`GET /items Bearer ${SECRET}`);
    const { events } = await client.runs.events(outcome.runId ?? "");
    const reply = JSON.stringify([outcome, events, await client.secrets.list(), await client.extensions.list()]);
    expect(reply).not.toContain(SECRET);
    const refused = await place.ask("POST", "/secrets", { name: "A=b", value: SECRET });
    expect([refused.status, refused.text.includes(SECRET)]).toEqual([400, false]);
    expect(await client.secrets.remove("API_TOKEN")).toEqual({ name: "API_TOKEN", removed: true });
    expect(await client.secrets.remove("API_TOKEN")).toEqual({ name: "API_TOKEN", removed: false });
  });

  it("opens a page in a browser", async () => {
    expect(await place.output(`/web text http://${site.host}/`)).toMatch(/^A dock\n\nShips are mended here\./);
  }, 60_000);

  it("shows output while it comes", async () => {
    const stream = { accept: "text/event-stream" };
    const { text } = await place.ask("POST", "/capabilities", { route: "/runners slow" }, stream);
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => [name, data]);
    expect(events.map(([name]) => name)).toEqual(["started", "output", "output", "result"]);
    expect(JSON.parse(events[1]?.[1] ?? "")).toEqual({ stream: "stdout", text: "one\n" });
    expect(JSON.parse(events[3]?.[1] ?? "")).toMatchObject({ type: "capability_result", output: "one\ntwo\n" });
    const seen: string[] = [];
    const options = { onEvent: ({ event }: { event: string }) => seen.push(event) };
    const failed = await place.client.extensions.execute("/runners missing", {}, options);
    expect([failed.type, seen]).toEqual(["capability_error", ["started"]]);
  });

  it("works on the caller's files, as far as the extension may see them", async () => {
    const workspace = place.makeDirectory({ "table.csv": "name,age\nada,36\nbob,20\n", ".env": "KEY=1\n" });
    const outcome = await place.call("/csv filter table.csv --where 'age > 30'", { workspace });
    expect(outcome).toMatchObject({ success: true, output: expect.stringContaining("ada,36") });
    const away = await place.call("/csv head ../../etc/passwd", { workspace });
    expect(away).toMatchObject({ success: false });
  });
});

describe("responses over HTTP", () => {
  it("are kept for the next command of the conversation, and can be looked at", async () => {
    const { responses } = place.client;
    await place.output(`/curl get http://${site.host}/items`, { session: "kept" });
    const last = (await responses.last("kept")).response;
    expect(last).toMatchObject({ extension: "curl", truncated: false, text: expect.stringContaining("anchor") });
    const line = "/runners python {{ last.json.items[0].price }} {{ last.json.items[1].price }}";
    expect(await place.output(line, { session: "kept" })).toBe("19.0\n");
    expect(await place.call("/runners python {{ last.json.nothing }}", { session: "kept" })).toMatchObject({
      error: { code: "input.invalid" },
    });
    const { responses: history } = await responses.history("kept");
    expect(history.map(({ extension }) => extension)).toEqual(["runners", "curl"]);
    expect((await responses.history("kept", { limit: 1 })).responses).toHaveLength(1);
    expect((await responses.read(last?.id ?? "")).text).toContain("rope");
    expect(await responses.totals("kept")).toMatchObject({ responses: 2, truncated: 0 });
    expect((await responses.last("others")).response).toBeNull();
    expect(await responses.clear("kept")).toEqual({ session: "kept", removed: 2 });
    expect((await responses.last("kept")).response).toBeNull();
    await expect(responses.read("res_none")).rejects.toMatchObject({ data: { status: 404 } });
    expect((await place.ask("GET", "/responses")).status).toBe(400);
  });

  it("that are too long say so, and the whole is an artifact", async () => {
    const outcome = await place.call("/runners much", { session: "much" });
    expect(outcome).toMatchObject({ success: true, truncated: true });
    const info = (await place.client.responses.last("much")).response;
    expect(info).toMatchObject({ size: 3_000_000, kept: 1_048_576, truncated: true });
    expect(await place.client.readArtifact(info?.artifact?.id ?? "")).toHaveLength(3_000_000);
  });

  it("are analysed without a model, by their shape", async () => {
    await place.output(`/curl get http://${site.host}/items`, { session: "shape" });
    const schema = await place.call("/runners schema", { session: "shape" });
    expect(schema).toMatchObject({ json: { properties: { items: { type: "array" } } } });
    await place.output(`/curl get http://${site.host}/items`, { session: "shape" });
    expect(await place.output("/runners analyze", { session: "shape" })).toMatch(/items.*array/);
  });
});

describe("analysis by a model over HTTP", () => {
  const request = openExtensionServer({
    extensions: [files],
    script: [{ when: { step: "analyze" }, text: "Two items. Try /runners python 1 or /zqrm -rf /.", repeat: "always" }],
  });

  it("is the model's, without what nobody declared", async () => {
    await request.output("/runners own", { session: "model" });
    const outcome = await request.call("/runners analyze", { session: "model" });
    expect(outcome).toMatchObject({ success: true, output: expect.stringContaining("Two items.") });
    expect(JSON.stringify(Object(outcome).output)).not.toContain("/zqrm");
    const { events } = await request.client.runs.events(outcome.runId ?? "");
    expect(events.map(({ type }) => type)).toContain("model.answered");
  });
});
