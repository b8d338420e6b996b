import { Script } from "node:vm";
import { expect, it } from "vitest";
import { answerDocs } from "./docs-page.ts";

it("the page's script is JavaScript that its own policy lets run", async () => {
  const answer = answerDocs();
  const page = await answer.text();
  const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
  expect(() => new Script(script)).not.toThrow();
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(script))).toString("base64");
  expect(answer.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
});
