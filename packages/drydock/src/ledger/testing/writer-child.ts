/*
 * A process of its own that writes to a ledger: `writer-child.ts HOME MODE [COUNT [ADDRESS]]`. It prints a line for each thing
 * that the ledger has acknowledged.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openLedger, readOwner } from "../index.ts";
import { NO_SECRETS } from "./open-test-ledger.ts";

const [home = "", mode = "", argument = "", databaseUrl = ""] = process.argv.slice(2);
const ledger = await openLedger({ home, databaseUrl, redactor: NO_SECRETS, owner: readOwner() });

function acknowledge(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

async function createOne(title: string): Promise<string> {
  const { id } = await ledger.createRun({ kind: "exec", title, data: {} });
  acknowledge({ created: id });
  return id;
}

switch (mode) {
  case "runs":
    for (let i = 0; i < Number(argument); i++) {
      const id = await createOne(`run ${i}`);
      await ledger.finish(id, { type: "run.succeeded", data: { i } });
      acknowledge({ ended: id });
    }
    break;
  case "append":
    for (let i = 0; i < 50; i++) {
      const [event] = await ledger.append(argument, [{ type: "output.recorded", data: { pid: process.pid, i } }]);
      acknowledge({ runId: argument, seq: event?.seq });
    }
    break;
  case "forever":
    for (;;) {
      const id = await createOne("to be killed");
      for (let i = 0; i < 5; i++) {
        const [event] = await ledger.append(id, [{ type: "output.recorded", data: { i } }]);
        acknowledge({ runId: id, seq: event?.seq });
      }
      await ledger.finish(id, { type: "run.succeeded", data: {} });
      acknowledge({ ended: id });
    }
  case "cut":
    for (;;) {
      const { removedRuns } = await ledger.cut({ before: new Date(), runsAtOnce: 2 });
      await ledger.artifacts.expire(new Date());
      acknowledge({ removedRuns });
    }
  case "audit":
    for (;;) {
      const { ok, first } = await ledger.verify();
      acknowledge({ holds: ok, first });
    }
  case "rotate":
    for (;;) {
      const { id: keyId } = await ledger.keys.rotate();
      await ledger.signHead();
      acknowledge({ keyId });
      await sleep(10);
    }
  case "hold":
    await createOne("held");
    setInterval(() => {}, 1000);
    break;
}
if (mode !== "hold") await ledger.close();
