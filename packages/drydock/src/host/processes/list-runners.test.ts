import { DrydockError } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { Plugin } from "../plugins/plugin.ts";
import { listRunners } from "./list-runners.ts";
import type { Supervisor } from "./supervisor.ts";

const plugin = (id: string) => ({ id }) as Plugin;

it("asks plugins beside one that has to wait, and keeps their order", async () => {
  const slow = Promise.withResolvers<void>();
  const asked: string[] = [];
  const acquire = async ({ id }: Plugin) => {
    asked.push(id);
    if (id === "a/slow") await slow.promise;
    if (id === "a/broken") throw new DrydockError("runner.unavailable", "a/broken is broken.", "Mend it.");
    return { process: { runners: [id], warnings: [] }, release() {} };
  };
  const ids = ["a/slow", "a/broken", ...Array.from({ length: 8 }, (_, index) => `a/quick-${index}`)];
  const listed = listRunners(ids.map(plugin), { acquire: acquire as unknown as Supervisor["acquire"] });
  await expect.poll(() => asked.length).toBe(ids.length);
  slow.resolve();
  expect(await listed).toEqual({ runners: ids.filter((id) => id !== "a/broken"), warnings: ["a/broken is broken."] });
});
