import type { WorkspaceScan } from "./scan-workspace.ts";

const MAX_DIRECTORIES = 16;
const PLAIN_NAME = /^[\w@.+-]{1,60}$/;
const NOTABLE = /^(readme|contributing|agents|architecture|changelog|license)(\.\w+)?$/i;

/** The directories at the top with what they hold, and where the tests are. Names that could pass for prose are left out. */
export function describeLayout({ paths, truncated }: WorkspaceScan): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [top = "", ...below] = path.split("/");
    if (below.length > 0 && PLAIN_NAME.test(top)) counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  const directories = [...counts].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
  const lines = directories
    .slice(0, MAX_DIRECTORIES)
    .map(([name, files]) => `${name}/: ${files} ${files === 1 ? "file" : "files"}`);
  const more = directories.length - MAX_DIRECTORIES;
  if (more > 0) lines.push(`${more} more directories`);
  const notable = paths.filter((path) => NOTABLE.test(path) && PLAIN_NAME.test(path));
  if (notable.length > 0) lines.push(`at the top: ${notable.slice(0, 8).join(", ")}`);
  const tests = new Set(
    paths.filter((path) => /(^|\/)(test_[^/]+\.py|[^/]+_test\.(py|go)|[^/]+\.(test|spec)\.\w+)$/.test(path)).map(topOf),
  );
  const places = [...tests].filter((name) => PLAIN_NAME.test(name)).slice(0, 6);
  if (places.length > 0) lines.push(`tests are in: ${places.join(", ")}`);
  if (truncated) lines.push("there is more than was looked at");
  return lines;
}

function topOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : path;
}
