import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLocalAgent } from "../runners/testing/open-local-agent.ts";

const { t, server, sent, newAgent } = await openLocalAgent();
const call = (name: string, args: object) => ({ toolCalls: [{ name, input: JSON.stringify(args) }] });

it("local-agent is told of its skills, activates one, works in its box, and knows the skill in the next run", async () => {
  const folder = join(t.home, "sources/greet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), "---\nname: greet\ndescription: Greets people.\n---\nSay ahoy to them.\n");
  await t.dock.skills.add(folder);
  const tools = ["exec", "write", "activate"];
  const { say } = await newAgent({ grants: { models: ["chat/small"], tools, skills: ["greet"] } });
  server.queue(
    call("activate", { name: "greet" }),
    call("write", { path: "names.txt", content: "Ann\n" }),
    call("exec", { code: "cat /opt/skills/greet/SKILL.md names.txt | tail -1" }),
    { text: "Ahoy, Ann." },
  );
  expect(await say("Greet her")).toMatchObject({ ok: true, text: "Ahoy, Ann." });
  expect(sent(0)).toContain("greet: Greets people.");
  expect(sent(0)).not.toContain("Say ahoy to them.");
  expect(sent(1)).toContain("Say ahoy to them.");
  expect(sent(3)).toContain("Ann");
  server.queue({ text: "Ahoy again." });
  await say("And again");
  expect(sent(-1)).toContain("The skill greet is active");
  expect(sent(-1)).toContain("Say ahoy to them.");
});
