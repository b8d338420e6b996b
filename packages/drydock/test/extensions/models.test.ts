import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const study = describeExtension(
  "study",
  "{ tools: [echo] }",
  `      - name: say
        description: Says it.
        runner: exec.echo
        arguments: [{ name: text, required: true }]
        args: ["{{ text }}"]
      - name: analyze
        description: Says what a response is about.
        runner: analyze.response
`,
);
const test = openExtensionDock({ extensions: [study] });

it("asks the model of the caller's choice, on the run's own record", async () => {
  const script = join(test.directory, "answers.yaml");
  writeFileSync(script, 'answers: [{ when: { step: analyze }, text: "It says hello.", repeat: always }]\n');
  const context = { session: "asked", model: `scripted:${script}` };
  await test.output("/study say hello", context);
  const outcome = await test.call("/study analyze", context);
  expect(outcome).toMatchObject({ success: true, output: expect.stringContaining("It says hello.") });
  const events = await test.dock.runs.events(outcome.runId ?? "");
  expect(events.map(({ type }) => type)).toEqual([
    "run.created",
    "model.asked",
    "model.answered",
    "response.stored",
    "run.succeeded",
  ]);
  expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
});

it("does without a model where none is configured", async () => {
  const outcome = await test.call('/study say "{ \\"a\\": 1 }" | /study analyze', { session: "plain" });
  expect(outcome).toMatchObject({ success: true, output: expect.stringMatching(/json/i) });
});

it("says what is wrong with a model that can't be used", async () => {
  await test.output("/study say hello", { session: "broken" });
  const error = await test.error("/study analyze", { session: "broken", model: "scripted:/nowhere.yaml" });
  expect(error.code).toMatch(/^(?:input|model)\./);
});
