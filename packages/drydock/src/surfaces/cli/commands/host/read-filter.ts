import { type BindingFilter, DrydockError, type NewBinding } from "@drydock/protocol";
import type * as z from "zod";
import { readObject } from "./read-object.ts";

type Filter = NonNullable<z.input<typeof NewBinding>["filters"]>[number];

const OPS = { "=": "is", "!=": "not", "^=": "prefix" } as const;

/** `FIELD=A,B`, `FIELD!=A,B`, `FIELD^=START`, `FIELD` for one that is there, `!FIELD` for one that is not; or a JSON object. */
export function readFilter(text: string): Filter {
  if (text.startsWith("{")) return readObject("--filter", text, EXAMPLE) as unknown as Filter;
  const [, not, field, sign, values] = /^(!?)([A-Za-z0-9_.-]+?)(?:([!^]?=)(.+))?$/s.exec(text) ?? [];
  if (field === undefined || (not && sign)) throw unreadable(text);
  if (!sign) return { field, op: not ? "missing" : "exists" };
  return { field, op: OPS[sign as keyof typeof OPS], values: (values ?? "").split(",") };
}

/** The same as one would type it. */
export function writeFilter({ field, op, values }: BindingFilter): string {
  if (op === "missing") return `!${field}`;
  if (op === "exists") return field;
  const sign = Object.keys(OPS).find((each) => OPS[each as keyof typeof OPS] === op);
  return `${field}${sign}${values.join(",")}`;
}

const EXAMPLE = '{"field": "input.text", "op": "prefix", "values": ["/a, b"]}';

function unreadable(text: string): DrydockError {
  const hint = "Write FIELD=VALUE, FIELD!=VALUE, FIELD^=BEGINNING, FIELD or !FIELD, such as input.text^=/ticket.";
  return new DrydockError("input.invalid", `--filter ${text} can't be read.`, hint);
}
