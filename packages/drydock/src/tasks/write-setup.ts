import { Buffer } from "node:buffer";
import { DrydockError } from "@drydock/protocol";

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

/** How much of a file one step writes: code has a maximum length, and base64 takes a third more. */
const PIECE_BYTES = 4 * 1024 * 1024;

interface FilePiece {
  name: string;
  bytes: Uint8Array;
  /** The first piece of a file replaces what is there. */
  isFirst: boolean;
}

/** Python that writes files into the work directory, for places that the host can't write to: one text for each step. */
export function writeFilesCode(files: readonly { name: string; bytes: Uint8Array }[]): string[] {
  const steps: FilePiece[][] = [[]];
  let room = PIECE_BYTES;
  for (const { name, bytes } of files) {
    for (let start = 0; start === 0 || start < bytes.length; ) {
      if (room === 0) {
        steps.push([]);
        room = PIECE_BYTES;
      }
      const piece = bytes.subarray(start, start + room);
      steps.at(-1)?.push({ name, bytes: piece, isFirst: start === 0 });
      room -= piece.length;
      start += Math.max(1, piece.length);
    }
  }
  return steps.filter((pieces) => pieces.length > 0).map(writePieces);
}

function writePieces(pieces: readonly FilePiece[]): string {
  const lines = pieces.map(({ name, bytes, isFirst }) => {
    return `_drydock_put(${quote(name)}, "${isFirst ? "wb" : "ab"}", "${Buffer.from(bytes).toString("base64")}")`;
  });
  return `import base64 as _drydock_base64, pathlib as _drydock_pathlib
def _drydock_put(name, mode, text):
    path = _drydock_pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open(mode) as file:
        file.write(_drydock_base64.b64decode(text))
${lines.join("\n")}
del _drydock_put, _drydock_base64, _drydock_pathlib
`;
}
