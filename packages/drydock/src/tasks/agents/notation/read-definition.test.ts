import { DrydockError } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseArguments, toData } from "./parse-value.ts";
import { readDefinition } from "./read-definition.ts";

const define = (source: string) => readDefinition(source, null);

describe("an agent as it is typed", () => {
  it("is name, template and schemas", () => {
    const agent = define(`({
      name: "grade", // what it is called
      description: 'Grades ' + "a text",
      input: z.object({ text: z.string().min(1), scale: z.number().int().optional() }),
      output: z.object({ grade: z.enum(["a", "b"]), why: z.array(z.string()).max(3) }),
      prompt: \`Grade this:
{{ text }}\`,
      repairs: 1,
    })`);
    expect(agent).toMatchObject({
      name: "grade",
      description: "Grades a text",
      prompt: "Grade this:\n{{ text }}",
      repairs: 1,
    });
    expect(z.toJSONSchema(agent.input)).toMatchObject({ required: ["text"], properties: { text: { minLength: 1 } } });
    expect(agent.output?.safeParse({ grade: "a", why: [] }).success).toBe(true);
    expect(agent.output?.safeParse({ grade: "c", why: [] }).success).toBe(false);
  });

  it("may be written in short, and be named by its variable", () => {
    const agent = readDefinition(
      '({ input: { text: "string", words: "int?", tags: "string[]" }, prompt: "{{ text }}" })',
      "short",
    );
    expect(agent.name).toBe("short");
    expect(agent.input.safeParse({ text: "a", tags: ["b"] }).success).toBe(true);
    expect(agent.input.safeParse({ text: "a", tags: [1] }).success).toBe(false);
    expect(agent.output).toBeUndefined();
  });

  const attacks: [name: string, source: string][] = [
    ["a call of the host's", '({ name: process.exit(), prompt: "x" })'],
    ["an import", "({ name: 'a', prompt: import('fs') })"],
    ["code in a template", `({ name: 'a', prompt: \`\${process.env.HOME}\` })`],
    ["a function", "({ name: 'a', prompt: 'x', hooks: { afterGenerate: () => process.exit() } })"],
    ["a tool", "({ name: 'a', prompt: 'x', tools: [] })"],
    ["a prototype", "({ name: 'a', prompt: 'x', input: { __proto__: 'string' } })"],
    ["an expression", "({ name: 'a', prompt: 'x' }); process.exit()"],
    ["a second object", "({ name: 'a', prompt: 'x' }, process)"],
    ["a schema that runs code", "({ name: 'a', prompt: 'x', input: z.string().transform(eval) })"],
    ["a pattern that never ends", "({ name: 'a', prompt: 'x', input: z.string().regex('(a+)+$') })"],
    ["a method of objects", "({ name: 'a', prompt: 'x', input: z.constructor('return process')() })"],
    ["a nest too deep", `({ name: 'a', prompt: 'x', input: ${"[".repeat(100_000)} })`],
    ["nothing", "()"],
    ["a bracket that is open", "({ name: 'a'"],
    ["a string that is open", "({ name: 'a"],
  ];
  it.each(attacks)("is not %s", (_name, source) => {
    expect(() => define(source)).toThrow(DrydockError);
    expect(() => define(source)).toThrow(expect.objectContaining({ code: "input.invalid" }));
  });

  it("says where it can't be read", () => {
    expect(() => define("({\n  name: 'a',\n  prompt: ?\n})")).toThrow("Here a value is expected (line 3, column 11).");
  });
});

describe("arguments of a call", () => {
  it.each([
    ['("a", 1, -2.5e3, true, null)', ["a", 1, -2500, true, null]],
    ["({ a: [1, 'x'], 'b c': { d: 0x10 } })", [{ a: [1, "x"], "b c": { d: 16 } }]],
    ["('\\u00e9\\x41\\n\\'')", ["éA\n'"]],
    ["(True, None,)", [true, null]],
    ["()", []],
  ])("reads %s", (source, values) => {
    expect(parseArguments(source).map(toData)).toEqual(values);
  });
});
