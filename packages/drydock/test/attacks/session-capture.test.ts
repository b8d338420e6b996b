import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createDock } from "drydock";
import { expect, it, onTestFinished } from "vitest";

const MB = 1024 * 1024;

/** Files that this process receives a run's large files into. */
const listReceiving = () =>
  readdirSync("/proc/self/fd").flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`);
      return path.includes("/spool-") ? [path] : [];
    } catch {
      return []; // closed meanwhile
    }
  });

it("a session that is closed while its files are fetched is cancelled, and leaves nothing of them", async () => {
  const place = mkdtempSync(join(tmpdir(), "drydock-capture-"));
  const dock = await createDock({ home: join(place, "home"), warm: 1 });
  onTestFinished(async () => {
    await dock.close();
    rmSync(place, { recursive: true, force: true });
  });
  const session = await dock.sessions.open({ policy: { limits: { diskMb: 256, memoryMb: 512 } } });
  let isOver = false;
  const step = session.exec(`open("large", "wb").write(b"x" * ${100 * MB})\nNone`).finally(() => {
    isOver = true;
  });
  let [receiving] = listReceiving();
  for (; receiving === undefined && !isOver; [receiving] = listReceiving()) await pause(1);
  await session.close();
  expect((await step).error?.code).toBe("run.cancelled");
  expect(listReceiving()).toEqual([]);
  expect(receiving).toBeDefined();
  expect(readdirSync(join(receiving ?? "", ".."))).toEqual([]);
});
