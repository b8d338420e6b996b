import { realpathSync, statSync } from "node:fs";
import { DrydockError, describeFileError } from "@drydock/protocol";
import { isInside, realPathOf } from "../../base/paths/index.ts";

/**
 * The directory's real path: what is recorded holds wherever it is read, and a link that changes later changes nothing.
 * `own` are directories of Drydock's, which hold what other runs said and did.
 */
export function resolveWorkspace(path: string, own: readonly string[]): string {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) throw new Error("it is not a directory");
    const around = own.map(realPathOf).find((directory) => isInside(real, directory));
    if (around) throw new Error(`it lies in ${around}, which is Drydock's own`);
    return real;
  } catch (error) {
    throw new DrydockError(
      "input.invalid",
      `The directory ${path} can't be used: ${describeFileError(error)}.`,
      "Give the path of an existing directory with your files.",
      { workspace: path },
    );
  }
}

/** `hidden` and, where they lie below the workspace, Drydock's own directories; no path lies below another. */
export function hideDrydockDirectories(workspace: string, own: readonly string[], hidden: readonly string[]): string[] {
  const below = own
    .map(realPathOf)
    .filter((directory) => isInside(directory, workspace))
    .map((directory) => directory.slice(workspace === "/" ? 1 : workspace.length + 1))
    .filter((path) => !hidden.some((other) => isInside(path, other)));
  return [...hidden.filter((path) => !below.some((other) => isInside(path, other))), ...below];
}
