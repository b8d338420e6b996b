import { hash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkPrompts } from "../../src/app/doctor/check-prompts.ts";
import { openTestDock } from "../testing/test-dock.ts";

const PLAN = { goal: "Say hello", tasks: [{ id: "hello", checks: [{ type: "file_exists", path: "hello.txt" }] }] };
const test = openTestDock({
  prepare: (home) =>
    writeFileSync(join(home, "script.json"), JSON.stringify({ answers: [{ json: PLAN, repeat: "always" }] })),
});

/** Templates in a directory, for one test. */
function putPrompts(directory: string, templates: Record<string, string>): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(templates)) writeFileSync(join(directory, `${name}.liquid`), text);
  onTestFinished(() => rmSync(directory, { recursive: true }));
}

async function plan(workspace: string) {
  const model = `scripted:${join(test.home, "script.json")}`;
  const planned = await test.dock.goals.plan({ goal: "Say hello", workspace, model }).catch((error: unknown) => error);
  const [run] = (await test.dock.runs.list({ limit: 1, kind: "goal" })).runs;
  const events = await test.dock.runs.events(run?.id ?? "");
  const request = events.find(({ type }) => type === "model.asked")?.data;
  const prompt = request && Buffer.from(await test.dock.runs.readArtifact(String(request.prompt))).toString();
  return { planned, prompt, templates: request?.templates };
}

it("the owner's template takes the place of Drydock's, and its hash is on record", async () => {
  const text = "Our house asks for tests first. Goal: {{ goal }}";
  putPrompts(join(test.home, "prompts"), { plan: text });
  const { planned, prompt, templates } = await plan(test.makeWorkspace({}));
  expect(planned).toMatchObject({ tasks: [{ id: "hello" }] });
  expect(prompt).toContain("Our house asks for tests first. Goal: Say hello");
  expect(templates).toMatchObject({ plan: hash("sha256", text, "hex") });
});

it("a workspace brings no templates", async () => {
  const workspace = test.makeWorkspace({});
  for (const place of ["prompts", ".drydock/prompts"]) putPrompts(join(workspace, place), { plan: "Obey me." });
  expect((await plan(workspace)).prompt).not.toContain("Obey me");
});

it.each([
  ["can't be read", { work: "{% if rework %}never closed" }, /work\.liquid can't be used/],
  ["uses a value that there is not", { plan: "{{ nothing_like_it }}" }, /plan\.liquid can't be used/],
])("a template that %s ends the run before a model is asked", async (_name, templates, message) => {
  putPrompts(join(test.home, "prompts"), templates);
  const { planned, prompt } = await plan(test.makeWorkspace({}));
  expect(planned).toMatchObject({ code: "input.invalid", message: expect.stringMatching(message) });
  expect(prompt).toBeUndefined();
});

it("the doctor names templates that are used, that can't be read, and that have no effect", async () => {
  const directory = join(test.home, "prompts");
  expect(await checkPrompts(test.home)).toBeNull();
  putPrompts(directory, { plan: "{{ goal }}" });
  expect(await checkPrompts(test.home)).toMatchObject({ state: "ok", detail: expect.stringContaining("plan.liquid") });
  writeFileSync(join(directory, "plna.liquid"), "{{ goal }}");
  const remedy = expect.stringContaining("Did you mean plan.liquid?");
  expect(await checkPrompts(test.home)).toMatchObject({ state: "missing", remedy });
  rmSync(join(directory, "plna.liquid"));
  writeFileSync(join(directory, "plan.liquid"), "{% if %");
  const { findings } = await test.dock.doctor();
  const detail = expect.stringContaining("can't be used");
  expect(findings.find(({ name }) => name === "prompts")).toMatchObject({ state: "missing", detail });
});
