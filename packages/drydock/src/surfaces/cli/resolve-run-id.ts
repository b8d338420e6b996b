import { DrydockError } from "@drydock/protocol";
import type { Runs } from "../../app/index.ts";

const PAGE = 1000;

/** The id of the one run whose id starts or ends with what was typed; `run_` may be left out. `last` is the newest run. */
export async function resolveRunId(runs: Pick<Runs, "get" | "list">, typed: string): Promise<string> {
  if (typed === "last") return (await runs.get(typed)).id;
  const prefix = typed.startsWith("run_") ? typed : `run_${typed}`;
  try {
    return (await runs.get(prefix)).id;
  } catch (error) {
    if (!(error instanceof DrydockError) || error.code !== "run.not_found") throw error;
    const found = await findByPart(runs, prefix, typed);
    const [only, other] = found;
    if (only !== undefined && other === undefined) return only;
    if (only === undefined) throw error;
    const hint = `Give more letters. It could be ${found.slice(0, 5).join(", ")}${found.length > 5 ? ", …" : ""}.`;
    throw new DrydockError("input.invalid", `More than one run's id starts or ends with ${typed}.`, hint, {
      runIds: found,
    });
  }
}

async function findByPart(runs: Pick<Runs, "list">, prefix: string, suffix: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await runs.list({ limit: PAGE, cursor });
    found.push(...page.runs.map(({ id }) => id).filter((id) => id.startsWith(prefix) || id.endsWith(suffix)));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined && found.length < PAGE);
  return found;
}
