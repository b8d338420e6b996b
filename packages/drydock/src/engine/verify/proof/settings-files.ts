/**
 * Files that hold the settings of test runners beside much else. Only what can decide over a check is compared, so that a
 * new dependency or version is no tampering.
 */

/** Fields of package.json that nothing in a check depends on: what is installed is guarded where it lies. */
const FREE_FIELDS = new Set(
  [
    "dependencies devDependencies optionalDependencies peerDependencies peerDependenciesMeta version description",
    "keywords author contributors license repository homepage bugs funding files private publishConfig name bin",
    "engines types typings sideEffects main module browser exports type",
  ].flatMap((line) => line.split(" ")),
);
/** Sections of pyproject.toml by their headers, written in the usual way. */
const FREE_SECTIONS =
  /^\[\[?(project(\.[\w-]+)*|dependency-groups|tool\.(poetry|pdm|hatch|black|ruff|isort|mypy|pyright|setuptools|flit)(\.[\w-]+)*)\]\]?$/;

/** Whether two versions of a settings file are the same in all that can decide over a check. */
export function hasSameSettings(path: string, before: string, after: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return isSamePackage(before, after);
  if (name === "pyproject.toml") return guardedSections(before) === guardedSections(after);
  return before === after;
}

function isSamePackage(before: string, after: string): boolean {
  const [was, is] = [parseObject(before), parseObject(after)];
  if (!was || !is) return false;
  const names = new Set([...Object.keys(was), ...Object.keys(is)].filter((name) => !FREE_FIELDS.has(name)));
  names.delete("scripts");
  for (const name of names) if (JSON.stringify(was[name]) !== JSON.stringify(is[name])) return false;
  return hasSameScripts(was.scripts, is.scripts);
}

/** A new script is welcome unless it runs before or after one that there was. */
function hasSameScripts(before: unknown, after: unknown): boolean {
  const [was, is] = [asObject(before), asObject(after)];
  for (const name of Object.keys(was)) if (was[name] !== is[name]) return false;
  return Object.keys(is).every((name) => {
    const target = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    return Object.hasOwn(was, name) || target === undefined || !Object.hasOwn(was, target);
  });
}

function guardedSections(text: string): string {
  let isGuarded = true;
  return text
    .split(/\r?\n/)
    .filter((line) => {
      const trimmed = line.trim();
      if (trimmed.startsWith("[")) isGuarded = !FREE_SECTIONS.test(trimmed);
      return isGuarded && trimmed !== "" && !trimmed.startsWith("#");
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
