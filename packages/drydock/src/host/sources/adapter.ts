import type { HostEvent, HostEventInput, SendResult } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import type * as z from "zod";
import type { EventFile } from "../runs/inline-contents.ts";

/*
 * What the author of a type of source writes: a descriptor (`SourceType`), which is small and always loaded, and a program
 * (`SourceProgram`), which is loaded with the first source of the type. docs/contributing.md says which files that are.
 */

/** All that Drydock knows about one type of source without starting any. */
export interface SourceType<Settings extends z.ZodObject = z.ZodObject> {
  readonly type: string;
  /** What it connects, in one sentence. */
  readonly summary: string;
  /** Each field with a description. People may type the values as text. */
  readonly settings: Settings;
  /** By the name that `context.secrets` has for it. */
  readonly secrets: Readonly<Record<string, { description: string; required: boolean }>>;
  /** What kind of source its events name. */
  readonly eventSource: HostEvent["source"];
  /** Types of the events that it passes on. */
  readonly events: readonly string[];
  /** How answers go back by it; null: not at all. */
  readonly answers: SourceAnswers | null;
  /** `once`: in one server of a home at a time. `everywhere`: in each, because requests reach any of them. */
  readonly runs: "once" | "everywhere";
  /** Where servers take requests for its sources, such as `/hooks/`. What follows is the name of the source, or its id, which nobody guesses. */
  readonly path: { readonly prefix: string; readonly by: "name" | "id" } | null;
  /** Loads the program. */
  load(): Promise<SourceProgram<z.output<Settings>>>;
}

export interface SourceAnswers {
  /** The most characters of one message. Longer answers come in parts. */
  maxMessageChars: number | null;
  /** Where messages can be changed after they were sent: how often at most. Answers are then shown as they are written. */
  editEveryMs: number | null;
  /** People follow the conversation itself: nothing is delivered, and text is shown as it comes. Default: no. */
  isFollowed?: boolean;
}

/** The code of a type. `Settings` are checked before. */
export interface SourceProgram<Settings = Record<string, unknown>> {
  /** Refuses settings that have the right shape and can't work. Default: takes all. */
  check?(settings: Settings): void;
  /**
   * Resolves when the source works: the token is good, the platform was reached. Rejects where it does not, with a hint in
   * a DrydockError. It is then tried again with growing pauses; after a `SourceRefused` only when something was changed.
   */
  start(context: SourceContext<Settings>): Promise<SourceAdapter>;
  /** A trial, beside a source that may run elsewhere. Gives what was seen, in a sentence; rejects where it does not work. */
  test(context: SourceContext<Settings>): Promise<string>;
  /** Answers a request for a name that no source has, so that it can't be told from one with a wrong signature. */
  refuseStranger?(request: SourceRequest): Promise<Response>;
}

/** What a source works with. */
export interface SourceContext<Settings = Record<string, unknown>> {
  readonly name: string;
  readonly settings: Settings;
  /** When the source was created, changed or switched on last. */
  readonly changedAtMs: number;
  /** Values by the names of the descriptor. They go to the platform, and into no event, error or record. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when nothing more is to be emitted. What it waits for ends then. */
  readonly signal: AbortSignal;
  /** Hands an event to the host. Resolves when it is on record: then it may be acknowledged. Its run goes on. */
  emit(event: SourceEvent): Promise<EmittedEvent>;
  /** Something came that is not passed on, such as a message of a chat that is not allowed. Counted, and on record as a warning. */
  refuse(reason: string): void;
  /** What is wrong while the source goes on, such as a connection that is being made again; null when it is well. */
  report(problem: string | null): void;
  /** Work that goes on by itself, such as a loop. What it throws ends the source, which is started again. */
  run(work: () => Promise<void>): void;
  /** What lasts, such as how far it has read. */
  readonly values: {
    get(key: string): Promise<string | null>;
    set(key: string, value: string): Promise<void>;
    delete(key: string): Promise<void>;
  };
  now(): number;
}

/** An event as a source sees it. The host adds what names the source, and what the place of the answer can do. */
export interface SourceEvent
  extends Pick<HostEventInput, "type" | "source_event_type" | "time" | "actor" | "subject" | "data"> {
  /** The id that it has at the platform. The same one again makes no second run. */
  id: string;
  /** `bot_id` is the name of the source: the host sets it. */
  conversation?: Omit<NonNullable<HostEventInput["conversation"]>, "bot_id">;
  text?: string;
  /** Contents beside the event; they become artifacts of its run. */
  files?: readonly EventFile[];
  /** Where the answer goes: `deliver` gets it back as it is. Default: nowhere. */
  target?: Record<string, unknown>;
}

export interface EmittedEvent {
  eventId: string;
  /** `duplicate`: it came before, and is not handled again. */
  kind: "accepted" | "duplicate";
  /** Resolves when its run has ended, or at once where there is none. Null: the host could not handle it, and said so in a warning. */
  done: Promise<SendResult | null>;
}

/** A source that runs. */
export interface SourceAdapter {
  /** Sends a message. It waits as the platform demands, and rejects where it can't be sent. Gives what `edit` needs; null: it can't be changed. */
  deliver?(delivery: SourceDelivery): Promise<unknown>;
  /** Puts another text into a message that `deliver` has sent. */
  edit?(sent: NonNullable<unknown>, delivery: SourceDelivery): Promise<void>;
  /** A run for this target has begun: people can be shown that somebody is at work. */
  showWork?(target: Record<string, unknown>): Promise<void>;
  /** Answers a request to the type's path. */
  receive?(request: SourceRequest): Promise<Response>;
  /** Lets go of everything. `signal` has aborted before. */
  stop(): Promise<void>;
}

export interface SourceDelivery {
  target: Record<string, unknown>;
  text: string;
  message: Message;
  /** What goes with the message. */
  files: readonly OutgoingFile[];
  /** False: more of this text follows, by `edit`. */
  isComplete: boolean;
  runId: string;
  signal: AbortSignal;
}

export interface OutgoingFile {
  artifactId: string;
  name: string;
  mime: string;
  size: number;
  read(): Promise<Buffer>;
}

/** A request that reached a server for a source. */
export interface SourceRequest {
  method: string;
  headers: Headers;
  body: Uint8Array;
}

/** What starting again won't mend: a wrong token, a bot that was deleted. The source waits until it, or its secret, is changed. */
export class SourceRefused extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Keeps the type of its settings for its program. */
export function defineSourceType<const Settings extends z.ZodObject>(type: SourceType<Settings>): SourceType<Settings> {
  return type;
}
