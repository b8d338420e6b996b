import { CapabilityOutcome } from "@drydock/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { describeExtension } from "../testing/extension-dock.ts";
import { openExtensionServer } from "./extension-server.ts";

const tidy = describeExtension(
  "tidy",
  "{ tools: [echo, sh], paths: { read: ['**'], write: ['**'] } }",
  `      - name: say
        description: Says a word.
        runner: exec.echo
        arguments: [{ name: word, required: true }]
        args: ["{{ word }}"]
      - name: list
        description: Lists the files.
        runner: exec.sh
        args: [-c, "ls"]
      - name: wait
        description: Takes its time.
        runner: exec.sh
        args: [-c, "echo going; sleep 60"]
      - name: away
        description: Throws things away.
        runner: exec.sh
        risk: high
        arguments: [{ name: what, required: true }]
        args: [-c, 'echo "$1 is gone"', sh, "{{ what }}"]
`,
);
const place = openExtensionServer({
  extensions: [tidy],
  options: { mcpExtensions: ["*"] },
  policy: "version: 1\nextensions: { concurrency: 1 }\n",
});

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

type Mode = "auto" | "legacy";
type Options = ConstructorParameters<typeof Client>[1];

async function connect(mode: Mode, options: Options = {}, prepare?: (client: Client) => void): Promise<Client> {
  const client = new Client({ name: "tester", version: "1" }, { versionNegotiation: { mode }, ...options });
  prepare?.(client);
  const headers = { authorization: `Bearer ${place.server.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${place.server.url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const callsWaiting = async () => (await place.client.extensions.queue.list()).calls.length;

describe.each(["auto", "legacy"] as const)("capabilities for an MCP client (%s)", (mode) => {
  it("are tools, one for each enabled action", async () => {
    const { tools } = await (await connect(mode)).listTools();
    const say = tools.find(({ name }) => name === "tidy__say");
    expect(say).toMatchObject({
      title: "/tidy say",
      inputSchema: { properties: { word: { type: "string" } }, required: ["word"], additionalProperties: false },
      outputSchema: { type: "object" },
    });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["curl__get", "git__status", "csv__head"]));
  });

  it("answer with the outcome, which the next one of the conversation can use", async () => {
    const client = await connect(mode);
    const first = await client.callTool({ name: "tidy__say", arguments: { word: "ahoy" } });
    const outcome = CapabilityOutcome.parse(first.structuredContent);
    expect(outcome).toMatchObject({ type: "capability_result", output: "ahoy\n", session: expect.any(String) });
    expect(first.content).toMatchObject([{ type: "text", text: "ahoy" }]);
    const word = "{{ last.text }} again";
    const next = { name: "tidy__say", arguments: { word, _session: outcome.session } };
    expect((await client.callTool(next)).structuredContent).toMatchObject({ ok: true, output: "ahoy\n again\n" });
    const { runs } = await place.client.extensions.history({ session: outcome.session });
    expect(runs).toHaveLength(2);
  });

  it("use no response of a conversation that is not a client's", async () => {
    await place.output("/tidy say private", { session: "mine" });
    const values = { word: "{{ last.text }}", _session: "mine" };
    const { structuredContent } = await (await connect(mode)).callTool({ name: "tidy__say", arguments: values });
    expect(structuredContent).toMatchObject({ ok: false, session: "mcp-mine", error: { code: "input.invalid" } });
    expect(JSON.stringify(structuredContent)).not.toContain("private");
  });

  it("answer what is wrong with code and hint, as errors", async () => {
    const client = await connect(mode);
    for (const [name, values, code] of [
      ["tidy__say", { word: "x", flag: 1 }, "input.invalid"],
      ["tidy__say", {}, "input.invalid"],
      ["tidy__say", { word: "x", _session: "../x" }, "input.invalid"],
      ["curl__get", { url: "http://10.0.0.1/" }, "policy.network_denied"],
    ] as const) {
      const { isError, structuredContent } = await client.callTool({ name, arguments: { ...values } });
      expect([isError, structuredContent]).toMatchObject([true, { ok: false, error: { code } }]);
    }
    await expect(client.callTool({ name: "tidy__burn", arguments: {} })).rejects.toThrow("tidy__burn");
  });

  it("see a workspace that is named", async () => {
    const _workspace = place.makeDirectory({ "a.txt": "a", "b.txt": "b" });
    const client = await connect(mode);
    const listed = await client.callTool({ name: "tidy__list", arguments: { _workspace } });
    expect(listed.structuredContent).toMatchObject({ output: "a.txt\nb.txt\n" });
  });

  it("come and go with their extensions, and the client is told", async () => {
    const extra = describeExtension(
      `extra-${mode}`,
      "{ tools: [echo] }",
      "      - name: say\n        description: Says.\n        runner: exec.echo\n",
    );
    const renamed = {
      ...extra,
      "commands.yaml": extra["commands.yaml"]?.replace(/name: extra-\w+/, "name: extra") ?? "",
    };
    let changes = 0;
    const listChanged = { tools: { autoRefresh: false, debounceMs: 10, onChanged: () => void changes++ } };
    const client = await connect(mode, { listChanged });
    expect(await namesOf(client)).not.toContain("extra__say");
    await place.add(place.makeDirectory({ "docs/USAGE.md": "# extra\n", ...renamed }));
    expect(await eventually(() => changes > 0)).toBe(true);
    expect(await namesOf(client)).toContain("extra__say");
    changes = 0;
    await place.client.extensions.disable(`extra-${mode}`);
    expect(await eventually(() => changes > 0)).toBe(true);
    expect(await namesOf(client)).not.toContain("extra__say");
    await place.client.extensions.remove(`extra-${mode}`);
  });

  it("tell their place in the queue, and end when they are cancelled", async () => {
    const client = await connect(mode);
    const [one, two] = [new AbortController(), new AbortController()];
    const messages: string[] = [];
    const first = client.callTool({ name: "tidy__wait", arguments: {} }, { signal: one.signal }).catch(() => "ended");
    await eventually(async () => (await callsWaiting()) === 1);
    const onprogress = ({ message = "" }) => void messages.push(message);
    const second = client
      .callTool({ name: "tidy__wait", arguments: {} }, { signal: two.signal, onprogress })
      .catch(() => "ended");
    expect(await eventually(() => messages.join().includes("next in the queue"))).toBe(true);
    two.abort();
    one.abort();
    expect(await Promise.all([first, second])).toEqual(["ended", "ended"]);
    expect(await eventually(async () => (await callsWaiting()) === 0)).toBe(true);
  });

  it("that need an approval are denied at once where the client can ask nobody", async () => {
    const client = await connect(mode);
    const { isError, structuredContent } = await client.callTool({ name: "tidy__away", arguments: { what: "it" } });
    expect([isError, structuredContent]).toMatchObject([true, { error: { code: "policy.approval_denied" } }]);
  });

  it("that need an approval are done when the person says so, and only then", async () => {
    const requests: string[] = [];
    let answer: object = { action: "accept", content: { approve: true, reason: "go on" } };
    const client = await connect(mode, { capabilities: { elicitation: { form: {} } } }, (made) =>
      made.setRequestHandler("elicitation/create", ({ params }) => {
        requests.push(params.message);
        return answer as never;
      }),
    );
    const call = async () => client.callTool({ name: "tidy__away", arguments: { what: "the rope" } });
    expect((await call()).structuredContent).toMatchObject({ ok: true, output: "the rope is gone\n" });
    expect(requests[0]).toContain("/tidy away 'the rope'");
    for (const refusal of [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { approve: false } },
    ]) {
      answer = refusal;
      const refused = await call();
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "policy.approval_denied" } },
      });
    }
    const { approvals } = await place.client.approvals.list();
    expect(approvals.filter(({ status }) => status === "pending")).toEqual([]);
    expect(approvals).toContainEqual(expect.objectContaining({ decidedBy: "tester", reason: "go on" }));
  });
});

it("an answer to a question that was never asked approves nothing", async () => {
  const waiting = await place.call("/tidy away everything", { approval: "wait" });
  if (waiting.type !== "capability_waiting") throw new Error("it does not wait");
  const client = await connect("auto", { capabilities: { elicitation: { form: {} } } });
  for (const requestState of [waiting.approval.id, "00000000-0000-0000-0000-000000000000"]) {
    const inputResponses = { approve: { action: "accept", content: { approve: true } } };
    const params = { name: "tidy__away", arguments: { what: "x" }, requestState, inputResponses };
    const answered = await client.request({ method: "tools/call", params }).catch((error: unknown) => ({ error }));
    expect(answered).toMatchObject({ isError: true, structuredContent: { error: { code: "input.invalid" } } });
  }
  expect(await place.client.approvals.get(waiting.approval.id)).toMatchObject({ status: "pending" });
  await place.client.approvals.deny(waiting.approval.id);
});

it("a call that is cancelled while a person is asked is denied", async () => {
  const cancel = new AbortController();
  const client = await connect("legacy", { capabilities: { elicitation: { form: {} } } }, (made) =>
    made.setRequestHandler("elicitation/create", () => {
      cancel.abort();
      return new Promise(() => {});
    }),
  );
  const call = client.callTool({ name: "tidy__away", arguments: { what: "late" } }, { signal: cancel.signal });
  await expect(call).rejects.toThrow();
  const find = async () =>
    (await place.client.approvals.list()).approvals.find(({ summary }) => summary.includes("late"));
  expect(await eventually(async () => (await find())?.status === "denied")).toBe(true);
  expect(await find()).toMatchObject({ decidedBy: "drydock", reason: "the call was cancelled" });
});
