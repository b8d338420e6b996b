import { expect, it } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { killAt, prepareHome } from "./testing/kill-host.ts";

const directory = useTemporaryDirectory();

it("a host that is killed leaves no run open, and no event unhandled", async () => {
  const commits = await prepareHome(directory);
  expect(commits).toBeGreaterThan(5);
  // Before the run is on record, in the middle of it, and at its end; the soak has every step.
  for (const commit of [1, Math.ceil(commits / 2), commits]) await killAt(directory, commit);
});
