import type { BindingFilter } from "@drydock/protocol";

const OPS = { "=": "is", "!=": "not", "^=": "prefix" } as const;
type Sign = keyof typeof OPS;

/** A filter as one types it: `input.text^=/ticket`, `data.kind=bug,task`, `data.kind`, `!data.kind`. Null for what is none. */
export function readFilter(text: string): BindingFilter | null {
  const [, not, field, sign, values] = /^(!?)([A-Za-z0-9_.-]+?)(?:([!^]?=)(.+))?$/s.exec(text.trim()) ?? [];
  if (field === undefined || (not && sign)) return null;
  if (!sign) return { field, op: not ? "missing" : "exists", values: [] };
  return { field, op: OPS[sign as Sign], values: (values ?? "").split(",") };
}

export function writeFilter({ field, op, values }: BindingFilter): string {
  if (op === "missing") return `!${field}`;
  if (op === "exists") return field;
  const sign = (Object.keys(OPS) as Sign[]).find((each) => OPS[each] === op);
  return `${field}${sign}${values.join(",")}`;
}
