import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explainIssues } from "../errors/explain-issue.ts";
import { listSchemas } from "./testing/list-schemas.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const schemas = listSchemas();
const read = <Case>(path: string) => JSON.parse(readFileSync(join(fixtures, `${path}.json`), "utf8")) as Case[];

describe("fixtures of the protocol between host and runners", () => {
  it.each(["accept", "reject"])("exist for each message and payload, and for nothing else: %s", (folder) => {
    const files = globSync("*/*.json", { cwd: join(fixtures, folder) }).map((path) => path.replace(/\.json$/, ""));
    expect(files.sort()).toEqual([...schemas.keys()].sort());
    expect(files.filter((path) => read(`${folder}/${path}`).length === 0)).toEqual([]);
  });

  it.each([...schemas])("are accepted: %s", (path, schema) => {
    for (const value of read(`accept/${path}`)) {
      const { error } = schema.safeParse(value);
      expect({ value, problems: explainIssues(error?.issues ?? [], "it") }).toEqual({ value, problems: [] });
    }
  });

  it.each([...schemas])("are rejected with words that say why: %s", (path, schema) => {
    for (const { value, says } of read<{ value: unknown; says: string[] }>(`reject/${path}`)) {
      const { error } = schema.safeParse(value);
      expect({ value, says: explainIssues(error?.issues ?? [], "it") }).toEqual({ value, says });
      expect(says.length).toBeGreaterThan(0);
    }
  });
});
