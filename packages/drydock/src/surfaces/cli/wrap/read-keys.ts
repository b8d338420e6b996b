/** Ctrl-^, as with other programs that stand between a terminal and a program. */
export const ESCAPE_KEY = 0x1e;

export type WrapKey = "checkpoint" | "rewind" | "end" | "help";

const KEYS: Readonly<Record<string, WrapKey>> = { c: "checkpoint", r: "rewind", ".": "end", "?": "help" };

/**
 * What is typed, without the keys that are for Drydock. After the escape key, `c` makes a checkpoint, `r` rewinds, `.` ends the
 * program, `?` names the keys; a second escape key, or `^`, sends one to the program. Anything else is sent as it is.
 */
export function createKeyReader(onKey: (key: WrapKey) => void): (bytes: Buffer) => Buffer {
  let isEscaped = false;
  return (bytes) => {
    if (!isEscaped && !bytes.includes(ESCAPE_KEY)) return bytes;
    const kept: number[] = [];
    for (const byte of bytes) {
      if (!isEscaped && byte === ESCAPE_KEY) {
        isEscaped = true;
        continue;
      }
      if (!isEscaped) {
        kept.push(byte);
        continue;
      }
      isEscaped = false;
      const character = String.fromCharCode(byte);
      const key = KEYS[character];
      if (key !== undefined) onKey(key);
      else if (byte === ESCAPE_KEY || character === "^") kept.push(ESCAPE_KEY);
      else kept.push(ESCAPE_KEY, byte);
    }
    return Buffer.from(kept);
  };
}
