import { runPython } from "../../../../source/testing/run-python.ts";
import type { ImportedName } from "../facts.ts";
import { judgeSides } from "../judge-sides.ts";
import { readFacts } from "../read-facts.ts";

/** Modules that fail those who hand them a wrong result. */
const ASSERTING = /^(kit|ensure|snapshot|mixins|markers)$/;

/** What a test makes of the module `name`: its own text decides, and all modules in it are the tree's but for libraries. */
export async function sideOf(
  path: string,
  text: string,
  name: string,
  more: { runsTree?: boolean; onlyFirm?: boolean } = {},
): Promise<"test side" | "source"> {
  const facts = (await readFacts([{ path, text }], runPython)).get(path);
  if (!facts) throw new Error(`${path} can't be parsed`);
  const resolve = ({ specifier, name: of }: ImportedName) => {
    if (/^(pytest|unittest|json|pathlib|sys|math|node:|vitest|chai|fs|numpy)/.test(specifier)) return null;
    return specifier === "." && of !== null ? of : specifier.replace(/^(\.\.?\/)+/, "").replace(/\.\w+$/, "");
  };
  const sides = judgeSides({ facts, resolve, runsTree: false, onlyFirm: false, ...more }).get(name) ?? new Set();
  const isTried = sides.has("actual") || (sides.has("asserter") && !ASSERTING.test(name));
  return sides.size > 0 && !isTried ? "test side" : "source";
}
