import { KERNEL_LIMITS } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { defineCommand } from "../commands/exec.ts";
import { createProgram } from "../create-program.ts";
import type { Flag } from "../flags/flag.ts";
import { RUN_FLAGS } from "../flags/run-flags.ts";
import { captureTerminal } from "../testing/capture-terminal.ts";
import { EXEC_FLAGS, type ExecWords } from "./exec-flags.ts";
import { readExecWords } from "./read-exec-words.ts";

/** What the whole command line makes of the same words. */
async function readByProgram(words: readonly string[]): Promise<ExecWords | undefined> {
  const { terminal } = captureTerminal();
  const program = createProgram("0", terminal);
  let read: ExecWords | undefined;
  defineCommand(program, { terminal, trailing: null, status: 0, early: null }, async (_context, input) => {
    read = input;
  });
  await program.parseAsync(words, { from: "user" });
  return read;
}

const plain = (words: ExecWords | null | undefined) => JSON.parse(JSON.stringify(words)) as unknown;

describe("the quick way to read drydock exec", () => {
  it.each([
    [["-c", "print(1)"]],
    [["-cprint(1)"]],
    [["--code=print(1)"]],
    [["-c", ""]],
    [["main.py"]],
    [["main.py", "a", "b", "--json"]],
    [["-"]],
    [[]],
    [["--lang", "node", "-c", "1", "--workspace", "dir", "--timeout", "1.5", "--memory", "64"]],
    [["--net", "a:1,b:2", "--net", "c:3", "-c", "1"]],
    [["--net", ",", "-c", "1"]],
    [["--session", "ses_1", "-c", "1", "--unsafe", "--debug", "--unconfined", "--policy", "p.yaml"]],
    [["--stdin", "-", "-c", "1", "-c", "2"]],
  ])("reads %j as the whole command line does", async (args) => {
    const words = ["exec", ...args];
    expect(readExecWords(words)).not.toBeNull();
    expect(plain(readExecWords(words))).toEqual(plain(await readByProgram(words)));
  });

  it.each(Object.entries<Flag>(EXEC_FLAGS))(
    "reads --%s as the whole command line does, alone and twice",
    async (name, flag) => {
      const values =
        flag.value === undefined ? [] : (flag.choices ?? (flag.reads === "positive" ? ["2", "3.5"] : ["a:1", "b,c"]));
      const once = [`--${name}`, ...values.slice(0, 1)];
      const twice = [...once, `--${name}`, ...values.slice(-1)];
      for (const input of [once, twice, ...(flag.short ? [[`-${flag.short}`, ...values.slice(0, 1)]] : [])]) {
        const words = ["exec", ...input];
        const read = readExecWords(words);
        expect(Object.keys(read?.flags ?? {})).toEqual([name]);
        expect(plain(read)).toEqual(plain(await readByProgram(words)));
      }
    },
  );

  it.each([
    [["runs", "list"]],
    [["exec", "--help"]],
    [["exec", "--jsno"]],
    [["exec", "-c"]],
    [["exec", "--timeout", "soon", "-c", "1"]],
    [["exec", "--timeout", "0", "-c", "1"]],
    [["exec", "--memory=", "-c", "1"]],
    [["exec", "--lang", "ruby", "-c", "1"]],
    [["exec", "--json=yes", "-c", "1"]],
    [[]],
  ])("leaves %j to the whole command line", (words) => {
    expect(readExecWords(words)).toBeNull();
  });

  it("leaves code that starts with a dash to the whole command line, which takes it as it is", async () => {
    expect(readExecWords(["exec", "-c", "-1"])).toBeNull();
    expect((await readByProgram(["exec", "-c", "-1"]))?.flags.code).toBe("-1");
  });
});

it("has each option that the explanation of a limit names", () => {
  const named = KERNEL_LIMITS.flatMap(({ reached: { flag } }) => (flag === undefined ? [] : [flag]));
  expect(named).toContain("timeout");
  expect(Object.keys(RUN_FLAGS)).toEqual(expect.arrayContaining(named));
});
