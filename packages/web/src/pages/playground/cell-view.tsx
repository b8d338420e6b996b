import type { KeyboardEvent } from "react";
import type { Cell } from "../../data/notebook/cell.ts";
import { cx } from "../../parts/class-names.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { ExecutionView } from "./execution-view.tsx";

interface Props {
  cell: Cell;
  number: number;
  language: "python" | "node";
  isChosen: boolean;
  mark: "running" | "queued" | null;
  isUndone: boolean;
  /** The session has the state after this cell. */
  isCurrent: boolean;
  mayRun: boolean;
  mayReturn: boolean;
  onChoose(): void;
  onEdit(code: string): void;
  onRun(then: "next" | "stay" | "insert"): void;
  onStop(): void;
  onAdd(where: "above" | "below"): void;
  onRemove(): void;
  onReturn(step: number): void;
  onAnswer(line: string | null): Promise<unknown>;
}

/** One cell: its code, what can be done with it, and what came of it. */
export function CellView(props: Props) {
  const { t } = useWords();
  const { cell, number, language, isChosen, mark, isUndone } = props;
  const press = (event: KeyboardEvent<HTMLElement>): boolean => {
    const then = event.key === "Enter" ? findNext(event) : null;
    if (then === null) return false;
    event.preventDefault();
    event.stopPropagation();
    props.onRun(then);
    return true;
  };
  return (
    <li
      data-cell={cell.key}
      tabIndex={-1}
      aria-label={t("play.cell", { number })}
      onFocus={props.onChoose}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || press(event) || event.key !== "Enter") return;
        event.preventDefault();
        event.currentTarget.querySelector("textarea")?.focus();
      }}
      className="min-w-0 rounded-xl outline-offset-4"
    >
      <div
        className={cx(
          "overflow-hidden rounded-xl border bg-panel",
          isChosen ? "border-accent" : "border-line-strong",
          mark === "running" && "border-accent",
          isUndone && "border-dashed",
        )}
      >
        <div className="flex min-h-9 flex-wrap items-center gap-x-2 border-line border-b bg-sunken px-2">
          <CellMark {...props} />
          <CellTools {...props} />
        </div>
        {cell.isTerminal ? (
          <p className="flex items-center gap-2 px-3 py-2 text-sm text-soft">
            <Icon name="terminal" />
            {t("terminal.title")}
          </p>
        ) : (
          <CodeEditor
            label={t("play.cellCode", { number })}
            value={cell.code}
            language={language}
            onChange={props.onEdit}
            onKey={(event) => {
              if (event.key === "Escape") event.currentTarget.closest<HTMLElement>("[data-cell]")?.focus();
              return event.key === "Escape" || press(event);
            }}
          />
        )}
      </div>
      <div className="mt-2 pl-1">
        <ExecutionView
          // What a terminal told its host is no output.
          execution={
            cell.isTerminal ? { ...cell, output: cell.output.filter(({ stream }) => stream === "stdout") } : cell
          }
          onAnswer={props.onAnswer}
        />
      </div>
    </li>
  );
}

/** What comes after the run, as the keys beside Enter say; null: Enter alone. */
function findNext({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): "next" | "stay" | "insert" | null {
  if (shiftKey) return "next";
  if (ctrlKey || metaKey) return "stay";
  return altKey ? "insert" : null;
}

function CellMark({ cell, mark, isUndone }: Props) {
  const { t } = useWords();
  const { duration } = useQuantities();
  const isChanged = cell.ranCode !== null && cell.ranCode !== cell.code && !cell.isTerminal;
  return (
    <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 px-1 text-soft text-xs">
      <span
        className={cx("tabular font-mono", cell.state === "failed" && "text-bad", cell.state === "ok" && "text-good")}
      >
        [{mark === "running" ? "*" : (cell.step ?? " ")}]
      </span>
      {mark === "running" && <span className="pulse text-accent">{t("play.running")}</span>}
      {mark === "queued" && <span>{t("play.queued")}</span>}
      {mark === null && cell.wallMs !== null && <span className="tabular">{duration(cell.wallMs)}</span>}
      {isUndone && <span className="font-medium text-warn">{t("play.undone")}</span>}
      {mark === null && isChanged && <span className="text-warn">{t("play.changed")}</span>}
      {mark === null && cell.state === "cancelled" && <span className="text-warn">{t("play.stopped")}</span>}
      {mark === null && cell.state === "idle" && <span>{t("play.notRun")}</span>}
    </p>
  );
}

/** What can be done with the cell. */
function CellTools(props: Props) {
  const { t } = useWords();
  const { cell, mark } = props;
  return (
    <div className="ml-auto flex">
      {mark === "running" ? (
        <Tool icon="stop" label={t("play.stop")} onClick={props.onStop} />
      ) : (
        !cell.isTerminal && (
          <Tool icon="play" label={t("play.run")} isOff={!props.mayRun} onClick={() => props.onRun("stay")} />
        )
      )}
      {cell.step !== null && cell.state === "ok" && !props.isCurrent && props.mayReturn && (
        <Tool icon="back" label={t("play.returnHere")} onClick={() => props.onReturn(cell.step ?? 0)} />
      )}
      <Tool icon="plus" label={t("play.below")} onClick={() => props.onAdd("below")} />
      <Tool icon="trash" label={t("play.delete")} isOff={mark === "running"} onClick={props.onRemove} />
    </div>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  isOff?: boolean;
  onClick(): void;
}

function Tool({ icon, label, isOff = false, onClick }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
      className="grid size-8 place-items-center rounded-md text-soft hover:bg-panel hover:text-ink disabled:cursor-not-allowed disabled:opacity-40"
    >
      <Icon name={icon} className="size-3.5" />
    </button>
  );
}
