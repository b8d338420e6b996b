import type { Execution } from "../../data/execution.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { TerminalText } from "../../parts/terminal-text.tsx";
import { useWords } from "../../words/words.ts";
import { ArtifactView } from "../run/artifact-view.tsx";
import { InputLine } from "./input-line.tsx";
import { readRows } from "./read-rows.ts";
import { ResultTable } from "./result-table.tsx";

interface Props {
  execution: Execution;
  onAnswer(line: string | null): Promise<unknown>;
}

/** What came of code: its output as it comes, its result, its files, and what went wrong. */
export function ExecutionView({ execution, onAnswer }: Props) {
  const { t } = useWords();
  const { output, result, error, artifacts, notes, asks } = execution;
  return (
    <div className="flex min-w-0 flex-col gap-2.5">
      {output.map(({ stream, text }, index) => (
        <TerminalText
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are appended.
          key={index}
          text={text}
          label={stream}
          className={stream === "stderr" ? "max-h-96 border-bad!" : "max-h-[32rem]"}
        />
      ))}
      {asks && <InputLine isHidden={asks.hidden} onAnswer={onAnswer} />}
      {error && (
        <div role="alert" className="rounded-lg border border-bad bg-bad-tint px-3.5 py-2.5 text-sm">
          <p className="font-medium wrap-anywhere">{error.message}</p>
          <p className="mt-0.5 text-soft">{error.hint}</p>
          <code className="mt-1 block font-mono text-bad text-xs">{error.code}</code>
        </div>
      )}
      {result !== undefined && result !== null && <Result value={result} />}
      {artifacts.length > 0 && (
        <ul aria-label={t("tab.files")} className="flex flex-col gap-2.5">
          {artifacts.map((artifact) => (
            <li key={artifact.id}>
              <ArtifactView artifact={artifact} />
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note} className="text-soft text-xs wrap-anywhere">
          {note}
        </p>
      ))}
    </div>
  );
}

/** A value of another kind than JSON has comes as its type and its text. */
function Result({ value }: { value: unknown }) {
  const { t } = useWords();
  const rows = readRows(value);
  const { type, repr, ...others } = Object(value) as Record<string, unknown>;
  if (rows) return <ResultTable rows={rows} />;
  const isShown = typeof type === "string" && typeof repr === "string" && Object.keys(others).length === 0;
  if (isShown) return <TerminalText text={repr} label={type} className="max-h-96" />;
  return (
    <ScrollArea
      label={t("run.result")}
      className="max-h-96 overflow-auto rounded-lg border border-line bg-panel p-3 font-mono text-xs"
    >
      <JsonView value={value} />
    </ScrollArea>
  );
}
