import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostEvent } from "@drydock/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenBoxes } from "../../src/app/boxes/api.ts";
import { type Caller, type CallerAgent, openCaller } from "../host/testing/open-caller.ts";

let caller: Caller;

beforeAll(async () => {
  caller = await openCaller();
});
beforeEach(() => settings(""));
afterAll(() => caller.close());

const settings = (text: string) => writeFileSync(join(caller.home, "config.yaml"), `version: 1\n${text}`);
type Event = NonNullable<Parameters<CallerAgent["ask"]>[2]>;
const newAgent = (scope?: string) =>
  caller.addAgent({ grants: { tools: ["exec"] }, ...(scope !== undefined && { box: { scope } }) });

/** Runs bash code in the box of an event. */
async function run(agent: CallerAgent, event: Event, code: string, language = "bash"): Promise<string> {
  const conversation = { bot_id: agent.bot, ...event.conversation };
  const calls = [["call_tool", { tool_name: "exec", parameters: { code, language } }]] as const;
  const { answers } = await agent.ask({ calls }, {}, { ...event, conversation });
  return JSON.stringify((answers[0]?.result as { text?: string })?.text ?? answers[0]);
}
const mark = (agent: CallerAgent, event: Event, name: string) => run(agent, event, `touch ${name}; ls | xargs echo`);
const actor = (actor_type: string, actor_id: string) => ({ actor: { actor_type, actor_id } });

describe("a scope", () => {
  it("by default is the launcher, and the conversation where an event names none", async () => {
    const agent = await newAgent();
    const group = { launcher_type: "group", launcher_id: "g" };
    expect(await mark(agent, { conversation: { conversation_id: "1", ...group } }, "a")).toBe('"a"');
    expect(await mark(agent, { conversation: { conversation_id: "2", ...group } }, "b")).toBe('"a b"');
    expect(await mark(agent, { conversation: { conversation_id: "1" } }, "c")).toBe('"c"');
    // A conversation that is called as the launcher is another place.
    expect(await mark(agent, { conversation: { conversation_id: "g" } }, "d")).toBe('"d"');
  });

  it("keeps two actors apart whose ids look the same when they are joined", async () => {
    const agent = await newAgent("{actor}_{conversation}");
    expect(await mark(agent, { ...actor("u", "a_b"), conversation: { conversation_id: "c" } }, "first")).toBe(
      '"first"',
    );
    expect(await mark(agent, { ...actor("u", "a"), conversation: { conversation_id: "b_c" } }, "second")).toBe(
      '"second"',
    );
    expect(await mark(agent, { ...actor("v", "a"), conversation: { conversation_id: "b_c" } }, "third")).toBe(
      '"third"',
    );
  });

  it("shares one interpreter and its files, and runs calls of it one after the other", async () => {
    const agent = await newAgent("{actor}");
    const code = "import time\nn = globals().get('n', 0)\nm = n\ntime.sleep(0.1)\nn = m + 1\nn";
    const all = await Promise.all(
      [1, 2, 3].map((id) => run(agent, { conversation: { conversation_id: `par-${id}` } }, code, "python")),
    );
    expect(all.sort()).toEqual(['"1"', '"2"', '"3"']);
    expect(
      await run(
        agent,
        { ...actor("user", "bob"), conversation: { conversation_id: "x" } },
        "'n' in globals()",
        "python",
      ),
    ).toBe('"False"');
  });

  it("has one box, also for callers that enter at the same time", async () => {
    const agent = await caller.dock.host.agents.find((await newAgent("{global}")).name);
    const boxes = await (caller.dock.boxes as OpenBoxes).load();
    const event = { type: "message.received", id: "e", source: "api" } as unknown as HostEvent;
    const { signal } = new AbortController();
    const all = await Promise.all([1, 2, 3].map(() => boxes.enter({ agent, event, signal })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect((await boxes.list()).filter((box) => box.agent === agent.name)).toHaveLength(1);
  });

  it("is not shared by two agents, whatever it says", async () => {
    const [one, two] = [await newAgent("{global}"), await newAgent("{global}")];
    await mark(one, {}, "mine");
    expect(await mark(two, {}, "yours")).toBe('"yours"');
  });

  it("with an unknown part, without one, or with odd letters is refused when it is saved", async () => {
    await expect(newAgent("{user}")).rejects.toThrow(/\{user\} is no part of a scope; there are \{conversation\}/);
    await expect(newAgent("shared")).rejects.toThrow("at least one of");
    await expect(newAgent("{conversation}\n")).rejects.toThrow("letters, digits");
    const agent = await newAgent("{actor}");
    await expect(caller.dock.host.agents.change(agent.name, { box: { scope: "{x}" } })).rejects.toThrow("{x}");
  });

  it("that the event has no fact for is an error that names it", async () => {
    const agent = await newAgent("{workspace}");
    expect(await mark(agent, {}, "a")).toContain("This event has no workspace");
  });
});

describe("the owner's settings", () => {
  it("force a scope at the next call, and show it with the agent", async () => {
    const agent = await newAgent("{conversation}");
    const at = (conversation_id: string) => ({ conversation: { conversation_id } });
    await mark(agent, at("1"), "a");
    settings("boxes: { scope: '{actor}' }\n");
    expect(await mark(agent, at("1"), "b")).toBe('"b"');
    expect(await mark(agent, at("2"), "c")).toBe('"b c"');
    const found = await caller.dock.host.agents.find(agent.name);
    expect(found).toMatchObject({ box: { scope: "{conversation}" }, forcedBoxScope: "{actor}" });
    settings("");
    expect(await mark(agent, at("1"), "d")).toBe('"a d"');
    expect(await caller.dock.host.agents.list()).toContainEqual(expect.objectContaining({ forcedBoxScope: null }));
  });

  it("switch all tools off, and a file that can't be read stops them", async () => {
    const agent = await newAgent("{global}");
    settings("boxes: { enabled: false }\n");
    expect(await mark(agent, {}, "a")).toContain("switched off");
    settings("boxes: { scope: '{nobody}' }\n");
    expect(await mark(agent, {}, "a")).toContain("{nobody}");
  });
});

describe("a box that has ended", () => {
  it("leaves its files to the next one, its variables not; its run and its layer are on record", async () => {
    const agent = await newAgent("{global}");
    await mark(agent, {}, "kept");
    await run(agent, {}, "x = 1", "python");
    const [open] = (await caller.dock.boxes.list()).filter((box) => box.agent === agent.name);
    const { runId } = await caller.dock.boxes.close(open?.id ?? "");
    expect(await caller.dock.runs.get(runId)).toMatchObject({ kind: "box", status: "cancelled" });
    expect((await caller.dock.runs.events(runId)).map(({ type }) => type)).toContain("layer.captured");
    expect(await mark(agent, {}, "more")).toBe('"kept more"');
    expect(await run(agent, {}, "x", "python")).toContain("NameError");
    await expect(caller.dock.boxes.close(open?.id ?? "")).rejects.toThrow("There is no box");
  });

  it("whose files do not fit the changed workspace any more says where they are", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "drydock-box-"));
    writeFileSync(join(workspace, "notes.txt"), "one\n");
    const agent = await caller.addAgent({ grants: { tools: ["exec"] }, box: { scope: "{global}", workspace } });
    const openBox = async () => (await caller.dock.boxes.list()).find((box) => box.agent === agent.name);
    await run(agent, {}, "echo mine > notes.txt");
    const before = await openBox();
    await caller.dock.boxes.close(before?.id ?? "");
    writeFileSync(join(workspace, "notes.txt"), "theirs\n");
    expect(await run(agent, {}, "cat notes.txt")).toBe('"theirs"');
    expect((await openBox())?.warnings).toEqual([expect.stringContaining(`drydock runs diff ${before?.runId}`)]);
    rmSync(workspace, { recursive: true });
  });

  it("because code in it killed its program says so, and the next call has a new one", async () => {
    const agent = await newAgent("{global}");
    await mark(agent, {}, "kept");
    expect(await run(agent, {}, "kill -9 $PPID")).toContain("The box of");
    expect(await mark(agent, {}, "more")).toBe('"kept more"');
  });

  it("because code in it wrote into its program's messages harms nobody else", async () => {
    const agent = await newAgent("{global}");
    const forged = 'echo; for i in $(seq 40); do echo "{no message"; done';
    expect(await run(agent, {}, `tty=$(readlink /proc/$PPID/fd/1); { ${forged}; } > $tty; sleep 1`)).toContain("box");
    const other = await newAgent("{global}");
    expect(await mark(other, {}, "fine")).toBe('"fine"');
  });
});
