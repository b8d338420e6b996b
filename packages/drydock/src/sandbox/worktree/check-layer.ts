import { DrydockError, type Layer } from "@drydock/protocol";
import { findNode, type TreeDirectory } from "../layers/index.ts";
import { describePathProblem } from "./check-write.ts";

/**
 * A layer is data that was stored and read again. One that could lead anywhere but into the workspace, or that no run can
 * have left, is refused: an illegal path, a path twice, an entry below what is not a directory. `below` is the tree that it
 * belongs on, where that is at hand.
 */
export function checkLayer(layer: Pick<Layer, "entries">, below?: TreeDirectory): void {
  const types = new Map<string, "gone" | "directory" | "leaf">();
  for (const { path, kind, type } of layer.entries) {
    const problem = describePathProblem(path);
    if (problem) throw broken(path, problem);
    if (types.has(path)) throw broken(path, "is there twice");
    types.set(path, kind === "deleted" ? "gone" : type === "directory" ? "directory" : "leaf");
  }
  for (const [path, type] of types) {
    const cut = path.lastIndexOf("/");
    if (type === "gone" || cut < 0) continue;
    const parent = path.slice(0, cut);
    const known = types.get(parent) ?? nearest(types, parent);
    if (known !== undefined && known !== "directory") throw broken(path, "lies below what is not a directory");
    if (below && !types.has(parent) && findNode(below, parent)?.type !== "directory") {
      throw broken(path, "lies below what is not a directory");
    }
  }
}

function nearest<T>(types: ReadonlyMap<string, T>, path: string): T | undefined {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const known = types.get(path.slice(0, at));
    if (known !== undefined) return known;
  }
  return undefined;
}

function broken(path: string, problem: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `The layer can't be used: its path ${JSON.stringify(path.slice(0, 200))} ${problem}.`,
    "Layers are made by runs; make this one again.",
    { path: path.slice(0, 4096) },
  );
}
