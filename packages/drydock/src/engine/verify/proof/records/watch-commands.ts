import type { TreeRunner } from "../../../ports.ts";
import { type CheckRecord, isLasting } from "./base-record.ts";

type Commands = ReturnType<typeof watchCommands>;

/** Knows whether a command runs. */
export function watchCommands(runner: TreeRunner) {
  let running = 0;
  let disturbed = new AbortController();
  let quiet = Promise.withResolvers<void>();
  quiet.resolve();
  const onBegin = new Set<() => void>();
  const watched: TreeRunner = {
    async run(request) {
      if (running++ === 0) {
        quiet = Promise.withResolvers();
        disturbed.abort();
      }
      for (const tell of onBegin) tell();
      try {
        return await runner.run(request);
      } finally {
        if (--running === 0) {
          disturbed = new AbortController();
          quiet.resolve();
        }
      }
    },
  };
  return {
    runner: watched,
    isRunning: () => running > 0,
    onBegin,
    quiet: () => quiet.promise,
    disturbed: () => disturbed.signal,
  };
}

/** Watches one run that may be beside commands. It is ended where one of them runs and it is not over soon. */
export function watchBeside(commands: Commands, signal: AbortSignal, shortMs: number) {
  const tooLong = new AbortController();
  let isDisturbed = false;
  let isShort = true;
  let timer: NodeJS.Timeout | undefined;
  const disturb = () => {
    isDisturbed = true;
    if (!isShort) tooLong.abort();
  };
  return {
    signal: AbortSignal.any([signal, tooLong.signal]),
    begin() {
      commands.onBegin.add(disturb);
      if (commands.isRunning()) isDisturbed = true;
      timer = setTimeout(() => {
        isShort = false;
        if (isDisturbed) tooLong.abort();
      }, shortMs).unref();
    },
    isKept: (record: CheckRecord) => !isDisturbed || (isLasting(record) && !record.report?.stalled),
    isTooLong: () => tooLong.signal.aborted,
    end() {
      commands.onBegin.delete(disturb);
      clearTimeout(timer);
    },
  };
}
