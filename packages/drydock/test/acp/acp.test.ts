import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { type ClientContext, client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import type { WrapResult } from "../../src/app/index.ts";
import { serveAcp } from "../../src/surfaces/acp/serve-acp.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { buildExampleAgent } from "./build-example-agent.ts";

const test = openTestDock({ policy: "version: 1\nfiles: { protect: [locked.txt] }\n" });
let agentCode = "";

beforeAll(async () => {
  agentCode = await buildExampleAgent();
});

interface Editor {
  agent: ClientContext;
  sessionId: string;
  workspace: string;
  /** Text of the agent since the last call. */
  heard(): string;
  /** Requests for permission that a person saw. */
  asked: unknown[];
  /** The person answers nothing from now on. */
  hush(): void;
  prompt(words: string): Promise<{ stopReason: string; checkpoint: number; runId: string }>;
}

/** An editor on the official SDK, whose person says yes to everything that it is asked. */
async function withEditor(use: (editor: Editor) => Promise<void>): Promise<{ result: WrapResult; log: string }> {
  const workspace = test.makeWorkspace({
    "agent.mjs": agentCode,
    "a.txt": "a\n",
    "locked.txt": "locked\n",
    "sub/b.txt": "b\n",
  });
  const [toDrydock, toEditor] = [new PassThrough(), new PassThrough()];
  let text = "";
  let log = "";
  const asked: unknown[] = [];
  let isHushed = false;
  const serving = serveAcp(test.dock, {
    command: ["node", "agent.mjs"],
    workspace,
    input: toDrydock,
    send: (line) => void toEditor.write(`${line}\n`),
    log: (said) => {
      log += said;
    },
  });
  const app = client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      if (isHushed) return new Promise(() => {});
      return { outcome: { outcome: "selected", optionId: "yes" } };
    });
  const stream = ndJsonStream(
    Writable.toWeb(toDrydock) as WritableStream<Uint8Array>,
    Readable.toWeb(toEditor) as ReadableStream<Uint8Array>,
  );
  await app.connectWith(stream, async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] });
    await use({
      ...{ agent, sessionId, workspace, asked },
      hush() {
        isHushed = true;
      },
      heard() {
        const said = text;
        text = "";
        return said;
      },
      async prompt(words) {
        const answer = await agent.request(methods.agent.session.prompt, {
          sessionId,
          prompt: [{ type: "text", text: words }],
        });
        const { drydock } = (answer._meta ?? {}) as { drydock: { checkpoint: number; runId: string } };
        return { stopReason: answer.stopReason, ...drydock };
      },
    });
  });
  toDrydock.end();
  return { result: await serving, log };
}

const hashOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(parentPath, name)))
        .digest("hex"),
    ]);

describe("an agent behind `drydock acp`", () => {
  it("works on a layer: files, terminals and its own commands change nothing but that", async () => {
    let before: unknown;
    const { result } = await withEditor(async ({ prompt, heard, workspace }) => {
      before = hashOf(workspace);
      await prompt("where");
      expect(JSON.parse(heard())).toMatchObject({
        cwd: "/work",
        offers: { fs: { writeTextFile: true }, terminal: true },
      });
      await prompt("write new.txt");
      expect(heard()).toBe("written\n");
      await prompt("terminal pwd; echo more >> a.txt; exit 7");
      expect(heard()).toBe("7 /work\n");
      expect(hashOf(workspace)).toEqual(before);
    });
    expect(result.changes).toEqual([
      { path: "a.txt", kind: "changed" },
      { path: "new.txt", kind: "added" },
    ]);
    expect(result.delivery).toBe("kept");
  });

  it("makes each turn a checkpoint, and a turn of shell commands can be rewound byte for byte", async () => {
    let runId = "";
    const { result } = await withEditor(async ({ prompt, agent, heard }) => {
      const first = await prompt("shell printf 'one\\0' > a.txt; mkdir deep; echo x > deep/x");
      runId = first.runId;
      const second = await prompt("shell rm -r deep sub; echo two > a.txt; chmod 600 a.txt; ln -s a.txt link");
      expect(second.checkpoint).toBe(first.checkpoint + 1);
      heard();
      await agent.request("_drydock/rewind", { checkpoint: first.checkpoint });
      await prompt("terminal od -An -tx1 a.txt; cat deep/x sub/b.txt; ls");
      expect(heard()).toBe("0  6f 6e 65 00\nx\nb\na.txt\nagent.mjs\ndeep\nlocked.txt\nsub\n");
    });
    expect(result.changes.map(({ path }) => path)).toEqual(["a.txt", "deep/x"]);
    const delivered = await test.dock.runs.apply(runId, { allowUnproven: true });
    expect(delivered.outcome).toBe("applied");
  });

  it("is denied by the policy without a question, and asks a person for the rest", async () => {
    const { result, log } = await withEditor(async ({ prompt, heard, asked, workspace }) => {
      await prompt("edit locked.txt");
      expect([heard(), asked]).toEqual(["no", []]);
      await prompt("edit a.txt");
      expect(heard()).toBe("yes");
      // The editor hears of the file under its own name.
      expect(asked).toMatchObject([{ toolCall: { locations: [{ path: join(workspace, "a.txt") }] } }]);
    });
    expect(log).toContain("the policy does not let it change locked.txt");
    const { permissions } = await test.dock.runs.findings(result.runId);
    expect(permissions).toEqual([
      {
        ...{ title: "locked.txt", kind: "edit", paths: ["/work/locked.txt"], command: null, url: null },
        ...{ decision: "denied", by: "policy", reason: "the policy does not let it change locked.txt" },
      },
      {
        ...{ title: "a.txt", kind: "edit", paths: ["/work/a.txt"], command: null, url: null },
        ...{ decision: "allowed", by: "person", reason: "the editor answered: Allow" },
      },
    ]);
    const page = await test.dock.runs.report(result.runId);
    expect(page).toContain("<h2>Permissions</h2>");
    expect(page).toContain("policy: the policy does not let it change locked.txt");
    expect(result.changes).toEqual([{ path: "a.txt", kind: "changed" }]);
  });

  it("is cancelled, and refuses directories outside of the workspace", async () => {
    await withEditor(async ({ prompt, agent, sessionId }) => {
      const turn = prompt("wait");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await agent.notify(methods.agent.session.cancel, { sessionId });
      expect((await turn).stopReason).toBe("cancelled");
      const outside = agent.request(methods.agent.session.new, { cwd: "/etc", mcpServers: [] });
      await expect(outside).rejects.toThrow(/outside of the directory/);
    });
  });

  it.each(["die", "ask-and-die"])(
    "that ends in the middle of a turn (%s) leaves an answer and a run",
    async (words) => {
      const { result } = await withEditor(async ({ prompt, hush }) => {
        hush();
        await prompt("shell echo kept > a.txt");
        await expect(prompt(words)).rejects.toThrow(/The agent is gone/);
      });
      expect(result.exitCode).toBe(words === "die" ? 3 : 4);
      expect(result.changes).toEqual([{ path: "a.txt", kind: "changed" }]);
      const { permissions } = await test.dock.runs.findings(result.runId);
      const left = { decision: "unanswered", by: "nobody", paths: ["/work/a.txt"] };
      expect(permissions).toMatchObject(words === "die" ? [] : [left]);
    },
  );
});
