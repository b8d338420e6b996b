import type { RunEvent } from "@drydock/protocol";
import { JsonView } from "../../parts/json-view.tsx";
import { TerminalText } from "../../parts/terminal-text.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

/** All that the record has of one event: its data, and the hashes that bind it to the one before. */
export function EventInspector({ event }: { event: RunEvent }) {
  const { t } = useWords();
  const { time } = useQuantities();
  const { stdout, stderr, ...data } = event.data;
  return (
    <section
      aria-label={t("inspector.label")}
      className="min-h-0 overflow-y-auto rounded-xl border border-line bg-panel p-4 text-sm"
    >
      <h2 className="font-mono font-semibold text-sm">{event.type}</h2>
      <p className="mt-0.5 text-soft text-xs">
        {t("inspector.number", { number: event.seq })} · {time(event.at)}
      </p>
      <div className="mt-3 flex flex-col gap-3">
        {typeof stdout === "string" && stdout !== "" && (
          <TerminalText text={stdout} label="stdout" className="max-h-72" />
        )}
        {typeof stderr === "string" && stderr !== "" && (
          <TerminalText text={stderr} label="stderr" className="max-h-72" />
        )}
        <div className="font-mono text-xs leading-5">
          <JsonView value={data} />
        </div>
      </div>
      <dl className="mt-4 border-line border-t pt-3 text-2xs text-soft">
        <dt>{t("inspector.hash")}</dt>
        <dd className="font-mono break-all">{event.hash}</dd>
        <dt className="mt-2">{t("inspector.before")}</dt>
        <dd className="font-mono break-all">{event.prevHash}</dd>
      </dl>
    </section>
  );
}
