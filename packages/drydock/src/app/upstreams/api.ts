import type { TestedUpstream, UpstreamConfig, UpstreamInfo } from "@drydock/protocol";
import type { OpenUpstreams } from "../../sandbox/index.ts";

export interface AddUpstreamOptions extends UpstreamConfig {
  name: string;
}

export interface AddedUpstream {
  /** The file that holds it now. */
  file: string;
  /** The policy that lets runs ask for it. */
  policyFile: string;
  upstream: UpstreamInfo;
}

export interface RemovedUpstream {
  file: string;
  name: string;
  /** The owner's policy names it as before: whoever adds it again has it allowed at once. */
  isStillAllowed: boolean;
}

/** Servers that runs use without their keys. */
export interface Upstreams {
  list(): Promise<UpstreamInfo[]>;
  /** Writes it into `config.yaml`, and lets runs ask for it in `policy.yaml`. Rejects for what can't be written there. */
  add(options: AddUpstreamOptions): Promise<AddedUpstream>;
  /** Sends one request that costs nothing, with the key. */
  test(name: string, options?: { signal?: AbortSignal }): Promise<TestedUpstream>;
  remove(name: string): Promise<RemovedUpstream>;
}

/** What the sandbox needs of this use case. */
export interface UpstreamGateway extends Upstreams {
  open: OpenUpstreams;
  close(): Promise<void>;
}
