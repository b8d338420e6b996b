import type { RunnerInfo } from "@drydock/protocol";
import { pickText } from "../../forms/pick-text.ts";
import { cx } from "../../parts/class-names.ts";
import { EmptyNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

interface Props {
  runners: readonly RunnerInfo[];
  chosen: string;
  onChoose(id: string): void;
}

/** Only what is installed can be chosen. */
export function RunnerChoice({ runners, chosen, onChoose }: Props) {
  const { t, language } = useWords();
  if (runners.length === 0) return <NoRunner />;
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">{t("agent.runner")}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {runners.map(({ id, label, description }) => (
          <label
            key={id}
            className={cx(
              "flex cursor-pointer gap-2.5 rounded-lg border p-3 text-sm focus-within:outline-2 focus-within:outline-accent",
              id === chosen ? "border-accent bg-accent-tint" : "border-line-strong bg-panel hover:bg-sunken",
            )}
          >
            <input
              type="radio"
              name="runner"
              value={id}
              checked={id === chosen}
              onChange={() => onChoose(id)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{pickText(label, language) ?? id}</span>
              <span className="block text-soft text-xs wrap-anywhere">{pickText(description, language)}</span>
              <span className="mt-1 block font-mono text-2xs text-soft wrap-anywhere">{id}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NoRunner() {
  const { t } = useWords();
  return (
    <EmptyNote title={t("agent.noRunners")}>
      <p>{t("agent.noRunnersText")}</p>
      <pre className="mt-3 overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-3 text-left font-mono text-xs">
        drydock plugin add DIRECTORY
      </pre>
    </EmptyNote>
  );
}
