import type { ServerStatus } from "@drydock/protocol";
import { useNow } from "../../app/use-now.ts";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

/** The figures of this moment. */
export function StatusTiles({ status }: { status: ServerStatus }) {
  const { t } = useWords();
  const { number, bytes, duration } = useQuantities();
  const now = useNow(3000);
  const upMs = Math.max(0, now - Date.parse(status.startedAt));
  const { sandbox, concurrency, sessions, backgroundRuns, streams, memoryBytes, cpuSeconds } = status;
  const tiles = [
    { word: "ops.running", value: number(sandbox.running), note: t("ops.ofLimit", { limit: concurrency }) },
    { word: "ops.waiting", value: number(sandbox.waiting), note: t("ops.waitingNote") },
    { word: "ops.sessions", value: number(sessions.live), note: t("ops.ofLimit", { limit: sessions.limit }) },
    { word: "ops.background", value: number(backgroundRuns), note: t("ops.backgroundNote") },
    { word: "ops.streams", value: number(streams), note: t("ops.streamsNote") },
    {
      word: "ops.process",
      value: bytes(memoryBytes),
      note: t("ops.processNote", { cpu: duration(cpuSeconds * 1000), up: duration(upMs) }),
    },
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
      {tiles.map(({ word, value, note }) => (
        <div key={word} className="flex flex-col rounded-xl border border-line bg-panel px-4 py-3">
          <dt className="text-soft text-xs">{t(word)}</dt>
          <dd className="tabular mt-1 font-semibold text-xl">{value}</dd>
          <dd className="pt-0.5 text-soft text-xs">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
