import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** An exercise of a checkout of https://github.com/exercism/python. */
export interface Exercise {
  name: string;
  /** What a learner gets: the stub, the tests, and what they read. */
  files: Record<string, string>;
  /** The known solution. */
  solution: Record<string, string>;
  /** The modules that the solution consists of, and what the tests import from each. */
  imported: Record<string, string[]>;
}

interface Config {
  files: { solution: string[]; test: string[]; example?: string[]; exemplar?: string[] };
}

/** All exercises that have a known solution, by name. */
export function listExercises(checkout: string): Exercise[] {
  return ["concept", "practice"].flatMap((kind) => {
    const place = join(checkout, "exercises", kind);
    if (!existsSync(place)) return [];
    return readdirSync(place)
      .sort()
      .flatMap((name) => readExercise(join(place, name), `${kind}/${name}`) ?? []);
  });
}

function readExercise(place: string, name: string): Exercise | undefined {
  const settings = join(place, ".meta", "config.json");
  if (!existsSync(settings)) return undefined;
  const { files: named }: Config = JSON.parse(readFileSync(settings, "utf8"));
  const known = named.example ?? named.exemplar ?? [];
  if (known.length === 0 || !known.every((path) => existsSync(join(place, path)))) return undefined;
  const files = readFiles(place);
  const solution = named.solution.flatMap((path, index) => {
    const from = known[index];
    return from === undefined ? [] : [[path, readFileSync(join(place, from), "utf8")] as const];
  });
  const tests = named.test.map((path) => files[path] ?? "").join("\n");
  const modules = named.solution.map((path) => path.replace(/\.py$/, ""));
  const imported = Object.fromEntries(modules.map((module) => [module, listImported(tests, module)]));
  return { name, files, solution: Object.fromEntries(solution), imported };
}

/** Files of the directory itself and below, without documents and what the authors keep for themselves. */
function readFiles(place: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(place, below))) {
    if (entry === ".meta" || entry === ".docs" || entry === "__pycache__" || entry === ".pytest_cache") continue;
    const path = join(below, entry);
    if (statSync(join(place, path)).isDirectory()) Object.assign(found, readFiles(place, path));
    else found[path] = readFileSync(join(place, path), "utf8");
  }
  return found;
}

/** The names in `from MODULE import (a, b as c)`, also over several lines. */
function listImported(tests: string, module: string): string[] {
  const found = new RegExp(`^\\s*from ${module} import (\\([^)]*\\)|.*)`, "gm");
  const names = [...tests.matchAll(found)].flatMap(([, list = ""]) => list.replace(/[()]|#.*/g, "").split(","));
  const bare = names.map((each) => each.trim().split(/\s+as\s+/)[0] ?? "");
  const alias = new RegExp(`^import ${module} as (\\w+)`, "m").exec(tests)?.[1] ?? module;
  const attributes = [...tests.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
  return [...new Set([...bare, ...attributes])].filter((name) => /^[A-Za-z_]\w*$/.test(name));
}
