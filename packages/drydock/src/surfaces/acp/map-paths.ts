import { relative, sep } from "node:path";

/** The workspace as it is called inside. */
const INSIDE = "/work";
/** Members of messages that hold a path, or an address of a file. What people and models write is left alone. */
const OF_PATHS = new Set(["path", "cwd", "uri", "additionalDirectories"]);

export interface PathMap {
  /** Null: it lies outside of the workspace. */
  inward(path: string): string | null;
  /** A message of the editor, as the agent has to read it. */
  toAgent(value: unknown): unknown;
  /** A message of the agent, as the editor has to read it. */
  toEditor(value: unknown): unknown;
}

/** Paths in messages mean the editor's machine on the one side, and the sandbox on the other. */
export function createPathMap(workspace: string): PathMap {
  const inward = (path: string) => {
    const way = relative(workspace, path);
    if (way === ".." || way.startsWith(`..${sep}`)) return null;
    return way === "" ? INSIDE : `${INSIDE}/${way}`;
  };
  const outward = (path: string) => {
    if (path === INSIDE) return workspace;
    return path.startsWith(`${INSIDE}/`) ? `${workspace}${path.slice(INSIDE.length)}` : null;
  };
  return {
    inward,
    toAgent: (value) => mapPaths(value, (path) => (path.startsWith("/") ? inward(path) : null)),
    toEditor: (value) => mapPaths(value, outward),
  };
}

function mapPaths(value: unknown, map: (path: string) => string | null, isPath = false): unknown {
  if (typeof value === "string") return isPath ? mapOne(value, map) : value;
  if (Array.isArray(value)) return value.map((each) => mapPaths(each, map, isPath));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapPaths(each, map, OF_PATHS.has(key))]));
}

function mapOne(text: string, map: (path: string) => string | null): string {
  const scheme = /^file:\/\//.exec(text)?.[0] ?? "";
  const mapped = map(text.slice(scheme.length));
  return mapped === null ? text : `${scheme}${mapped}`;
}
