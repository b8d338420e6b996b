import { describe, expect, it } from "vitest";
import { useLint } from "../testing/use-lint.ts";
import { readExtension } from "./read-extension.ts";
import { scaffoldExtension } from "./scaffold-extension.ts";

const { write } = useLint();

describe("a new extension", () => {
  it("is valid as it is", async () => {
    const parent = await write({});
    const reading = await readExtension(await scaffoldExtension("tools.my-first", parent));
    expect(reading.problems).toEqual([]);
    expect(reading.ok && reading.extension.commands[0]?.name).toBe("tools-my-first");
  });

  it("overwrites nothing, and takes no name that a path could misread", async () => {
    const parent = await write({});
    await scaffoldExtension("mine", parent);
    await expect(scaffoldExtension("mine", parent)).rejects.toMatchObject({ code: "input.invalid" });
    for (const name of ["../x", "X", "a/b", "", "policy"])
      await expect(scaffoldExtension(name, parent)).rejects.toMatchObject({ code: "input.invalid" });
  });
});
