/**
 * Files that hold the settings of test runners beside much else. Only what can decide over a check is compared, so that a
 * new dependency or version is no tampering.
 */

/** Fields of package.json that nothing in a check depends on: what is installed is guarded where it lies. */
const FREE_FIELDS = new Set(
  [
    "dependencies devDependencies optionalDependencies peerDependencies peerDependenciesMeta version description",
    "keywords author contributors license repository homepage bugs funding files private publishConfig name bin",
    "engines types typings sideEffects main module browser exports",
  ].flatMap((line) => line.split(" ")),
);
/** Tables of pyproject.toml that describe or install the project. Settings of linters decide over checks that run them. */
const FREE_TABLES = new Set(["project", "build-system", "dependency-groups"]);
const FREE_TOOLS = new Set("poetry pdm hatch setuptools setuptools_scm flit uv".split(" "));
/** Parts of these tables hold commands that checks run by name. */
const COMMAND_PARTS: Record<string, readonly string[]> = { pdm: ["scripts"], hatch: ["envs"] };
const FREE_ENVIRONMENT_KEYS = new Set("dependencies extra-dependencies features description".split(" "));
/** The same of setup.cfg. */
const FREE_SECTION = /^\[(metadata|options(\.[\w.-]+)?|bdist_wheel|sdist|egg_info)\]$/;

export interface SettingsUse {
  /** Whether there are tests that are CommonJS or ES modules by the word of package.json, and not by their own names. */
  typeDecides?: boolean;
  /** The words that package managers were called with. Null: the scripts that ran are not known. */
  usedScripts?: ReadonlySet<string> | null;
}

/** Whether two versions of a settings file are the same in all that can decide over a check. */
export async function hasSameSettings(
  path: string,
  before: string,
  after: string,
  { typeDecides = true, usedScripts = null }: SettingsUse = {},
): Promise<boolean> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return isSamePackage(before, after, { typeDecides, usedScripts });
  if (name === "pyproject.toml") return (await guardedTables(before)) === (await guardedTables(after));
  if (name === "setup.cfg") return guardedSections(before) === guardedSections(after);
  return before === after;
}

function isSamePackage(before: string, after: string, { typeDecides, usedScripts }: SettingsUse): boolean {
  const [was, is] = [parseObject(before), parseObject(after)];
  if (!was || !is) return false;
  const names = new Set([...Object.keys(was), ...Object.keys(is)].filter((name) => !FREE_FIELDS.has(name)));
  names.delete("scripts");
  if (!typeDecides) names.delete("type");
  if (hasSameImports(was.imports, is.imports)) names.delete("imports");
  for (const name of names) if (JSON.stringify(was[name]) !== JSON.stringify(is[name])) return false;
  return hasSameScripts(was.scripts, is.scripts, usedScripts ?? null);
}

/** A new name is welcome: nothing could be found by it before, unless by a pattern. */
function hasSameImports(before: unknown, after: unknown): boolean {
  const [was, is] = [asObject(before), asObject(after)];
  const isSame = Object.keys(was).every((name) => JSON.stringify(was[name]) === JSON.stringify(is[name]));
  const isNew = Object.keys(is).some((name) => !Object.hasOwn(was, name));
  return isSame && !(isNew && Object.keys(was).some((name) => name.includes("*")));
}

/** A new script is welcome unless it runs before or after one that there was. */
function hasSameScripts(before: unknown, after: unknown, used: ReadonlySet<string> | null): boolean {
  const [was, is] = [asObject(before), asObject(after)];
  const isUsed = (name: string) => used === null || used.has(name) || used.has(name.replace(/^(pre|post)/, ""));
  for (const name of Object.keys(was)) if (isUsed(name) && was[name] !== is[name]) return false;
  return Object.keys(is).every((name) => {
    if (!isUsed(name)) return true;
    const target = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    return Object.hasOwn(was, name) || target === undefined || !Object.hasOwn(was, target);
  });
}

/** What can't be read is compared as it is. */
async function guardedTables(text: string): Promise<string> {
  const { parse } = await import("smol-toml");
  try {
    const { tool, ...tables } = parse(text);
    const guarded = Object.entries(tables).filter(([name]) => !FREE_TABLES.has(name));
    const tools = Object.entries(asObject(tool)).flatMap(([name, table]) =>
      FREE_TOOLS.has(name) ? pickCommandParts(name, asObject(table)) : [[name, table]],
    );
    const write = (_key: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
    return JSON.stringify([guarded, tools], write);
  } catch {
    return text;
  }
}

function pickCommandParts(name: string, table: Record<string, unknown>): unknown[] {
  const parts = (COMMAND_PARTS[name] ?? []).filter((part) => Object.hasOwn(table, part));
  return parts.map((part) => [name, part, part === "envs" ? withoutPackages(asObject(table[part])) : table[part]]);
}

/** What an environment installs is as free as what the project does. */
function withoutPackages(environments: Record<string, unknown>): unknown[] {
  return Object.entries(environments).map(([name, environment]) => [
    name,
    Object.entries(asObject(environment)).filter(([key]) => !FREE_ENVIRONMENT_KEYS.has(key)),
  ]);
}

/** An indented header begins a section, or goes on with a value, as the lines before it say: it may guard, and never frees. */
function guardedSections(text: string): string {
  let isGuarded = true;
  return text
    .split(/\r?\n/)
    .filter((line) => {
      const isFree = FREE_SECTION.test(line.trim());
      if (line.trimStart().startsWith("[") && (!isFree || line.startsWith("["))) isGuarded = !isFree;
      return isGuarded && line.trim() !== "" && !/^[#;]/.test(line);
    })
    .join("\n");
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
