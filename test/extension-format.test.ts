import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BUILT_IN_RUNNERS, ExtensionCommands, ExtensionManifest } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { findRunnerKind, readExtension } from "../packages/drydock/src/extensions/index.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/guides/extensions-format.md"), "utf8");

interface Field {
  needed: string;
  holds: string;
}

/** The table under each heading that names a part of a file: field → what the page says of it. */
function readTables(text: string): Map<string, Map<string, Field>> {
  const tables = new Map<string, Map<string, Field>>();
  for (const part of text.split(/^##+ /m).slice(1)) {
    const heading = /^`([^`]+)`\n/.exec(part)?.[1];
    if (heading === undefined) continue;
    const rows = [...part.matchAll(/^\| `([\w]+)` \|([^|]*)\| (.+) \|$/gm)];
    tables.set(
      heading,
      new Map(rows.map(([, name = "", needed = "", holds = ""]) => [name, { needed: needed.trim(), holds }])),
    );
  }
  return tables;
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
  enum?: string[];
  const?: string;
  maximum?: number;
}

/** Fields of an object, or of each kind that it can be. */
interface Part {
  fields: Map<string, Schema>;
  required: Set<string>;
}

function readPart(schema: Schema): Part {
  const kinds = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ properties }) => properties);
  const fields = new Map(kinds.flatMap(({ properties = {} }) => Object.entries(properties)));
  const required = [...fields.keys()].filter((name) => kinds.every((kind) => kind.required?.includes(name)));
  return { fields, required: new Set(required) };
}

/** Every part of a file that has fields of its own, by the heading that explains it. */
function listParts(schema: Schema, heading: string, path: string): [string, Part][] {
  const part = readPart(schema);
  const inner = [...part.fields].flatMap(([name, field]) => {
    const isList = field.items !== undefined;
    const below = `${path === "" ? "" : `${path}.`}${name}${isList ? "[]" : ""}`;
    const next = field.items ?? field;
    return readPart(next).fields.size > 0 ? listParts(next, below, below) : [];
  });
  return [[heading, part], ...inner];
}

const toSchema = (type: z.ZodType) =>
  z.toJSONSchema(type, { io: "input", unrepresentable: "any", reused: "inline" }) as Schema;
const parts = new Map([
  ...listParts(toSchema(ExtensionManifest), "extension.yaml", ""),
  ...listParts(toSchema(ExtensionCommands), "commands.yaml", ""),
]);
const tables = readTables(page);

describe("the page about the format of extensions", () => {
  it("has a table for every part of both files", () => {
    expect(parts.size).toBeGreaterThan(10);
    expect([...tables.keys()].toSorted()).toEqual([...parts.keys()].toSorted());
  });

  it.each([...parts])(
    "names exactly the fields of %s, with what is needed and what holds without them",
    (heading, part) => {
      const table = tables.get(heading) ?? new Map<string, Field>();
      const expected = [...part.fields].map(([name, schema]) => {
        const needed = part.required.has(name) ? "**yes**" : "";
        return [name, schema.default === undefined ? needed : `\`${JSON.stringify(schema.default)}\``];
      });
      expect(Object.fromEntries([...table].map(([name, { needed }]) => [name, needed]))).toEqual(
        Object.fromEntries(expected),
      );
    },
  );

  it("names every choice and every greatest number", () => {
    const missing = [...parts].flatMap(([heading, { fields }]) =>
      [...fields].flatMap(([name, schema]) => {
        const limit = schema.maximum !== undefined && schema.maximum < 1e9 ? [String(schema.maximum)] : [];
        const wanted = [...(schema.enum ?? []).map((choice) => `\`${choice}\``), ...limit];
        const holds = tables.get(heading)?.get(name)?.holds ?? "";
        return wanted.filter((each) => !holds.includes(each)).map((each) => `${heading} ${name}: ${each}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  it("has a row for every runner, with the fields of an action that it uses", () => {
    const rows = [...page.matchAll(/^\| `([a-z]+\.[\w<>]+)` \|.+\| (.*)\|$/gm)];
    const listed = new Map(rows.map(([, name = "", uses = ""]) => [name, uses]));
    expect([...listed.keys()].sort()).toEqual([...BUILT_IN_RUNNERS, "house.lights"].sort());
    for (const name of BUILT_IN_RUNNERS) {
      const used = [...(listed.get(name) ?? "").matchAll(/`(args|stdin|script|request)`/g)].map(([, field]) => field);
      expect(used.sort(), name).toEqual([...(findRunnerKind(name.replace("<tool>", "curl"))?.fields ?? [])].sort());
    }
  });

  it("ends with an extension that is valid", async () => {
    const directory = mkdtempSync(join(tmpdir(), "drydock-page-"));
    try {
      const blocks = [...page.matchAll(/^```(?:yaml|markdown)\n(?:# (\S+\.yaml)|<!-- (\S+) -->)\n([\s\S]*?)^```$/gm)];
      expect(blocks).toHaveLength(3);
      for (const [, yaml, markdown, text = ""] of blocks) {
        const file = join(directory, yaml ?? markdown ?? "");
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      expect(await readExtension(directory)).toMatchObject({ ok: true, problems: [] });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
