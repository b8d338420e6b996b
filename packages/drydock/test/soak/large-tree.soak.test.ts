import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const DIRECTORIES = 200;
const FILES_IN_EACH = 100;
const FILE_BYTES = 52_000;
/** Entries that are looked at between two reports. */
const BETWEEN_REPORTS = 256;

const place = mkdtempSync(join(tmpdir(), "drydock-large-tree-"));
const workspace = join(place, "work");

beforeAll(() => {
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    mkdirSync(join(workspace, `${directory}`), { recursive: true });
    for (let file = 0; file < FILES_IN_EACH; file++)
      writeFileSync(join(workspace, `${directory}`, `${file}`), Buffer.alloc(FILE_BYTES, `${directory} ${file} `));
  }
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("a tree of 1 GB and 20,000 files", () => {
  it.each(["exec", "session", "verify"] as const)("stops being read at a signal: %s", async (way) => {
    const dock = await createDock({ home: mkdtempSync(join(place, "home-")), warm: 1 });
    try {
      const controller = new AbortController();
      let readLater = 0;
      let stoppedAt = 0;
      const onReading = ({ scanned }: { scanned: number }) => {
        if (stoppedAt > 0) readLater = scanned - stoppedAt;
        else if (scanned > 1000) {
          stoppedAt = scanned;
          controller.abort();
        }
      };
      const watched = { workspace, signal: controller.signal, onReading };
      const ways = {
        exec: async () => (await dock.exec({ code: "1", ...watched })).error?.code,
        session: () =>
          dock.sessions.open(watched).then(
            () => "opened",
            (error) => error.code,
          ),
        verify: () =>
          dock.verify({ checks: ["true"], ...watched }).then(
            () => "judged",
            (error) => error.code,
          ),
      };
      expect(await ways[way]()).toBe("run.cancelled");
      expect(stoppedAt).toBeGreaterThan(0);
      expect(readLater).toBeLessThanOrEqual(2 * BETWEEN_REPORTS);
      expect(dock.sessions.list()).toEqual([]);
    } finally {
      await dock.close();
    }
  });

  it("is read to its end, and told on the way", async () => {
    const dock = await createDock({ home: mkdtempSync(join(place, "home-")), warm: 1 });
    try {
      let reports = 0;
      const onReading = () => void reports++;
      const { ok } = await dock.exec({ code: "1", workspace, onReading, policy: { limits: { wallSeconds: 600 } } });
      expect({ ok, isTold: reports > 50 }).toEqual({ ok: true, isTold: true });
    } finally {
      await dock.close();
    }
  }, 600_000);
});
