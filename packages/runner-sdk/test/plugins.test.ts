import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOST_GRANTS, HOST_METHODS, PluginManifest, RESULT_PAYLOADS, RUNNER_LIMITS } from "@drydock/protocol/runner";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const home = join(import.meta.dirname, "..");
const root = join(home, "..", "..");
const python = (code: string) => {
  const env = { ...process.env, PYTHONPATH: [join(home, "python"), join(root, "runners/echo-python")].join(":") };
  return JSON.parse(execFileSync("python3", ["-B", "-c", `import json\n${code}`], { env, encoding: "utf8" }));
};

describe("plugins of this repository", () => {
  const files = globSync(["runners/*/plugin.yaml", "packages/runner-sdk/testing/*/plugin.yaml"], { cwd: root });

  it.each(files)("has a valid manifest: %s", (path) => {
    expect(() => PluginManifest.parse(parse(readFileSync(join(root, path), "utf8")))).not.toThrow();
    expect(files.length).toBeGreaterThanOrEqual(4);
  });

  it("misbehave in the same ways in both languages", () => {
    const list = (program: string, path: string) =>
      JSON.parse(execFileSync(program, [join(home, "testing", path), "--list"], { encoding: "utf8" })) as string[];
    const names = list(process.execPath, "behaviours/main.ts");
    expect(names.length).toBeGreaterThan(30);
    expect(list("python3", "behaviours-python/main.py")).toEqual(names);
  });
});

describe("the SDK in Python", () => {
  it("has the calls, needs, results and limits of the protocol", () => {
    const facts = python(`
from drydock_runner import HOST_METHODS
from drydock_runner.grants import HOST_GRANTS, RESULT_KEYS
from drydock_runner.host_api import LINE_BYTES
from drydock_runner.serve import HOST_LINE_BYTES
print(json.dumps([HOST_METHODS, HOST_GRANTS, sorted(RESULT_KEYS), LINE_BYTES, HOST_LINE_BYTES]))`);
    expect(facts).toEqual([
      ...[HOST_METHODS, HOST_GRANTS, Object.keys(RESULT_PAYLOADS).sort()],
      ...[RUNNER_LIMITS.lineBytes, RUNNER_LIMITS.hostLineBytes],
    ]);
  });

  it("tests a runner without a host, and refuses what is not granted", () => {
    const run = python(`
from drydock_runner import ApiError, message, runner, set_state
from drydock_runner.testing import test_runner
from echo_runner import echo

@runner({"name": "asks", "label": "Asks", "permissions": {"models": ["invoke"]}})
def asks(ctx, api):
    yield set_state("actor", "k", api.state_get(scope="actor", key="k")["value"] + 1)
    for model_id in ("granted", "other"):
        try:
            yield message(api.invoke_llm(model_id=model_id, messages=[])["message"])
        except ApiError as error:
            yield message(error.code)
    yield {"type": "dance"}

answers = {"invoke_llm": lambda params: {"message": {"role": "assistant", "content": params["model_id"]}, "usage": None}}
run = test_runner(asks, state={"actor": {"k": 1}}, resources={"models": [{"model_id": "granted"}]}, api=answers)
print(json.dumps([test_runner(echo, input="a b").text, run.text, run.state["actor"], run.end["type"], run.warnings]))`);
    expect(run).toEqual([
      ...["a b", "granted\nunauthorized", { k: 2 }, "run.completed"],
      [expect.stringContaining("lack 'other' in `models`"), "A result of the unknown type dance is ignored."],
    ]);
  });
});
