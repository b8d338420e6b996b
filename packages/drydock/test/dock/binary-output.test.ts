import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const TOKEN = ["ghp_0123456789abcdefghij", "ABCDEFGHIJ012345"];

it("a byte that is no text does not carry a secret past the redaction into the artifact", async () => {
  const code = `import sys\nsys.stdout.buffer.write(b"\\xff\\x00" + b"${TOKEN[0]}" + b"${TOKEN[1]}" + b"\\xfe")`;
  const { artifacts } = await test.python(code);
  expect(artifacts).toMatchObject([{ name: "stdout.bin" }]);
  const bytes = Buffer.from(await test.dock.runs.readArtifact(artifacts[0]?.id ?? ""));
  expect(bytes.toString("latin1")).toBe("\u00ff\u0000[redacted:github-token]\u00fe");
});
