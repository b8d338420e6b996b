import type { CapabilityRunner } from "drydock";
import { describe, expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const house = describeExtension(
  "house",
  "{ tools: [echo] }",
  ["lights", "twice", "throws", "hangs", "nothing", "reaches", "absent", "says", "wrong"]
    .map(
      (name) => `      - name: ${name}
        description: For tests.
        runner: house.${name}
        timeoutSeconds: 1
        arguments: [{ name: text }]
`,
    )
    .join(""),
);
const test = openExtensionDock({ extensions: [house] });

const answer = (text: string) => ({
  ...{ ok: true, content: Buffer.from(text), mime: "text/plain", error: null },
  ...{ artifacts: [], metadata: {}, notes: [] },
});

describe("a runner of the host's own", () => {
  it("does what an action declares, through the one door", async () => {
    const lights: CapabilityRunner = async ({ values, session }, { exec }) => {
      const { stdout } = await exec({ command: ["echo", String(values.text)], quiet: true });
      return answer(`${session}: ${stdout}`);
    };
    test.dock.extensions.registerRunner("house.lights", lights);
    expect(await test.output("/house lights on", { session: "home" })).toBe("home: on\n");
  });

  it("finds in its second program what the first one left", async () => {
    test.dock.extensions.registerRunner("house.twice", async (_, { exec }) => {
      await exec({ language: "python", code: "open('a.txt', 'w').write('left')" });
      const { stdout } = await exec({ language: "python", code: "print(open('a.txt').read())" });
      return answer(stdout.toString());
    });
    expect(await test.output("/house twice", { session: "twice" })).toBe("left\n");
  });

  it("has no tools but those that were granted", async () => {
    test.dock.extensions.registerRunner("house.reaches", async (_, { exec }) => {
      const { error } = await exec({ command: ["cat", "/etc/passwd"] });
      return answer(error?.code ?? "it ran");
    });
    expect(await test.output("/house reaches")).toBe("policy.command_denied");
  });

  it("that throws, hangs or gives nothing back is a failed call", async () => {
    test.dock.extensions.registerRunner("house.throws", async () => {
      throw new Error("the bulb is broken");
    });
    test.dock.extensions.registerRunner("house.hangs", () => new Promise(() => {}));
    test.dock.extensions.registerRunner("house.nothing", async () => undefined as never);
    expect(await test.error("/house throws")).toMatchObject({
      code: "code.exception",
      message: expect.stringContaining("the bulb is broken"),
    });
    expect(await test.error("/house hangs")).toMatchObject({ code: "limit.timeout" });
    expect(await test.error("/house nothing")).toMatchObject({
      code: "code.exception",
      message: "The runner house.nothing returned undefined.",
      hint: expect.stringContaining("A runner returns a string, or { ok, content }"),
    });
    expect(await test.error("/house absent")).toMatchObject({ code: "extension.invalid" });
    const { runs } = await test.dock.extensions.history({ extension: "house" });
    expect(runs.every(({ status }) => status === "succeeded" || status === "failed")).toBe(true);
  });

  it("that returns a string has it as its output; what is no outcome is refused with what is wanted", async () => {
    test.dock.extensions.registerRunner("house.says", async ({ values }) => `It is ${values.text}.`);
    expect(await test.output("/house says on")).toBe("It is on.");
    for (const [wrong, message] of [
      [{ content: "text", ok: true }, "returned a string as content"],
      [{ ok: true }, "returned an object without content"],
      [{ content: Buffer.from("x") }, "did not say whether it is ok"],
      [7, "returned a number"],
    ] as const) {
      test.dock.extensions.registerRunner("house.wrong", async () => wrong as never);
      expect(await test.error("/house wrong")).toMatchObject({ message: expect.stringContaining(message) });
    }
  });

  it("can't take the place of one that comes with Drydock", () => {
    for (const name of ["exec.curl", "api.call", "python.script", "analyze.more", "plain", "a.b c", ""]) {
      const register = () => test.dock.extensions.registerRunner(name, async () => answer(""));
      expect(register, name).toThrow(expect.objectContaining({ code: "input.invalid" }));
    }
  });
});
