import { Buffer } from "node:buffer";
import { posix } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { AttachedFile } from "./task-options.ts";

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Python that makes the variables there; JSON text in a string literal, so that no value can be anything but a value. */
export function writeVariables(variables: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    if (!NAME.test(name) || KEYWORDS.has(name) || name.startsWith("__")) {
      const hint = "Use letters, digits and _, and no Python keyword.";
      throw new DrydockError(
        "input.invalid",
        `context.variables: ${JSON.stringify(name)} is not a valid variable name.`,
        hint,
      );
    }
    const json = JSON.stringify(value ?? null);
    if (json === undefined) {
      const hint = "Values are what JSON can hold: numbers, text, lists, objects, true, false, null.";
      throw new DrydockError("input.invalid", `context.variables.${name}: the value is not JSON.`, hint);
    }
    // JSON text, quoted once more as JSON, is a literal of Python as well.
    return `${name} = _drydock_json.loads(${quote(json)})`;
  });
  return `import json as _drydock_json\n${lines.join("\n")}\ndel _drydock_json\n`;
}

function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replaceAll("\u007f", "\\u007f");
}

/** Python that writes files into the work directory, for places that the host can't write to. */
export function writeFilesCode(files: readonly { name: string; bytes: Uint8Array }[]): string {
  const lines = files.map(({ name, bytes }) => {
    return `_drydock_put(${quote(name)}, "${Buffer.from(bytes).toString("base64")}")`;
  });
  return `import base64 as _drydock_base64, pathlib as _drydock_pathlib
def _drydock_put(name, text):
    path = _drydock_pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_drydock_base64.b64decode(text))
${lines.join("\n")}
del _drydock_put, _drydock_base64, _drydock_pathlib
`;
}

/** Attachments as bytes under paths that stay within the work directory. */
export function readAttachments(
  files: readonly AttachedFile[],
  maxBytes: number,
): { name: string; bytes: Uint8Array }[] {
  const seen = new Set<string>();
  let total = 0;
  return files.map(({ name, content, encoding = "utf8" }) => {
    const path = posix.normalize(name);
    if (
      name === "" ||
      name.includes("\0") ||
      posix.isAbsolute(path) ||
      path.startsWith("..") ||
      path === "." ||
      path.endsWith("/")
    ) {
      const hint = "Give a path within the work directory, such as data.csv or input/data.csv.";
      throw new DrydockError("input.invalid", `The attachment's name ${JSON.stringify(name)} can't be used.`, hint);
    }
    if (seen.has(path)) {
      throw new DrydockError("input.invalid", `There are two attachments ${path}.`, "Give each its own name.");
    }
    seen.add(path);
    const bytes = typeof content === "string" ? Buffer.from(content, encoding) : content;
    total += bytes.length;
    if (total > maxBytes) {
      const hint = `Together they may have ${Math.floor(maxBytes / 1024 / 1024)} MB here. Put larger files into a directory, and name it as workspace.`;
      throw new DrydockError("input.invalid", `The attachments are too large (${path}).`, hint);
    }
    return { name: path, bytes };
  });
}
