import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createRedactor } from "../../../ledger/index.ts";
import { createDock } from "../../create-dock.ts";
import { createSecrets } from "./create-secrets.ts";
import { registerSecrets } from "./secrets-file.ts";

function open() {
  const home = mkdtempSync(join(tmpdir(), "drydock-secrets-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const redactor = createRedactor({ environment: {}, allowedNames: () => true });
  return { home, redactor, file: join(home, "secrets.json"), secrets: createSecrets({ home, redactor }) };
}

test("a secret is set, listed by its name, read and removed; the file is its owner's alone", async () => {
  const { secrets, file } = open();
  expect(await secrets.list()).toEqual([]);
  await secrets.set("GITHUB_TOKEN", "first-value");
  await secrets.set("GITHUB_TOKEN", "second-value");
  await secrets.set("A", "another");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await secrets.list()).toEqual(["A", "GITHUB_TOKEN"]);
  expect(await secrets.read("GITHUB_TOKEN")).toBe("second-value");
  expect(await secrets.remove("GITHUB_TOKEN")).toBe(true);
  expect(await secrets.remove("GITHUB_TOKEN")).toBe(false);
  expect(await secrets.read("GITHUB_TOKEN")).toBeNull();
  expect(readFileSync(file, "utf8")).not.toContain("second-value");
});

test("many that set at once lose nothing, and leave nothing behind", async () => {
  const { home, redactor } = open();
  const names = Array.from({ length: 8 }, (_, i) => `NAME_${i}`);
  await Promise.all(names.map((name) => createSecrets({ home, redactor }).set(name, `value of ${name}`)));
  expect(await createSecrets({ home, redactor }).list()).toEqual(names);
  expect(readdirSync(home).toSorted()).toEqual(["secrets.json", "secrets.json.lock"]);
});

test.each([
  ["a short value", "NAME", "12345", /less than 6 characters/],
  ["blanks", "NAME", "         ", /nothing but blanks/],
  ["a NUL", "NAME", "123456\0", /NUL/],
  ["half a character", "NAME", "123456\uD800", /not valid text/],
  ["a value that is too long", "NAME", "x".repeat(65_537), /64 KB/],
  ["a name with a value in it", "NAME=value", "123456", /not a name/],
  ["a name that JavaScript has taken", "__proto__", "123456", /not a name/],
])("refused: %s", async (_name, name, value, message) => {
  const { secrets, file } = open();
  const error = await secrets.set(name, value).catch((caught) => caught);
  expect(error).toMatchObject({ code: "input.invalid", message: expect.stringMatching(message) });
  if (value.trim() !== "") expect(JSON.stringify(error.toInfo())).not.toContain(value);
  expect(() => statSync(file)).toThrow();
});

test.each([0o644, 0o640, 0o604, 0o620, 0o602])("a file with mode %o is not used", async (mode) => {
  const { secrets, file, redactor, home } = open();
  await secrets.set("NAME", "the-secret-value");
  chmodSync(file, mode);
  const acts = [
    () => secrets.read("NAME"),
    () => secrets.list(),
    () => secrets.set("OTHER", "a-value"),
    () => secrets.remove("NAME"),
  ];
  for (const act of acts) {
    await expect(act()).rejects.toMatchObject({
      code: "policy.path_denied",
      hint: expect.stringContaining(`chmod 600 ${file}`),
    });
  }
  // What others could read is kept out of the records all the more.
  registerSecrets(home, redactor);
  expect(redactor.text("the-secret-value")).toBe("[redacted:NAME]");
});

test("a link in the file's place is not followed", async () => {
  const { secrets, file, home } = open();
  const elsewhere = join(home, "elsewhere.json");
  writeFileSync(elsewhere, '{"version":1,"secrets":{"NAME":"the-secret-value"}}', { mode: 0o600 });
  symlinkSync(elsewhere, file);
  await expect(secrets.read("NAME")).rejects.toThrow(/symbolic link/);
});

test.each([
  '{"secrets":{"NAME":"the-secret-value"',
  '{"NAME":"the-secret-value"}',
  '{"secrets":{"N":["the-secret-value"]}}',
])("a file that can't be read as names and values is refused without quoting it: %s", async (text) => {
  const { secrets, file } = open();
  writeFileSync(file, text, { mode: 0o600 });
  const error = await secrets.list().catch((caught) => caught);
  expect(error).toMatchObject({ code: "policy.path_denied", message: expect.stringContaining(file) });
  expect(JSON.stringify([error.toInfo(), String(error.cause), error.stack])).not.toContain("the-secret");
});

const PRINTS_IT = `
import sys, os, base64, json
halves = sys.stdin.read().split()
sys.stdout.write(halves[0]); sys.stdout.flush()
import time; time.sleep(0.05)
sys.stdout.write(halves[1] + "\\n"); sys.stdout.flush()
value = "".join(halves)
print(base64.b64encode(("user:" + value).encode()).decode())
print(value, file=sys.stderr)
open("out.txt", "w").write("kept " + value)
print(json.dumps(dict(os.environ)))
raise ValueError(value)
`;

/** Everything that a home holds, but the file that secrets belong in. */
function readHome(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "secrets.json")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test("of a secret that lies over the end of what an event holds, no half is left", async () => {
  const { home, secrets } = open();
  await secrets.set("API_KEY_X", "opaque-9f3c-77aa-value");
  const dock = await createDock({ home, warm: 0 });
  onTestFinished(() => dock.close());
  const result = await dock.exec({
    ...{ language: "python", code: "import sys; print('x' * (65536 - 10) + sys.stdin.read() + 'y' * 1000)" },
    stdin: "opaque-9f3c-77aa-value",
  });
  expect(result.stdout).toContain("opaque-9f3c-77aa-value");
  const output = (await dock.runs.events(result.runId)).find(({ type }) => type === "output.recorded");
  expect(String(output?.data.stdout)).toHaveLength(65536);
  expect(String(output?.data.stdout).slice(-20)).toBe("xxxxxxxxxx[redacted:");
});

test.each(["before the dock is opened", "while it is open", "by another process, and read in this one"])(
  "a secret set %s is in no event, no error and no artifact, whole or encoded, and in no child's environment",
  async (when) => {
    const { home, secrets } = open();
    const [first, second] = ["opaque-9f3c", "77aa-value"];
    const value = first + second;
    if (when.startsWith("before")) await secrets.set("API_KEY_X", value);
    const dock = await createDock({ home, warm: 0 });
    onTestFinished(() => dock.close());
    if (when.startsWith("while")) await dock.extensions.secrets.set("API_KEY_X", value);
    if (when.startsWith("by another")) {
      await secrets.set("API_KEY_X", value);
      await dock.extensions.secrets.list();
    }
    const result = await dock.exec({ language: "python", code: PRINTS_IT, stdin: `${first} ${second}` });
    expect(result.error?.code).toBe("code.exception");
    const environment = JSON.parse(result.stdout.trim().split("\n").at(-1) ?? "");
    expect(Object.keys(environment)).not.toContain("API_KEY_X");
    expect(Object.values(environment)).not.toContain(value);
    const events = JSON.stringify(await dock.runs.events(result.runId));
    expect(events).toContain("[redacted:API_KEY_X]");
    const encoded = Buffer.from(`user:${value}`).toString("base64");
    for (const text of [value, encoded]) expect(events).not.toContain(text);
    for (const { id } of await dock.runs.artifacts(result.runId)) {
      expect(Buffer.from(await dock.runs.readArtifact(id)).toString()).not.toContain(value);
    }
    await dock.close();
    // Files that code wrote are delivered as they are, and so they are kept as they are.
    const ledger = readHome(home).replaceAll(`kept ${value}`, "");
    expect(ledger).not.toContain(value);
    expect(ledger).not.toContain(encoded.slice(8, -4));
  },
);
