/** A path of the tree, taken from a directory of it; "" is the tree itself. Null: it leads out of the tree. */
export function joinPath(directory: string, relative: string): string | null {
  const parts: string[] = [];
  for (const part of `${directory}/${relative}`.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
