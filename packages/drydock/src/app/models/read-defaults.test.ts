import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { readDefaults } from "./read-defaults.ts";

const home = useTemporaryDirectory();
const configure = (text: string) => writeFileSync(join(home, "config.yaml"), text);

test("the environment wins over config.yaml, which wins over Drydock's own defaults", async () => {
  expect(await readDefaults(home, {})).toEqual({ staleSeconds: 3600, staleAutoReset: false, workspace: null });
  configure("goals: { staleSeconds: 60, staleAutoReset: true }\n");
  expect(await readDefaults(home, {})).toMatchObject({ staleSeconds: 60, staleAutoReset: true });
  const environment = { DRYDOCK_STALE_SECONDS: "0", DRYDOCK_STALE_AUTO_RESET: "false" };
  expect(await readDefaults(home, environment)).toMatchObject({ staleSeconds: 0, staleAutoReset: false });
});

test.each([
  [{ DRYDOCK_STALE_SECONDS: "an hour" }, "DRYDOCK_STALE_SECONDS"],
  [{ DRYDOCK_STALE_SECONDS: "-1" }, "DRYDOCK_STALE_SECONDS"],
  [{ DRYDOCK_STALE_AUTO_RESET: "maybe" }, "DRYDOCK_STALE_AUTO_RESET"],
])("a value that means nothing is refused by its name: %o", async (environment, name) => {
  await expect(readDefaults(home, environment)).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining(name),
  });
});

test("a key that is misspelt is refused with file, line and the key that was meant", async () => {
  configure("goals:\n  staleSecond: 60\n");
  await expect(readDefaults(home, {})).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(/config\.yaml:2:3: goals\.staleSecond: unknown key/),
    hint: expect.stringContaining("Did you mean staleSeconds?"),
  });
});
