import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { openAtTerminal } from "./testing/at-terminal.ts";

const test = openTestDock();

function makeWorkspace(): string {
  return test.makeWorkspace({ "a.txt": "one\n" });
}

describe("a program with a terminal", () => {
  it("has it as its controlling terminal, with its size, and hears of a new one", async () => {
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace: makeWorkspace() });
    at.type("PS1='> '; tty; stty size; test -t 0 -a -t 1 -a -t 2 && echo all-three\r");
    await at.sees("/dev/pts/0");
    await at.sees("24 80");
    await at.sees("all-three\r\n");
    at.type("echo by-name > /dev/tty; trap 'echo resized to $(stty size)' WINCH\r");
    await at.sees("\r\nby-name");
    at.handle.resize({ columns: 132, rows: 50 });
    await at.sees("resized to 50 132");
    at.type("exit 7\r");
    expect(await at.result).toMatchObject({ exitCode: 7, delivery: "nothing", checkpoints: 2 });
  });

  it("has job control: Ctrl-C, Ctrl-Z and Ctrl-\\ reach the programs in the foreground", async () => {
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc", "-i"], workspace: makeWorkspace() });
    at.type("PS1='ready> '\r");
    await at.sees("ready> ");
    at.type("sh -c 'echo up-1; exec sleep 61'\r");
    await at.sees("\r\nup-1\r\n");
    at.type("\u001a");
    await at.sees("Stopped");
    at.type("fg\r");
    await at.sees("\r\nsh -c");
    await at.sees("\r\n");
    at.type("\u0003");
    await at.sees("ready> ");
    at.type("echo status-$?\r");
    await at.sees("\r\nstatus-130");
    at.type("sh -c 'echo up-2; exec sleep 62'\r");
    await at.sees("\r\nup-2\r\n");
    at.type("\u001c");
    await at.sees("Quit");
    at.type("exit\r");
    expect(await at.result).toMatchObject({ exitCode: 131 });
  });

  it("waits for a terminal that is slow, and a key is not behind its output", async () => {
    let shown = 0;
    let held = 0;
    let most = 0;
    let handle: { noteInput(bytes: Uint8Array): void } | undefined;
    const typed = Promise.withResolvers<Buffer>();
    async function* keys() {
      yield await typed.promise;
      await new Promise(() => {});
    }
    const result = await test.dock.wraps.run({
      command: ["sh", "-c", "trap 'echo; exit 9' INT; while :; do printf %01000d 0; done"],
      workspace: makeWorkspace(),
      stdin: keys(),
      onReady: (ready) => {
        handle = ready;
      },
      terminal: {
        ...{ columns: 80, rows: 24 },
        show: async (bytes) => {
          held += bytes.length;
          most = Math.max(most, held);
          shown += bytes.length;
          if (shown > 300_000) typed.resolve(Buffer.from("\u0003"));
          await new Promise((resolve) => setTimeout(resolve, 5));
          held -= bytes.length;
        },
      },
    });
    expect(handle).toBeDefined();
    expect(result).toMatchObject({ exitCode: 9 });
    // One window, and what one read takes beyond it.
    expect(most).toBeLessThanOrEqual(2 * 65536);
  });

  it("is told by SIGHUP when the terminal is gone, and its changes are kept", async () => {
    const workspace = makeWorkspace();
    const at = await openAtTerminal(test.dock, {
      command: [
        "bash",
        "--norc",
        "-c",
        "trap 'echo saved > saved.txt; exit 5' HUP; echo up; while :; do sleep 0.05; done",
      ],
      workspace,
    });
    await at.sees("up");
    at.handle.hangUp();
    const result = await at.result;
    expect(result).toMatchObject({ exitCode: 5, delivery: "kept", changes: [{ path: "saved.txt", kind: "added" }] });
    expect(readdirSync(workspace)).toEqual(["a.txt"]);
    expect(await test.dock.runs.diff(result.runId)).toContain("+saved");
  });

  it("that ends because the terminal is gone has not crashed", async () => {
    const command = ["sh", "-c", "echo up; exec sleep 60"];
    const at = await openAtTerminal(test.dock, { command, workspace: makeWorkspace() });
    await at.sees("up");
    at.handle.hangUp();
    const { runId, ...result } = await at.result;
    expect(result).toMatchObject({
      exitSignal: "SIGHUP",
      error: {
        code: "run.cancelled",
        message: expect.stringContaining("The terminal was closed"),
        hint: expect.stringContaining(`drydock wrap --from ${runId}`),
      },
    });
    expect(await test.dock.runs.get(runId)).toMatchObject({ status: "cancelled" });
  });

  it("ends with the signal that ended the program", async () => {
    const command = ["bash", "-c", "kill -TERM $$"];
    const at = await test.dock.wraps.run({ command, workspace: makeWorkspace() });
    expect(at).toMatchObject({ exitCode: null, exitSignal: "SIGTERM", error: { code: "code.crash" } });
  });
});

describe("the surroundings of a program", () => {
  it("are a home that lasts for this program, variables by a list, and a workspace that is not touched", async () => {
    const workspace = makeWorkspace();
    process.env.WRAP_SECRET = "hidden-value";
    try {
      // Output comes in chunks of any size.
      const run = async (command: string[]) => {
        let output = "";
        const onOutput = ({ text }: { text: string }) => {
          output += text;
        };
        const result = await test.dock.wraps.run({ command, workspace, environment: ["GIVEN=by-hand"], onOutput });
        return { output, exitCode: result.exitCode };
      };
      const first = await run(["sh", "-c", "echo kept > ~/history; echo changed > a.txt; env; echo $HOME"]);
      expect(first.output).toContain("GIVEN=by-hand");
      expect(first.output).toContain("\n/home/dock\n");
      expect(first.output).not.toContain("hidden-value");
      expect((await run(["sh", "-c", "cat ~/history a.txt"])).output).toBe("kept\none\n");
      expect(await run(["bash", "-c", "ls ~"])).toEqual({ output: "", exitCode: 0 });
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
    } finally {
      delete process.env.WRAP_SECRET;
    }
  });

  it("are refused a variable of the caller that the policy does not allow", async () => {
    const wrap = test.dock.wraps.run({ command: ["true"], workspace: makeWorkspace(), environment: ["WRAP_SECRET"] });
    await expect(wrap).rejects.toMatchObject({ hint: expect.stringContaining("WRAP_SECRET") });
  });

  it("have the program itself, wherever it is installed: a script, and a package with those beside it", async () => {
    const tools = test.makeWorkspace({
      "bin/hello": "#!/bin/sh\necho hello from $0\n",
      "bin/private.txt": "not for others\n",
      "lib/node_modules/tool/cli.js": "#!/usr/bin/env node\nconsole.log(require('helper'));\n",
      "lib/node_modules/helper/index.js": "module.exports = 'helped';\n",
    });
    for (const path of ["bin/hello", "lib/node_modules/tool/cli.js"]) {
      const file = join(tools, path);
      writeFileSync(file, readFileSync(file), { mode: 0o755 });
      (await import("node:fs")).chmodSync(file, 0o755);
    }
    const outputs: string[] = [];
    const run = (command: string[]) =>
      test.dock.wraps.run({ command, workspace: makeWorkspace(), onOutput: ({ text }) => outputs.push(text) });
    await run([join(tools, "bin/hello")]);
    expect(outputs.join("")).toBe("hello from /opt/wrapped/bin/hello\n");
    await run([join(tools, "lib/node_modules/tool/cli.js")]);
    expect(outputs.at(-1)).toBe("helped\n");
    await run(["sh", "-c", `ls /opt/wrapped/bin ${tools} 2>&1; true`]);
    expect(outputs.at(-1)).not.toContain("private");
  });

  it("hold the limit on disk for the home as well", async () => {
    const at = await test.dock.wraps.run({
      command: ["sh", "-c", "while :; do head -c 4000000 /dev/zero > ~/f$((i=i+1)); sleep 0.02; done"],
      workspace: makeWorkspace(),
      home: "filler",
      policy: { limits: { diskMb: 40, wallSeconds: 60 } },
    });
    expect(at.error).toMatchObject({ code: "limit.disk", message: expect.stringContaining("home") });
  });
});
