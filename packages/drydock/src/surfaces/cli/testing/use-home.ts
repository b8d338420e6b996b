import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** A home of its own for the tests of a file, as DRYDOCK_HOME; gives its path. */
export function useHome(): () => string {
  let home = "";
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "drydock-cli-"));
    process.env.DRYDOCK_HOME = home;
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  return () => home;
}
