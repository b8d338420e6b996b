import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "./en/index.ts";
import { ja } from "./ja/index.ts";
import { zh } from "./zh/index.ts";

const root = join(import.meta.dirname, "..");
const code = globSync("**/*.{ts,tsx}", { cwd: root })
  .filter((path) => !path.startsWith("words/") && !path.endsWith(".test.ts"))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

/** What a text wants to have put in; the same in every language, though a plural may be left out. */
function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name))].sort();
}

/** Keys that stand in the code, and those that it puts together: `status.${status}` may be any that begins so. */
function findUnused(keys: readonly string[], text: string): string[] {
  const patterns = [...text.matchAll(/`([\w.]*\$\{[^}]+\}[\w.]*)`/g)].map(
    ([, key = ""]) => new RegExp(`^${key.replaceAll(".", "\\.").replaceAll(/\$\{[^}]+\}/g, "[\\w-]+")}$`),
  );
  return keys.filter((key) => !text.includes(`"${key}"`) && !patterns.some((pattern) => pattern.test(key)));
}

describe("the words", () => {
  it.each([
    ["Chinese", zh],
    ["Japanese", ja],
  ])("are complete in %s, with the same values in each", (_, words) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) {
      const translated = words[key as keyof typeof en];
      expect([key, translated.trim()]).not.toEqual([key, ""]);
      expect([key, namesIn(translated)]).toEqual([key, namesIn(text)]);
    }
  });

  it("are translated: nothing is left in English but names", () => {
    const names = ["record.junit", "record.sarif"];
    const left = (words: typeof en) =>
      (Object.keys(en) as (keyof typeof en)[]).filter((key) => words[key] === en[key] && !names.includes(key));
    expect([left(zh), left(ja)]).toEqual([[], []]);
  });

  it("are all used", () => {
    expect(findUnused(Object.keys(en), code)).toEqual([]);
    expect(findUnused(["a.b", "status.x", "nothing.here"], 't("a.b"); t(`status.$' + "{status}`)")).toEqual([
      "nothing.here",
    ]);
  });
});
