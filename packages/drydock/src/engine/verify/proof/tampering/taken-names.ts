/** What tests compute an expected value with, or go through. */
const BUILT_IN =
  "abs all any bool bytes dict divmod enumerate filter float frozenset getattr hasattr hash int isinstance issubclass iter len list map max min next pow print range repr reversed round set sorted str sum tuple type vars zip";
const STAR = /^[^\S\r\n]*from\s+[\w.]+\s+import\s+\*/m;
const DEFINED =
  /^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)|^(?:from\s+\S+\s+)?import\s+(?:[^\n]*\bas\s+)?(\w+)\s*$/gm;

/** A function of the language that a module newly defines for itself, where tests take all names of a module. Null: none. */
export function findTakenName(before: string, after: string, tests: string): string | null {
  if (!STAR.test(tests)) return null;
  const own = new Set(BUILT_IN.split(" "));
  const known = listDefined(before);
  const found = [...listDefined(after)].find(
    (name) => own.has(name) && !known.has(name) && new RegExp(String.raw`(?<![\w.])${name}\s*\(`).test(tests),
  );
  return found ?? null;
}

/** Modules of Python whose functions tests use on their own side. */
const TOOLS = /^(?:time|math|random|operator|datetime|json|re|statistics|decimal|fractions|itertools|functools|copy)$/;
const ASSIGNED = /(?<![\w.])(?:setattr\(\s*(\w+)\s*,|(\w+)\.\w+\s*=(?!=))/g;

/** A function of one of Python's modules that is newly given another value, where tests use that module as well. Null: none. */
export function findLentTool(before: string, after: string, tests: string): string | null {
  const found = [...after.matchAll(ASSIGNED)].find(([text, set, assigned]) => {
    const name = set ?? assigned ?? "";
    const isImported = new RegExp(String.raw`^\s*(?:import|from)\b[^\n]*\b${name}\b`, "m");
    return TOOLS.test(name) && !before.includes(text) && isImported.test(after) && isImported.test(tests);
  });
  return found?.[0].trim() ?? null;
}

function listDefined(text: string): Set<string> {
  return new Set([...text.matchAll(DEFINED)].map(([, defined, bound, imported]) => defined ?? bound ?? imported ?? ""));
}
