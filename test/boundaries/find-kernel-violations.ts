import type { SourceFile } from "./find-violations.ts";

const KERNEL = "packages/drydock/src/sandbox/kernel/";
/** What all packages stand on, beside them: these modules import nothing of ours but each other. */
const GROUND: readonly string[] = ["linux", "clone", "frames", "plain_json", "shapes"];
/** The programs that the host starts, beside the packages: nobody imports them. */
const PROGRAMS: readonly string[] = ["fork_server", "bare_fork_server", "container_server", "container_warden"];
/** Packages of the kernel part, lowest level first. A package imports packages of lower levels, and its own modules. */
const LEVELS: readonly (readonly string[])[] = [
  ["contain"],
  ["files", "interpret"],
  ["attend"],
  ["sessions", "container"],
];
const MOST_FILES = 25;

/** Every breach of the kernel part's layout, as `file:line: what is wrong`. */
export function findKernelViolations(files: readonly SourceFile[]): string[] {
  const modules = files.filter(({ path }) => path.startsWith(KERNEL) && path.endsWith(".py"));
  return [...modules.flatMap(checkModule), ...findCrowded(modules)];
}

function checkModule({ path, text }: SourceFile): string[] {
  const parts = path.slice(KERNEL.length).split("/");
  if (parts.length > 2 || placeLevel(parts[0] ?? "") === undefined) return [`${path}:1: no place of the kernel part`];
  return readImports(text).flatMap(({ line, module }) => {
    const problem = checkImport(parts, module);
    return problem === undefined ? [] : [`${path}:${line}: ${problem}`];
  });
}

function checkImport(parts: readonly string[], module: string): string | undefined {
  if (module.startsWith(".")) return "modules are named in full, not from here";
  const from = parts[0] ?? "";
  const to = module.split(".")[0] ?? "";
  const [own, other] = [placeLevel(from), placeLevel(to)];
  if (own === undefined || other === undefined || from === to) return undefined;
  if (PROGRAMS.includes(to) && parts.length === 2) return `${to} is a program: no package imports it`;
  if (other > own) return `${from} lies below ${to}`;
  return other === own && parts.length === 2 ? `${from} and ${to} are on one level` : undefined;
}

/** By the name of a package, or of a module beside the packages. Others are none of ours: the standard library. */
function placeLevel(name: string): number | undefined {
  const plain = name.replace(/\.py$/, "");
  if (GROUND.includes(plain)) return 0;
  if (PROGRAMS.includes(plain)) return LEVELS.length + 1;
  const level = LEVELS.findIndex((packages) => packages.includes(name));
  return level < 0 ? undefined : level + 1;
}

/** Of `import a, b` and of `from a import b`, wherever they stand. Text in a docstring or a program's string may look like it too. */
function readImports(text: string): { line: number; module: string }[] {
  const code = text.replace(/"""[\s\S]*?"""/g, (string) => string.replace(/[^\n]/g, " "));
  return code.split("\n").flatMap((content, index) => {
    const [, modules, from] = /^\s*(?:import\s+([^#]+)|from\s+(\S+)\s+import\b)/.exec(content) ?? [];
    const names = from === undefined ? (modules?.split(",") ?? []) : [from];
    return names.map((name) => ({ line: index + 1, module: name.trim().split(/\s/)[0] ?? "" }));
  });
}

function findCrowded(modules: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of modules) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder, count]) => `${folder}: ${count} files`);
}
