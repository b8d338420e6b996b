import { expect, it } from "vitest";
import { spoilCommand } from "./spoil-command.ts";

const noPython = () => Promise.resolve("[]");

it.each(["npm test -w packages/b", "node --test", "cargo test -- --test-threads 1", "pytest -q"])(
  "%s holds no expectation of its own",
  async (line) => {
    expect(await spoilCommand(line, noPython)).toBeNull();
  },
);

it("a comparison of the shell is made wrong", async () => {
  const spoilt = await spoilCommand('[ "$(node calc.js 2 3)" = 5 ]', noPython);
  expect(spoilt?.text).toMatch(/= [^5 ]+ \]$/);
});

it("code in single or double quotes is spoiled where it stands", async () => {
  const single = await spoilCommand("node -e 'const assert = require(\"assert\"); assert.equal(2 + 3, 5)'", noPython);
  expect(single?.text).toMatch(/^node -e 'const assert = require\("assert"\); assert\.equal\(2 \+ 3, [^5]\)'$/);
  const double = await spoilCommand("node -e \"const assert = require('assert'); assert.equal(2 + 3, 5)\"", noPython);
  expect(double?.text).toMatch(/^node -e "const assert = require\('assert'\); assert\.equal\(2 \+ 3, [^5]\)"$/);
});
