/** One JSON-RPC message. ACP sends one a line. */
export interface Message {
  jsonrpc: "2.0";
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown> | null;
  error?: { code: number; message: string; data?: unknown };
}

export const isRequest = ({ id, method }: Message): boolean => method !== undefined && id !== undefined && id !== null;
export const isResponse = ({ id, method }: Message): boolean => method === undefined && id !== undefined;

/** Null for what is no message. */
export function parseMessage(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Message) : null;
  } catch {
    return null;
  }
}

const MAX_LINE_CHARS = 32 * 1024 * 1024;

/** Puts pieces of text together to lines. Throws for one that never ends. */
export function createLineReader(onLine: (line: string) => void): (text: string) => void {
  // What has come of a line is joined once: a long line in small pieces is not copied again with each of them.
  let held: string[] = [];
  let heldChars = 0;
  return (text) => {
    const lines = text.split("\n");
    const end = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = held.join("") + lines[0];
      held = [];
      heldChars = 0;
    }
    held.push(end);
    heldChars += end.length;
    if (heldChars > MAX_LINE_CHARS) throw new Error("a message is longer than 32 MB");
    for (const line of lines) if (line.trim() !== "") onLine(line);
  };
}
