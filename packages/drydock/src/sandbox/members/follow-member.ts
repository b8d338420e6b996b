import { createHash } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { RawChange } from "../layers/index.ts";
import type { LiveLink } from "../live/live-link.ts";
import type { WayOut } from "../open-network.ts";
import { parseBounded } from "../parse-bounded.ts";
import { type AnswerInput, answerInput, type InputAnswers } from "./answer-input.ts";
import { feedInput, type StdinSource } from "./feed-input.ts";
import { FROM_WARDEN, type Frame, TO_WARDEN } from "./frames.ts";
import type { Member } from "./member.ts";
import type { Done, Transcript } from "./transcript.ts";

export interface FollowMemberOptions {
  onOutput?: (stream: "stdout" | "stderr", bytes: Buffer) => void;
  signal?: AbortSignal;
  stdin?: StdinSource;
  /** Called each time that Python code waits for a line, unless there is `stdin`. */
  onInput?: AnswerInput;
  /** Where contents too large for memory are put on the way; removed with the run's directory. */
  spool: string;
  /** Of a session: hashes of the files that the warden has sent so far, by path; it does not send a file again that did not change. */
  known?: Map<string, string>;
  /** Of a live run: its own messages. */
  link?: LiveLink;
  /** Of a plain run that may reach hosts: by what the egress proxy knows it. Told only when its code connects. */
  wayOut?: () => WayOut;
}

/** A report holds few things, of which one is the result as text. The warden has it bounded already. */
const REPORT_BOUNDS = { length: 6 * 1024 * 1024, depth: 8, values: 5000 };
const MAX_FIGURES = 64;
const SPOOL_OVER_BYTES = 4 * 1024 * 1024;
/** Of one run's files together: many small ones would otherwise fill the host's memory up to the limit on disk. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/** Follows a member from here until it says done, or is gone. */
export function followMember(member: Member, options: FollowMemberOptions): Promise<Transcript> {
  const lists = { stdout: [], stderr: [], figures: [], changes: [] };
  const transcript: Transcript = { done: null, report: undefined, ...lists, contents: new Map() };
  const files = createFileReceiver(transcript, options.spool, options.known ?? new Map());
  const cancel = () => member.send([TO_WARDEN.cancel, ""]);
  return new Promise((resolve, reject) => {
    let feed: ReturnType<typeof feedInput> | undefined;
    let answers: InputAnswers | undefined;
    const stopInput = () => {
      feed?.stop();
      answers?.stop();
      options.link?.end();
    };
    const failInput = (error: unknown) => {
      transcript.inputFailure = error instanceof Error ? error.message : String(error);
    };
    const finish = () => {
      stopInput();
      files.abandon();
      options.signal?.removeEventListener("abort", cancel);
      member.listen(ignore, ignore);
      resolve(transcript);
    };
    const collect = (stream: "stdout" | "stderr", bytes: Buffer) => {
      if (options.link?.hasTerminal && stream === "stdout") return options.link.show(bytes);
      transcript[stream].push(bytes);
      options.onOutput?.(stream, bytes);
    };
    const take = (frame: Frame) => {
      switch (frame.kind) {
        case FROM_WARDEN.stdout:
          return collect("stdout", frame.payload);
        case FROM_WARDEN.stderr:
          return collect("stderr", frame.payload);
        case FROM_WARDEN.figure:
          return takeFigure(transcript, frame.payload);
        case FROM_WARDEN.entry:
          return files.entry(JSON.parse(frame.payload.toString()));
        case FROM_WARDEN.content:
          return files.content(frame.payload);
        case FROM_WARDEN.taken:
          return feed?.taken(frame.payload.readUInt32BE(0));
        case FROM_WARDEN.ask:
          transcript.hasAsked = true;
          answers?.ask(frame.payload.length > 0);
          if (frame.payload.length > 1) collect("stderr", frame.payload.subarray(1));
          return;
        case FROM_WARDEN.wayOut:
          if (options.wayOut) member.send([TO_WARDEN.wayOut, JSON.stringify(options.wayOut())]);
          return;
        case FROM_WARDEN.checkpoint:
        case FROM_WARDEN.rewind:
          files.abandon();
          return options.link?.take(frame, transcript);
        case FROM_WARDEN.done:
          takeDone(transcript, frame.payload);
          finish();
      }
    };
    member.listen((frame) => {
      try {
        take(frame);
      } catch (error) {
        stopInput();
        files.abandon();
        dropSpooled(transcript.contents);
        member.close();
        reject(error);
      }
    }, finish);
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    if (options.stdin !== undefined) feed = feedInput(member, options.stdin, failInput);
    else if (options.onInput) answers = answerInput(member, options.onInput, failInput, options.signal);
  });
}

/** Removes the contents that were written to disk meanwhile: they are not needed any more. */
export function dropSpooled(contents: ReadonlyMap<string, Buffer | string>): void {
  for (const content of contents.values()) if (typeof content === "string") rmSync(content, { force: true });
}

function ignore(): void {}

/** The warden's own words, and beside them what the code said of itself. */
function takeDone(transcript: Transcript, payload: Buffer): void {
  const length = payload.readUInt32BE(0);
  transcript.done = JSON.parse(payload.subarray(4, 4 + length).toString()) as Done;
  transcript.report = parseBounded(payload.subarray(4 + length), REPORT_BOUNDS);
}

function takeFigure({ figures }: Transcript, payload: Buffer): void {
  const figure = readFigure(payload, figures.length + 1);
  if (figure && figures.length < MAX_FIGURES) figures.push(figure);
}

/** The code inside can send figures of its own making: a name is a plain file name, or it is ours. */
function readFigure(payload: Buffer, number: number): { name: string; bytes: Buffer } | null {
  const end = payload.indexOf(0);
  if (end < 0) return null;
  const name = payload.subarray(0, end).toString();
  return { name: /^[\w-][\w.-]{0,99}$/.test(name) ? name : `figure-${number}.png`, bytes: payload.subarray(end + 1) };
}

interface Entry extends RawChange {
  /** Another name of a file that was sent already. */
  same?: string;
  /** The file is as it was when it was last sent. */
  unchanged?: boolean;
}

/** Puts entries and the contents that follow them together again. */
function createFileReceiver(transcript: Transcript, spool: string, hashes: Map<string, string>) {
  let current:
    | {
        entry: Entry;
        hash: ReturnType<typeof createHash>;
        chunks: Buffer[];
        file?: { path: string; descriptor: number };
      }
    | undefined;
  let spooled = 0;
  let held = 0;
  return {
    entry(entry: Entry) {
      const { same, unchanged, ...change } = entry;
      transcript.changes.push(change);
      if (same !== undefined || unchanged) {
        const sha256 = hashes.get(same ?? change.path);
        if (sha256 === undefined) throw new Error(`the content of ${change.path} was never sent`);
        change.sha256 = sha256;
        hashes.set(change.path, sha256);
        return;
      }
      if (change.type !== "file") return;
      current = { entry: change, hash: createHash("sha256"), chunks: [] };
      held += change.size ?? 0;
      if ((change.size ?? 0) > SPOOL_OVER_BYTES || held > MAX_HELD_BYTES) {
        const path = join(spool, `spool-${process.hrtime.bigint()}-${spooled++}`);
        current.file = { path, descriptor: openSync(path, "wx", 0o600) };
      }
    },
    content(bytes: Buffer) {
      if (!current) return;
      if (bytes.length > 0) {
        current.hash.update(bytes);
        if (current.file) writeSync(current.file.descriptor, bytes);
        else current.chunks.push(bytes);
        return;
      }
      const sha256 = current.hash.digest("hex");
      current.entry.sha256 = sha256;
      hashes.set(current.entry.path, sha256);
      const { file, chunks } = current;
      current = undefined;
      if (file) closeSync(file.descriptor);
      if (!transcript.contents.has(sha256)) transcript.contents.set(sha256, file?.path ?? Buffer.concat(chunks));
      else if (file) rmSync(file.path, { force: true }); // another file with the same content came before
    },
    /** Nothing more comes: a file of which only a part came is none. */
    abandon() {
      if (!current) return;
      const { entry, file } = current;
      current = undefined;
      transcript.changes.splice(transcript.changes.indexOf(entry), 1);
      if (!file) return;
      closeSync(file.descriptor);
      rmSync(file.path, { force: true });
    },
  };
}
