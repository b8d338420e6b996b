import { CommandAction, ExtensionManifest, type ParameterValue, type ResponseInfo } from "@drydock/protocol";
import type { CapabilityCall, InputResponse, RunnerPorts } from "../../../ports.ts";

export function makeCall(
  values: Record<string, ParameterValue>,
  options: { usage?: string; input?: InputResponse | null; runner?: string } = {},
): CapabilityCall {
  return {
    extension: {
      manifest: ExtensionManifest.parse({ id: "look", version: "1.0.0", name: "Look", description: "Looks" }),
      directory: "/nowhere",
      usage: options.usage ?? "# Look\n",
    },
    command: "look",
    action: CommandAction.parse({
      name: "at",
      description: "Looks at it",
      runner: options.runner ?? "analyze.response",
    }),
    values,
    input: options.input ?? null,
    session: "default",
    user: "owner",
    signal: new AbortController().signal,
    onOutput: () => {},
  };
}

export function makeInput(text: string, info: Partial<ResponseInfo> = {}): InputResponse {
  const size = Buffer.byteLength(text);
  return {
    text,
    info: {
      ...{ id: "res_1", session: "default", runId: "run_1", extension: "curl", command: "curl", action: "get" },
      ...{ mime: "text/plain", size, kept: size, truncated: false, artifact: null, metadata: {} },
      ...{ createdAt: "2026-01-01T00:00:00.000Z", expiresAt: "2026-01-02T00:00:00.000Z" },
      ...info,
    },
  };
}

/** What a runner may use, with nothing behind it; a test puts in what it is about. */
export function makePorts(ports: Partial<RunnerPorts> = {}): RunnerPorts {
  const unused = async (): Promise<never> => {
    throw new Error("this port is not part of the test");
  };
  return {
    exec: unused,
    readSecret: unused,
    storeArtifact: unused,
    toolDirectories: [],
    searchPath: "",
    askModel: null,
    declared: unused,
    refusal: unused,
    validateJson: unused,
    learn: () => {},
    redact: (text) => text,
    ...ports,
  };
}
