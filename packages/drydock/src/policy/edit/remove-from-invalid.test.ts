import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPolicyFile } from "../load-policy-file.ts";
import { resolvePolicy } from "../resolve-policy.ts";
import { setInPolicyFile, unsetInPolicyFile } from "./index.ts";

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "drydock-policy-"));
  file = join(directory, "policy.yaml");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const write = (text: string) => writeFile(file, text);
const read = () => readFile(file, "utf8");
const resolve = async () => resolvePolicy({ home: await loadPolicyFile(file) });

describe("unsetInPolicyFile, in a file that is not valid", () => {
  it("removes what makes the file invalid: an unknown key, a wrong value, one after the other", async () => {
    await write("# mine\n\nlimit: { x: 1 }\nlimits:\n  wallSecs: 5 # typo\n  memoryMb: lots\n  wallSeconds: 7\n");
    const unset = (key: string) => unsetInPolicyFile(file, key);
    expect(await unset("limits.wallSecs")).toEqual({
      file,
      key: "limits.wallSecs",
      problems: [
        expect.stringContaining("limits.memoryMb: must be a number"),
        expect.stringContaining("limit: unknown"),
      ],
    });
    expect(await unset("limit")).toMatchObject({ problems: [expect.stringContaining("limits.memoryMb")] });
    expect(await unset("limits.memoryMb")).toMatchObject({ problems: [] });
    expect(await read()).toBe("# mine\n\nlimits:\n  wallSeconds: 7\n");
    expect((await resolve()).effective.limits.wallSeconds).toBe(7);
  });

  it("leaves an invalid file alone where it has no such key, or is not YAML", async () => {
    for (const text of ["limits: { wallSecs: 5 }\n", "limits: [\n", "- a\n"]) {
      await write(text);
      await expect(unsetInPolicyFile(file, "limits.memoryMb")).rejects.toMatchObject({ code: "policy.invalid" });
      expect(await read()).toBe(text);
    }
  });

  it("suggests the key that was meant, with the section that was left out", async () => {
    for (const [typed, meant] of [
      ["limits.wallSecond", "limits.wallSeconds"],
      ["wallSeconds", "limits.wallSeconds"],
      ["memory.memoryMB", "limits.memoryMb"],
    ] as const) {
      const refused = {
        code: "input.invalid",
        message: `The policy has no key ${typed}.`,
        hint: `Did you mean ${meant}?`,
      };
      await expect(setInPolicyFile(file, typed, "5")).rejects.toMatchObject(refused);
    }
  });

  it("lists the keys of a group where only the group was named", async () => {
    await expect(setInPolicyFile(file, "mcp", "5")).rejects.toMatchObject({
      message: "The policy has no key mcp.",
      hint: "mcp is a group. Name one of its keys: mcp.allow.",
    });
  });
});
