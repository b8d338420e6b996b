import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "../host/testing/open-caller.ts";

let caller: Caller;
let place: string;
let count = 0;

beforeAll(async () => {
  caller = await openCaller();
  place = mkdtempSync(join(tmpdir(), "drydock-skills-"));
});
beforeEach(() => settings(""));
afterAll(async () => {
  await caller.close();
  rmSync(place, { recursive: true, force: true });
});

const settings = (text: string) => writeFileSync(join(caller.home, "config.yaml"), `version: 1\n${text}`);

/** A folder of a skill with a new name. */
function writeSkill(files: Record<string, string> = {}, { name = `skill-${count++}`, under = place } = {}) {
  const directory = join(under, name);
  const own = `---\nname: ${name}\ndescription: Says hello.\nversion: 1.2\n---\nRun hello.sh in the folder.\n`;
  for (const [path, text] of Object.entries({ "SKILL.md": own, "hello.sh": "echo hello from a skill\n", ...files })) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return { name, directory };
}

async function addSkill(): Promise<string> {
  const { name, directory } = writeSkill();
  await caller.dock.skills.add(directory);
  return name;
}

const tools = ["exec", "write", "activate", "register_skill"];
const newAgent = (skills: string[], box = {}) =>
  caller.addAgent({ grants: { tools, skills }, box: { scope: "{conversation}", ...box } });

async function use(agent: CallerAgent, calls: readonly (readonly [string, object])[], conversation_id = "c") {
  const listed = calls.map(([tool_name, parameters]) => ["call_tool", { tool_name, parameters }] as const);
  const event = { conversation: { conversation_id, bot_id: agent.bot } };
  const { answers, resources } = await agent.ask({ calls: listed }, {}, event);
  const texts = answers.map((answer) => String((answer.result as { text?: string })?.text ?? JSON.stringify(answer)));
  return { texts, skills: resources.skills };
}

describe("a skill", () => {
  it("that was granted is seen, activated, mounted read-only, and active again in the next run of the conversation", async () => {
    const name = await addSkill();
    const agent = await newAgent([name]);
    const { texts, skills } = await use(agent, [
      ["activate", { name }],
      [
        "exec",
        { code: `bash /opt/skills/${name}/hello.sh; touch /opt/skills/${name}/x; rm /opt/skills/${name}/hello.sh` },
      ],
      ["write", { path: `/opt/skills/${name}/x`, content: "x" }],
    ]);
    expect(skills).toMatchObject([{ skill_name: name, description: "Says hello.", version: "1.2", activated: false }]);
    expect(skills[0]).not.toHaveProperty("instructions");
    expect(texts[0]).toContain("Run hello.sh in the folder.");
    expect(texts[1]).toContain("hello from a skill");
    expect(texts[1]?.match(/Read-only file system/g)).toHaveLength(2);
    expect(texts[2]).toContain("read-only");
    const later = await use(agent, []);
    expect(later.skills).toMatchObject([{ activated: true, instructions: "Run hello.sh in the folder." }]);
    const elsewhere = await use(agent, [], "another");
    expect(elsewhere.skills).toMatchObject([{ activated: false }]);
  });

  it("that was not granted is neither seen nor activated nor mounted", async () => {
    const name = await addSkill();
    const agent = await newAgent([]);
    const { texts, skills } = await use(agent, [
      ["activate", { name }],
      ["exec", { code: "ls /opt/skills" }],
    ]);
    expect(skills).toEqual([]);
    expect(texts[0]).toContain("None is granted");
    expect(texts[1]).toContain("No such file");
  });

  it("that was changed after it was added is not used: a new box goes without it, with a warning", async () => {
    const name = await addSkill();
    const agent = await newAgent([name]);
    await use(agent, [["activate", { name }]]);
    writeFileSync(join(caller.home, "skills", name, "hello.sh"), "echo evil\n");
    // The box that is open has a copy that nobody changes.
    const { texts } = await use(agent, [["exec", { code: `bash /opt/skills/${name}/hello.sh` }]]);
    expect(texts).toEqual(["hello from a skill"]);
    const fresh = await use(agent, [["activate", { name }]], "new");
    expect(fresh.skills).toEqual([]);
    expect(fresh.texts[0]).toContain("changed after it was added");
    const boxes = await caller.dock.boxes.list();
    expect(boxes.flatMap(({ warnings }) => warnings).join()).toContain(`The skill ${name} is left out`);
    expect(await caller.dock.skills.list()).toContainEqual(
      expect.objectContaining({ name, problem: expect.stringContaining("changed after it was added") }),
    );
    await expect(newAgent([name])).rejects.toThrow("changed after it was added");
  });

  it("that is another one under the same name is not active by what its predecessor was", async () => {
    const name = await addSkill();
    const agent = await newAgent([name]);
    await use(agent, [["activate", { name }]]);
    await caller.dock.skills.remove(name);
    await caller.dock.skills.add(writeSkill({ "hello.sh": "echo other\n" }, { name }).directory);
    expect((await use(agent, [])).skills).toMatchObject([{ activated: false, changed_since_activation: true }]);
  });

  it("of a workspace counts where the owner allows it, and one of an extension as long as that is enabled", async () => {
    const workspace = mkdtempSync(join(place, "workspace-"));
    const { name } = writeSkill({}, { under: join(workspace, ".drydock/skills") });
    await expect(newAgent([name], { workspace })).rejects.toThrow(`There is no skill ${name}`);
    settings("boxes: { workspaceSkills: true }\n");
    expect((await use(await newAgent([name], { workspace }), [])).skills).toMatchObject([{ skill_name: name }]);
    const extension = join(place, "greeter");
    const inside = writeSkill({}, { under: join(extension, "skills") });
    writeFileSync(join(extension, "extension.yaml"), "id: greeter\nversion: 1.0.0\nname: G\ndescription: Greets.\n");
    writeFileSync(
      join(extension, "commands.yaml"),
      "commands:\n  - name: greet\n    description: Greets.\n    actions:\n      - name: all\n        description: Greets.\n        runner: python.script\n        script: hello.py\n",
    );
    writeFileSync(join(extension, "hello.py"), "print(1)\n");
    mkdirSync(join(extension, "docs"));
    writeFileSync(join(extension, "docs/USAGE.md"), "# Usage\n");
    await caller.dock.extensions.add(extension, { approve: async () => true });
    expect(await caller.dock.skills.find(inside.name)).toMatchObject({ origin: "extension", problem: null });
    await expect(caller.dock.skills.remove(inside.name)).rejects.toThrow("belongs to the extension");
    // What an agent writes under this name does not take its place.
    const content = `---\nname: ${inside.name}\ndescription: Evil.\n---\nEvil.\n`;
    const { texts } = await use(await newAgent([]), [
      ["write", { path: `${inside.name}/SKILL.md`, content }],
      ["register_skill", { path: inside.name }],
    ]);
    expect(texts[1]).toContain("is kept");
    expect(await caller.dock.skills.find(inside.name)).toMatchObject({ origin: "extension", version: "1.2" });
    expect(await caller.dock.skills.remove(inside.name)).toMatchObject({ origin: "registered" });
  });
});

describe("a folder that is no skill is refused", () => {
  it.each<[string, Record<string, string>, string]>([
    ["without fields", { "SKILL.md": "# Hello\n" }, "does not begin with ---"],
    ["with fields that are no YAML", { "SKILL.md": "---\nname: [\n---\n" }, "SKILL.md"],
    ["without a description", { "SKILL.md": "---\nname: x\n---\n" }, "description"],
    ["with another name", { "SKILL.md": "---\nname: other\ndescription: d\n---\n" }, "its name is other"],
    ["with a name that is a path", { "SKILL.md": "---\nname: ../x\ndescription: d\n---\n" }, "name"],
    ["too deep", { "a/b/c/d/e/f/g/h/i/j": "" }, "folders deep"],
    ["too large", { big: "x".repeat(17 * 1024 * 1024) }, "larger than 16 MB"],
  ])("%s", async (_, files, message) => {
    await expect(caller.dock.skills.add(writeSkill(files).directory)).rejects.toThrow(message);
  });

  it("with a link, with too many files, or that is a link itself", async () => {
    const linked = writeSkill();
    symlinkSync("/etc/passwd", join(linked.directory, "data"));
    await expect(caller.dock.skills.add(linked.directory)).rejects.toThrow("data is a symbolic link");
    const many = writeSkill(Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`f${index}`, ""])));
    await expect(caller.dock.skills.add(many.directory)).rejects.toThrow("more than 500 files");
    symlinkSync(writeSkill().directory, join(place, "a-link"));
    await expect(caller.dock.skills.add(join(place, "a-link"))).rejects.toThrow("no folder of its own");
  });
});

describe("register_skill", () => {
  it("keeps what an agent wrote, for nobody until it is granted, and never in the place of another", async () => {
    const agent = await newAgent([]);
    const skill = "---\nname: made-here\ndescription: Counts.\n---\nCount.\n";
    const { texts } = await use(agent, [
      ["write", { path: "made-here/SKILL.md", content: skill }],
      ["register_skill", { path: "made-here" }],
      ["activate", { name: "made-here" }],
      ["register_skill", { path: "made-here" }],
      ["exec", { code: "mkdir evil; ln -s /etc/passwd evil/SKILL.md" }],
      ["register_skill", { path: "evil" }],
      ["register_skill", { path: "../etc" }],
    ]);
    expect(texts[1]).toContain("when the owner has granted it");
    expect(texts[2]).toContain("None is granted");
    expect(texts[3]).toContain("There is a skill made-here already");
    expect(texts[5]).toContain("plain files and folders only");
    expect(texts[6]).toContain("leads out of the box");
    expect(await caller.dock.skills.find("made-here")).toMatchObject({ origin: "registered", instructions: "Count." });
    expect(readFileSync(join(caller.home, "skills/made-here/SKILL.md"), "utf8")).toBe(skill);
    expect((await use(await newAgent(["made-here"]), [])).skills).toMatchObject([{ skill_name: "made-here" }]);
  });

  it("gives nobody a skill under a name that was granted before, and is gone", async () => {
    const name = await addSkill();
    const agent = await newAgent([name]);
    await caller.dock.skills.remove(name);
    const content = `---\nname: ${name}\ndescription: Evil.\n---\nEvil.\n`;
    const { texts } = await use(await newAgent([]), [
      ["write", { path: `${name}/SKILL.md`, content }],
      ["register_skill", { path: name }],
    ]);
    expect(texts[1]).toContain(`An agent has a skill ${name} granted already`);
    expect((await use(agent, [["activate", { name }]])).texts[0]).not.toContain("Evil");
  });
});
