import { it } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { killAt, prepareHome } from "./testing/kill-host.ts";

const directory = useTemporaryDirectory();

it("a host that is killed after any step of a run leaves no run open, and no event unhandled", async () => {
  const commits = await prepareHome(directory);
  for (let commit = 1; commit <= commits; commit++) await killAt(directory, commit);
});
