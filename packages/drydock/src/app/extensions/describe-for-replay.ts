import { hash } from "node:crypto";
import type { InputResponse } from "../../extensions/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { toKeptText } from "../runs/record/kept-content.ts";
import type { PreparedCall, RoutedCall } from "./prepare-call.ts";
import { isShortened } from "./record-call.ts";

/** Larger input is used, and not kept. */
const MAX_KEPT_CHARS = 16 * 1024 * 1024;

/** What a replay needs of a call beyond what its record shows: the fields of the record, and the contents that they name. */
interface KeptForReplay {
  fields: Record<string, unknown>;
  contents: Buffer[];
}

/** The extension by its hash, values that are too long for the record, and the response that it works on. No secrets. */
export function describeForReplay(
  ledger: Pick<Ledger, "redact">,
  { values }: RoutedCall,
  prepared: PreparedCall | null,
  input: InputResponse | null,
): KeptForReplay {
  const contents: Buffer[] = [];
  const keep = (value: unknown) => {
    const text = JSON.stringify(value);
    const content = text.length <= MAX_KEPT_CHARS ? toKeptText(ledger, text) : null;
    if (content) contents.push(content);
    return content && hash("sha256", content);
  };
  const fields = {
    ...(prepared && { hash: prepared.record.hash }),
    ...(isShortened(values) && { valuesSha256: keep(values) }),
    ...(input && { inputSha256: keep(input) }),
  };
  return { fields, contents };
}
