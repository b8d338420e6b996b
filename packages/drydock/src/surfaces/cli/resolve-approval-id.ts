import { DrydockError } from "@drydock/protocol";
import type { Dock } from "../../app/index.ts";

/** The id of the one approval whose id starts with what was typed; `apr_` may be left out. Those that wait come first. */
export async function resolveApprovalId(approvals: Dock["extensions"]["approvals"], typed: string): Promise<string> {
  const prefix = typed.startsWith("apr_") ? typed : `apr_${typed}`;
  for (const status of ["pending", undefined] as const) {
    const found = (await approvals.list({ status })).filter(({ id }) => id.startsWith(prefix));
    const [only, other] = found;
    if (only && !other) return only.id;
    if (!other) continue;
    const ids = found.map(({ id }) => id);
    const hint = `Give more letters. It could be ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}.`;
    throw new DrydockError("input.invalid", `More than one approval's id starts with ${prefix}.`, hint, {
      approvalIds: ids.slice(0, 50),
    });
  }
  return (await approvals.get(prefix)).id;
}
