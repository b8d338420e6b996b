import type { Dock } from "drydock";
import type { Stage } from "../stage.ts";

const LOOK = "result = (stock, open('log.txt').read().split())";

/** A session: a failed step leaves variables and files as they were, and any kept step can be returned to. */
export async function travelInTime(dock: Dock, stage: Stage): Promise<void> {
  stage.act("A session that goes back");
  const session = await dock.sessions.open();
  const rows = [["step", "code", "what came of it", "stock and log.txt afterwards"]];
  const state = async () => JSON.stringify((await session.exec(LOOK)).result);
  const step = async (code: string) => {
    const { ok, error, step: number } = await session.exec(code);
    const after = await state();
    rows.push([String(number), code, ok ? "ok" : (error?.code ?? ""), after]);
    return { ok, number, after };
  };
  try {
    const first = await step("stock = 10; open('log.txt', 'w').write('ten ')");
    const failed = await step("stock = 0; open('log.txt', 'w').write(''); 1 / stock");
    const second = await step("stock -= 3; open('log.txt', 'a').write('seven ')");
    await session.rollback(first.number);
    const returned = await state();
    rows.push(["", `rollback to step ${first.number}`, "ok", returned]);
    stage.table(rows);
    stage.check("the failed step left variables and files as they were", !failed.ok && failed.after === first.after);
    stage.check("rollback brought back both", second.after !== first.after && returned === first.after);
  } finally {
    await session.close();
  }
}
