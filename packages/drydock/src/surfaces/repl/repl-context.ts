import type { ChatMessage, PolicyDocument } from "@drydock/protocol";
import type { AnswerInput, Dock } from "../../app/index.ts";
import { withoutGuard, withStrictGuard } from "../../policy/index.ts";
import type { AnyDefinition } from "../../tasks/index.ts";
import type { Debug } from "../terminal/debug/index.ts";
import type { Screen } from "../terminal/screen.ts";
import type { ReplPackages, ReplSession } from "./live-session.ts";

/** All that a line may touch. */
export interface ReplContext {
  dock: Dock;
  screen: Screen;
  session: ReplSession;
  agents: Map<string, AnyDefinition>;
  /** DrydockError where the definition does not hold together: an unknown variable of its template, say. */
  checkAgent(definition: AnyDefinition): Promise<void>;
  /** What was said so far, oldest first. */
  talk: ChatMessage[];
  /** Names of the files that the person attached to the session. */
  attached: Set<string>;
  debug: Debug;
  isDebugging: boolean;
  /** By whose name the responses of extensions are kept. */
  readonly conversation: string;
  /** Asks the user; resolves with null without an answer. Null without a terminal. */
  readonly ask: ((question: string) => Promise<string | null>) | null;
  /** Answers code that waits for input. */
  readonly answer: AnswerInput;
  readonly model: string | undefined;
  /** What answers words; null: no model is set up. */
  readonly modelName: string | null;
  readonly workspace: string | undefined;
  readonly unsafe: boolean;
  /** What `--net`, `--policy`, `--timeout` and `--memory` ask for. */
  readonly policy: PolicyDocument | undefined;
  readonly packages: ReplPackages | undefined;
}

/** What the options of the REPL ask for. `--unsafe`: no guard; the sandbox has no such switch. */
export function requestedPolicy({
  unsafe,
  policy,
}: Pick<ReplContext, "unsafe" | "policy">): PolicyDocument | undefined {
  return unsafe ? withoutGuard(policy) : policy;
}

/** The same for code that the model wrote: unlike typed code, it was not seen by the user yet. */
export function policyForModel({ unsafe, policy }: Pick<ReplContext, "unsafe" | "policy">): PolicyDocument {
  return unsafe ? withoutGuard(policy) : withStrictGuard(policy);
}
