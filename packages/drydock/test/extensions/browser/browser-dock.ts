import { createHash } from "node:crypto";
import { type ArtifactRef, CommandAction, ExtensionManifest } from "@drydock/protocol";
import type {
  CapabilityCall,
  InnerResult,
  InnerRun,
  RunnerOutcome,
  RunnerPorts,
} from "../../../src/extensions/ports.ts";
import { navigate } from "../../../src/extensions/runners/browser/navigate.ts";
import type { Work } from "../../../src/sandbox/index.ts";
import { openTreeDock } from "../../testing/tree-dock.ts";

export interface Opened {
  outcome: RunnerOutcome;
  /** Its content. */
  found: Record<string, unknown>;
  screenshot: Buffer | undefined;
  ran: InnerResult | undefined;
}

export interface BrowserDock {
  /** Opens an address; of all hosts it may reach those that are named. */
  open(values: CapabilityCall["values"], hosts: readonly string[], more?: Partial<InnerRun>): Promise<Opened>;
  close(): Promise<void>;
}

/** Tests wait for the browser, not for each other's processors. */
const AT_ONCE = 2;

/** The runner on a real sandbox, with the least of everything else. */
export async function openBrowserDock(): Promise<BrowserDock> {
  const dock = await openTreeDock();

  async function exec(run: InnerRun, hosts: readonly string[]): Promise<InnerResult> {
    const policy = {
      ...dock.policy,
      network: { allow: [...hosts], upstreams: [] },
      limits: { ...dock.policy.limits, wallSeconds: 60, concurrency: AT_ONCE, ...run.limits },
    };
    const work: Work = { language: run.language ?? "python", code: run.code ?? "", args: run.args };
    const outcome = await dock.sandbox.run({
      work,
      policy,
      workspace: null,
      environment: { ...run.environment },
      stdin: run.stdin,
      mounts: run.mounts,
    });
    const { stdout, stderr, result, exitCode, error, usage, notes, network } = outcome;
    const { refused } = network;
    return { ok: error === null, stdout, stderr, result, exitCode, error, artifacts: [], refused, usage, notes };
  }

  return {
    async open(values, hosts, more) {
      const stored = new Map<string, Buffer>();
      let ran: InnerResult | undefined;
      const ports = {
        exec: async (run: InnerRun) => {
          ran = await exec({ ...run, ...more }, hosts);
          return ran;
        },
        storeArtifact: async (content: Uint8Array, name: string, mime: string): Promise<ArtifactRef> => {
          const sha256 = createHash("sha256").update(content).digest("hex");
          stored.set(sha256, Buffer.from(content));
          return { id: `art_${sha256.slice(0, 8)}`, name, mime, size: content.length, sha256 };
        },
      } as unknown as RunnerPorts;
      const outcome = await navigate(describeCall(values, hosts), ports);
      const found = JSON.parse(Buffer.from(outcome.content).toString());
      return { outcome, found, screenshot: [...stored.values()][0], ran };
    },
    close: () => dock.close(),
  };
}

function describeCall(values: CapabilityCall["values"], hosts: readonly string[]): CapabilityCall {
  const manifest = ExtensionManifest.parse({
    id: "web",
    version: "1.0.0",
    name: "Web",
    description: "Opens pages.",
    permissions: { hosts: [...hosts] },
  });
  return {
    extension: { manifest, directory: "/nonexistent", usage: "" },
    command: "web",
    action: CommandAction.parse({ name: "open", description: "Opens a page.", runner: "browser.navigate" }),
    values,
    input: null,
    session: "default",
    user: "owner",
    signal: new AbortController().signal,
    onOutput: () => {},
  };
}
