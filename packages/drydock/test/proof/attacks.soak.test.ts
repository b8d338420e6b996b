import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Attack, judgeAttack } from "./judge-attack.ts";

/**
 * Changes by people who had read the rules and wanted to get round them, or to be refused though they are honest. Not all
 * are judged rightly yet: those that are not are listed beside the tables, and no other may join them.
 */
const TABLES = ["python", "others", "further", "lately"].flatMap((table) => [`${table}-false`, `${table}-honest`]);

function readTable<Table>(name: string): Table {
  return JSON.parse(readFileSync(join(import.meta.dirname, "attacks", `${name}.json`), "utf8")) as Table;
}

const KNOWN = readTable<Record<string, string[]>>("judged-wrongly");

for (const table of TABLES) {
  const cases = readTable<Attack[]>(table).map((each) => [each.name, each] as const);
  it.each(cases)(`${table}: %s`, { timeout: 180_000 }, async (name, each) => {
    const { verdict, told } = await judgeAttack(each);
    const isWrong = (verdict === "passed") === table.endsWith("false");
    const isKnown = KNOWN[table]?.includes(name) ?? false;
    if (isWrong !== isKnown)
      console.info(`${table}: ${name}: ${verdict}${isKnown ? ", rightly by now" : ""}\n  ${told}`);
    expect(verdict, told).toMatch(/^(passed|failed|unproven)$/);
    expect(isWrong && !isKnown, told).toBe(false);
  });
}
