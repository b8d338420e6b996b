import type { HostAgent, HostEventInput, SendResult } from "@drydock/protocol";
import type { SourceStore } from "../../ledger/index.ts";
import type { AnswerOptions } from "../runs/answer-event.ts";
import type { Warnings } from "../warnings.ts";
import type { OutgoingFile, SourceType } from "./adapter.ts";

/** What sources need of a dock. */
export interface SourcePorts {
  types: readonly SourceType[];
  store: SourceStore;
  /** Null where there is no such secret. */
  readSecret(name: string): Promise<string | null>;
  send(
    event: HostEventInput,
    options: Pick<AnswerOptions, "files" | "signal" | "onStep" | "onStarted" | "onDelta">,
  ): Promise<SendResult>;
  findAgent(name: string): Promise<Pick<HostAgent, "delivery"> | null>;
  /** Null where the run has no such artifact. */
  findFile(runId: string, artifactId: string): Promise<OutgoingFile | null>;
  warnings: Pick<Warnings, "note" | "close">;
  now(): number;
}
