import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import type { RightLine } from "./explain-rights.ts";

/** In plain words what runs may do with the form as it stands. */
export function RightsPanel({ lines }: { lines: readonly RightLine[] }) {
  const { t } = useWords();
  return (
    <section aria-labelledby="rights" className="rounded-xl border border-line bg-panel p-4">
      <h2 id="rights" className="mb-2 font-semibold text-sm">
        {t("agent.summary")}
      </h2>
      {lines.length === 0 && <p className="text-sm text-soft">{t("agent.asksNothing")}</p>}
      <ul className="flex flex-col gap-2 text-sm">
        {lines.map(({ right, word, isGranted, names }) => (
          <li key={right} className="flex gap-2">
            <Icon
              name={isGranted ? "check" : "dash"}
              className={`mt-0.5 size-4 ${isGranted ? "text-good" : "text-soft"}`}
            />
            <span className="min-w-0">
              <span className={isGranted ? "" : "text-soft"}>{t(word)}</span>{" "}
              {isGranted ? (
                names.length > 0 && <code className="font-mono text-xs wrap-anywhere">{names.join(", ")}</code>
              ) : (
                <span className="text-soft text-xs">{t("agent.notGranted")}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 border-line border-t pt-3 text-soft text-xs">{t("agent.policyHolds")}</p>
    </section>
  );
}
