import { join } from "node:path";
import { DrydockError, explainIssue, HomeConfig, type UpstreamConfig } from "@drydock/protocol";
import { openDocument, parseYaml, readYamlText } from "../../base/yaml-files/index.ts";
import { loadPolicyEdits } from "../../policy/index.ts";
import { describeRuleProblem, findPreset, PRESETS } from "../../upstreams/index.ts";
import { CONFIG_KIND } from "../models/index.ts";
import { editHomePolicy } from "../policies/index.ts";
import { replaceFile } from "../runs/replace-file.ts";
import type { AddedUpstream, AddUpstreamOptions, RemovedUpstream } from "./api.ts";
import type { UpstreamPorts } from "./create-upstreams.ts";
import { listUpstreams } from "./list-upstreams.ts";
import { unknownUpstream } from "./read-upstream.ts";

/** Writes an upstream into `config.yaml`; comments and all other keys stay. Then runs may ask for it, by the owner's policy. */
export async function addUpstream(
  ports: UpstreamPorts,
  { name, ...settings }: AddUpstreamOptions,
): Promise<AddedUpstream> {
  const checked = checkSettings(name, settings);
  const { file, text } = await readConfig(ports.home);
  const document = await openDocument(text);
  document.setIn(["upstreams", name], document.createNode(checked));
  const written = document.toString({ lineWidth: 0 });
  await parseYaml(file, written, HomeConfig);
  if (written !== text) await replaceFile(file, written);
  const policyFile = await allowUpstream(ports, name);
  const upstream = (await listUpstreams(ports)).find((each) => each.name === name);
  if (!upstream) throw new Error(`The upstream ${name} was written and is not there.`);
  return { file, policyFile, upstream };
}

/** A policy that names it keeps doing so, and that is told: without a configuration, the name opens nothing. */
export async function removeUpstream({ home, policies }: UpstreamPorts, name: string): Promise<RemovedUpstream> {
  const { file, text } = await readConfig(home);
  const known = Object.keys((await parseYaml(file, text, HomeConfig)).upstreams ?? {});
  if (!known.includes(name)) throw unknownUpstream(name, known);
  const { ceiling } = await policies.resolve({});
  const document = await openDocument(text);
  document.deleteIn(known.length === 1 ? ["upstreams"] : ["upstreams", name]);
  await replaceFile(file, document.toString({ lineWidth: 0 }));
  return { file, name, isStillAllowed: ceiling.network.upstreams.includes(name) };
}

/** Runs may ask for it; they do not have it by themselves. */
async function allowUpstream({ home, policies }: UpstreamPorts, name: string): Promise<string> {
  const { ceiling } = await policies.resolve({});
  return editHomePolicy(home, async (path) => {
    const { allowInPolicyFile, setInPolicyFile } = await loadPolicyEdits();
    if (ceiling.network.upstreams.length > 0) await allowInPolicyFile(path, "upstream", [name]);
    else await setInPolicyFile(path, "network.upstreams.max", `[${name}]`);
    return path;
  });
}

function checkSettings(name: string, settings: Omit<AddUpstreamOptions, "name">): UpstreamConfig {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const parsed = HomeConfig.safeParse({ upstreams: { [name]: given } });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = String(issue?.path.at(2) ?? "name");
    const message = `${key}: ${issue ? explainIssue(issue) : "can't be used"}.`;
    throw new DrydockError("input.invalid", message, HINTS[key] ?? "Correct it.", { key });
  }
  const checked = parsed.data.upstreams?.[name] ?? {};
  for (const rule of checked.allow ?? []) {
    const problem = describeRuleProblem(rule);
    if (problem) throw new DrydockError("input.invalid", `${JSON.stringify(rule)} ${problem}.`, "Correct the rule.");
  }
  const isKnown = (checked.preset ?? checked.provider ?? findPreset(name)) !== undefined;
  if (!isKnown && checked.baseUrl === undefined) {
    const hint = `Known: ${Object.keys(PRESETS).join(", ")}. For another one: drydock upstream add ${name} --base-url URL --allow 'GET /**'`;
    throw new DrydockError("input.invalid", `There is no preset ${JSON.stringify(name)}, and no address.`, hint);
  }
  if (!isKnown && checked.allow === undefined) {
    const hint = "Name what runs may ask for: --allow 'GET /**' --allow 'POST /v1/search'";
    throw new DrydockError(
      "input.invalid",
      `The upstream ${name} has no rules, so nothing would be let through.`,
      hint,
    );
  }
  return checked;
}

/** A key that was passed by mistake is not repeated. */
const HINTS: Readonly<Record<string, string>> = {
  name: "Use lower-case letters, digits and -, such as openai.",
  baseUrl: "Give an address such as https://api.example.org/v1, and the key by --key-variable or --key-file.",
  keyVariable: "Put the key into an environment variable, and give that variable's name: --key-variable MY_API_KEY",
  keyFile: "Put the key into a file that only you can read, and give its whole path.",
};

async function readConfig(home: string): Promise<{ file: string; text: string }> {
  const file = join(home, "config.yaml");
  const text = (await readYamlText(file, CONFIG_KIND)) ?? "";
  await parseYaml(file, text, HomeConfig);
  return { file, text };
}
