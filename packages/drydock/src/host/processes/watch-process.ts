import type { PluginProcess } from "./plugin-process.ts";

export interface WatchOptions {
  heartbeatMs: number;
  lifeMs: number | undefined;
  isIdle(): boolean;
  /** Whether the files of the plugin are those that the process was started from. */
  isCurrent(): Promise<boolean>;
  /** Nobody needs it any more, or it is too old for new runs. */
  onDone(): void;
  onSilent(): void;
}

/** Until the process ends: whether it still answers, and whether anybody still needs it. */
export function watchProcess(process: PluginProcess, options: WatchOptions): void {
  const { heartbeatMs, lifeMs, isIdle, isCurrent, onDone, onSilent } = options;
  let isOver = false;
  let isAsking = false;
  const finish = (report: () => void) => {
    if (isOver) return;
    stop();
    report();
  };
  const stop = () => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(life);
  };
  const beat = async () => {
    if (isIdle() || !(await isCurrent())) return finish(onDone);
    await process.ping(AbortSignal.timeout(heartbeatMs)).catch(() => finish(onSilent));
  };
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void beat().finally(() => {
      isAsking = false;
    });
  }, heartbeatMs);
  timer.unref();
  const life = lifeMs === undefined ? undefined : setTimeout(() => finish(onDone), lifeMs);
  life?.unref();
  void process.end.then(stop);
}
