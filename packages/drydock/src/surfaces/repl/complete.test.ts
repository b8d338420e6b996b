import { describe, expect, it } from "vitest";
import { REPL_COMMANDS } from "./commands.ts";
import { completeLine } from "./complete.ts";

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
