import { DrydockError } from "@drydock/protocol";

const MAX_BYTES = 1024 * 1024;

/** A secret value: typed without echo, or from standard input without its last line break. */
export async function readSecret(name: string, input: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  if (input.isTTY) {
    const { isCancel, password } = await import("@clack/prompts");
    const typed = await password({ message: `Value of ${name}`, signal });
    if (!isCancel(typed)) return typed;
    throw new DrydockError("run.cancelled", "No value was given.", "Nothing was stored.");
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BYTES) {
      throw new DrydockError("input.invalid", `The value of ${name} is longer than 64 KB.`, "Nothing was stored.");
    }
    chunks.push(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, "");
  } catch {
    throw new DrydockError("input.invalid", `The value of ${name} is not valid UTF-8.`, "Nothing was stored.");
  }
}
