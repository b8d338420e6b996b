import { describe, expect, it } from "vitest";
import { REPL_COMMANDS } from "./commands.ts";
import { completeLine } from "./complete.ts";
import { completeWithExtensions } from "./complete-extensions.ts";

const there = { commands: REPL_COMMANDS, agents: ["short", "shout"], variables: ["shape", "total"] };

describe("the Tab key", () => {
  it.each([
    ["/se", [["/session "], "/se"]],
    ["/session r", [["reset", "rollback"], "r"]],
    ["/run sho", [["short", "shout"], "sho"]],
    ["/execute to", [["total"], "to"]],
    ["sh", [["shape", "short(", "shout("], "sh"]],
    ["print(tot", [["total"], "tot"]],
    ["exe", [["execute "], "exe"]],
    ["x = ", [[], ""]],
    ["zzz", [[], "zzz"]],
  ])("offers for %j", (line, offered) => {
    expect(completeLine(line, there)).toEqual(offered);
  });
});

describe("the Tab key, with extensions", () => {
  const offered = ["/sesame", "/set", "'two words'"];
  const requests: string[] = [];
  const dock = {
    extensions: {
      async complete(line: string) {
        requests.push(line);
        return offered.map((word) => ({ word, description: "" })).filter(({ word }) => word.startsWith(line.slice(-3)));
      },
    },
  } as unknown as Parameters<typeof completeWithExtensions>[2];
  it.each([
    ["/se", [["/session ", "/sesame ", "/set "], "/se"], ["/se"]],
    ["/session r", [["reset", "rollback"], "r"], []],
    ["/x y 'tw", [["'two words' "], "'tw"], ["/x y 'tw"]],
    ["sh", [["shape", "short(", "shout("], "sh"], []],
  ])("offers for %j", async (line, words, lines) => {
    requests.length = 0;
    expect(await completeWithExtensions(line, there, dock)).toEqual(words);
    expect(requests).toEqual(lines);
  });

  it("offers its own where extensions can't be asked", async () => {
    const broken = { extensions: { complete: async () => Promise.reject(new Error("no")) } } as unknown as typeof dock;
    expect(await completeWithExtensions("/se", there, broken)).toEqual([["/session "], "/se"]);
  });
});
