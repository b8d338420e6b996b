import { hash } from "node:crypto";
import { type HostAgent, type HostEvent, SkillName } from "@drydock/protocol";
import * as z from "zod";
import type { HostStore } from "../../ledger/index.ts";
import { type FunctionTool, ToolAnswer } from "../../tasks/index.ts";
import type { Skills } from "../skills/api.ts";
import { describeSkill, type SkillFile } from "../skills/index.ts";
import { BoxRefusal } from "./box-link.ts";
import type { Box } from "./create-box.ts";

export const SKILL_TOOLS = ["activate", "register_skill"] as const;

interface SkillRun {
  agent: HostAgent;
  event: HostEvent;
  runId: string;
  enter(signal: AbortSignal): Promise<Box>;
  facts(): Promise<HostStore>;
  skills: Pick<Skills, "find" | "register">;
}

const Activate = z.strictObject({ name: z.string().min(1).max(64).describe("Name of the skill") });
const Register = z.strictObject({
  path: z.string().min(1).max(4096).describe("A folder of the box with a SKILL.md. Its name is the skill's"),
});
const MAX_FILES = 200;
const MAX_DEPTH = 8;
const MAX_BYTES = 2 * 1024 * 1024;

export function createSkillTools(run: SkillRun, over: AbortSignal): FunctionTool[] {
  const { agent, event, runId } = run;
  const granted = agent.grants.skills;
  return [
    {
      name: "activate",
      description: `Activates a skill: gives its instructions, and keeps it active in this conversation. Its files are in the box, read-only. Skills: ${granted.join(", ") || "none"}.`,
      input: Activate,
      run: async ({ name }: z.infer<typeof Activate>) => {
        const box = await run.enter(over);
        if (!granted.includes(name)) return refuse(`There is no skill ${name} for you. ${listOf(granted)}`);
        const skill = box.skills.get(name);
        if (!skill) return refuse(box.info().warnings.find((each) => each.includes(name)) ?? notMounted(name));
        const { sha256, version, instructions } = skill;
        const owner = activationOwner(agent, event);
        const value = JSON.stringify({ sha256, version, runId, at: new Date().toISOString() });
        if (owner !== null) await (await run.facts()).values.set(owner, name, value);
        return `The skill ${name} is active. Its files are in /opt/skills/${name}.\n\n${instructions}`;
      },
    },
    {
      name: "register_skill",
      description:
        "Offers a folder of the box, with a SKILL.md that begins with the fields name and description, as a skill. It can be used when the owner has granted it.",
      input: Register,
      run: async ({ path }: z.infer<typeof Register>) => {
        const box = await run.enter(over);
        try {
          const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
          if (!SkillName.safeParse(name).success)
            return refuse(`${name} can't be a name: small letters, digits, dashes.`);
          const read = await describeSkill(await readFolder(box, path.replace(/\/+$/, ""), over), `/${name}`);
          // A name that was granted before, of a skill of an extension or one that is gone, would be granted with it.
          const agents = await (await run.facts()).agents.list();
          const isGranted = agents.some(({ grants }) => grants.skills.includes(name));
          if (isGranted) return refuse(`An agent has a skill ${name} granted already. Give yours another name.`);
          const { sha256 } = await run.skills.register(read);
          return `The skill ${name} is kept (${sha256.slice(0, 12)}). It can be used when the owner has granted it.`;
        } catch (error) {
          over.throwIfAborted();
          if (!(error instanceof Error)) throw error;
          return refuse(error.message);
        }
      },
    },
  ];
}

/** Which conversation a skill is active in; null where the event has none: then it is active in its run only. */
export function activationOwner(agent: Pick<HostAgent, "id">, { conversation, synthetic }: HostEvent): string | null {
  const { workspace_id, bot_id, conversation_id, thread_id } = conversation ?? {};
  if (!conversation_id) return null;
  const place = [workspace_id ?? null, bot_id ?? null, conversation_id, thread_id ?? null, synthetic];
  return `skills:${hash("sha256", JSON.stringify([1, agent.id, ...place]))}`;
}

async function readFolder(box: Box, folder: string, signal: AbortSignal): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  const folders = [""];
  let bytes = 0;
  for (let inner = folders.pop(); inner !== undefined; inner = folders.pop()) {
    const { entries } = (await box.opened.call("list", { path: `${folder}/${inner}` }, signal)) as {
      entries: { name: string; kind: string }[];
    };
    for (const { name, kind } of entries) {
      const path = inner === "" ? String(name) : `${inner}/${name}`;
      // What is said inside is not trusted: this becomes a path outside.
      if (!/^[\w.+ -]+$/.test(String(name)) || name === ".." || name === ".") throw oddFile(path);
      if (path.split("/").length > MAX_DEPTH) throw oddFile(path);
      if (kind === "directory") folders.push(path);
      else if (kind !== "file") throw oddFile(path);
      else {
        const answer = await box.opened.call("fetch", { path: `${folder}/${path}` }, signal);
        const content = Buffer.from(String(answer.base64), "base64");
        bytes += content.length;
        if (Number(answer.size) > content.length) throw new BoxRefusal("large", `${path} is too large for a skill.`);
        files.push({ path, content, executable: false });
      }
      if (files.length + folders.length > MAX_FILES || bytes > MAX_BYTES)
        throw new BoxRefusal("large", `A skill has at most ${MAX_FILES} files and 2 MB.`);
    }
  }
  return files;
}

function oddFile(path: string): BoxRefusal {
  return new BoxRefusal(
    "invalid",
    `${path} can't be part of a skill: it has plain files and folders only, ${MAX_DEPTH} deep at most.`,
  );
}

function refuse(text: string): ToolAnswer {
  return new ToolAnswer(text, { failed: true, runId: null });
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "None is granted." : `There are: ${names.join(", ")}.`;
}

function notMounted(name: string): string {
  return `The box was opened before the skill ${name} was granted. It has it when it is opened anew.`;
}
