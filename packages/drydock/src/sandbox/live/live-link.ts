import type { Frame } from "../members/frames.ts";
import { FROM_WARDEN, TO_WARDEN } from "../members/frames.ts";
import type { Member } from "../members/member.ts";
import type { Transcript } from "../members/transcript.ts";
import type { LiveRun } from "./live-run.ts";

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** What whoever sits at a run wants of it. */
export interface LiveOptions {
  /** The run has a terminal of this size at its start. Without it: pipes, as any other run. */
  terminal?: TerminalSize;
  /** What the terminal shows. Only so much comes ahead of what was shown: a promise that resolves when it was. */
  onScreen?(bytes: Buffer): Promise<void>;
  /** Called once, when the program is started. */
  onReady(run: LiveRun): void;
}

/** The files of a run as its warden sends them; contents that were sent before are not among them. */
export type FilesCopy = Pick<Transcript, "changes" | "contents">;

/** The messages of a live run, beyond those of others. */
export interface LiveLink {
  readonly hasTerminal: boolean;
  /** Output of the terminal. */
  show(bytes: Buffer): void;
  /** A message that answers one of ours. What was collected of files goes to who asked for it. */
  take(frame: Frame, transcript: Transcript): void;
  copy(): Promise<FilesCopy>;
  finishRewind(): Promise<void>;
  /** The run is over: nothing is answered any more. */
  end(): void;
}

export function createLiveLink(member: Member, { terminal, onScreen }: LiveOptions): LiveLink {
  let copying: PromiseWithResolvers<FilesCopy> | undefined;
  let rewinding: PromiseWithResolvers<void> | undefined;
  let isOver = false;

  const refuse = () => new Error("the program has ended");
  const tellShown = (size: number) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(size);
    member.send([TO_WARDEN.shown, length]);
  };

  return {
    hasTerminal: terminal !== undefined,
    show(bytes) {
      const shown = onScreen?.(bytes) ?? Promise.resolve();
      // A terminal that is gone shows nothing: the program must not wait for it.
      shown.catch(() => {}).finally(() => tellShown(bytes.length));
    },
    take({ kind, payload }, transcript) {
      const { error } = JSON.parse(payload.toString()) as { error?: string };
      if (kind === FROM_WARDEN.rewind) {
        if (error === undefined) rewinding?.resolve();
        else rewinding?.reject(new Error(`files could not be put back: ${error}`));
        return;
      }
      const { changes, contents } = transcript;
      transcript.changes = [];
      transcript.contents = new Map();
      if (error === undefined) copying?.resolve({ changes, contents });
      else copying?.reject(new Error(`the files could not be copied: ${error}`));
    },
    copy() {
      if (isOver) return Promise.reject(refuse());
      copying = Promise.withResolvers();
      member.send([TO_WARDEN.checkpoint, ""]);
      return copying.promise;
    },
    finishRewind() {
      if (isOver) return Promise.reject(refuse());
      rewinding = Promise.withResolvers();
      member.send([TO_WARDEN.rewind, ""]);
      return rewinding.promise;
    },
    end() {
      isOver = true;
      for (const waiting of [copying, rewinding]) {
        waiting?.promise.catch(() => {});
        waiting?.reject(refuse());
      }
    },
  };
}
