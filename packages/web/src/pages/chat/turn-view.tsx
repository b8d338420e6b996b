import { Link } from "@tanstack/react-router";
import type { ChatPart } from "../../data/fold-chat.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { Icon } from "../../parts/icon.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { ArtifactView } from "../run/artifact-view.tsx";
import type { SentFile, ShownTurn } from "./join-turns.ts";
import { MessageText } from "./message-text.tsx";
import { PastRun } from "./past-run.tsx";

interface Props {
  turn: ShownTurn;
  /** Why no agent got it, where that is known. */
  reason: string | undefined;
  onStop(runId: string): void;
}

/** A message, how it was taken, and what the agent did with it. */
export function TurnView({ turn, reason, onStop }: Props) {
  const { t } = useWords();
  const { text, type, sent, parts, runId, end, taken } = turn;
  const isRunning = taken === "run" && end === null && runId !== null;
  return (
    <li className="flex flex-col gap-3">
      <Said text={text === "" ? type : text} sent={sent} />
      <TakenNote turn={turn} reason={reason} />
      {taken === "run" && (
        <div className="flex min-w-0 flex-col gap-3" aria-busy={isRunning}>
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts only grow at their end.
            <Part key={index} part={part} />
          ))}
          {isRunning && (
            <div className="flex items-center gap-3 text-sm text-soft">
              <span className="flex items-center gap-1.5">
                <Icon name="dot" className="pulse size-4 text-accent" />
                {t("chat.working")}
              </span>
              <Button onClick={() => onStop(runId)}>
                <Icon name="cross" />
                {t("chat.stop")}
              </Button>
            </div>
          )}
          {end?.error && <ErrorNote error={end.error} />}
          {turn.isPast && parts.length === 0 && runId !== null && <PastRun runId={runId} />}
        </div>
      )}
    </li>
  );
}

export function Said({
  text,
  sent,
  isPending = false,
}: {
  text: string;
  sent: readonly SentFile[];
  isPending?: boolean;
}) {
  const { t } = useWords();
  const { bytes } = useQuantities();
  return (
    <div
      className={cx(
        "ml-auto flex max-w-[85%] flex-col gap-2 rounded-2xl rounded-br-md bg-accent-tint px-3.5 py-2",
        isPending && "border border-accent border-dashed",
      )}
    >
      <span className="sr-only">{t("chat.you")}</span>
      <MessageText text={text} />
      {sent.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {sent.map(({ name, size }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: files may have one name.
              key={index}
              className="flex items-center gap-1.5 rounded-md border border-line-strong bg-panel px-2 py-0.5 text-xs"
            >
              <Icon name="file" className="size-3.5 text-soft" />
              <span className="font-mono wrap-anywhere">{name}</span>
              {size > 0 && <span className="text-soft">{bytes(size)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function TakenNote({ turn: { taken, agent, runId, at }, reason }: Pick<Props, "turn" | "reason">) {
  const { t } = useWords();
  const { time } = useQuantities();
  const isRefused = taken === "unbound" || taken === "discarded";
  return (
    <p className={cx("flex flex-wrap items-center gap-x-2 text-xs", isRefused ? "text-warn" : "text-soft")}>
      <span>{t(`taken.${taken}`)}</span>
      {reason !== undefined && <span>{reason}</span>}
      {agent && <strong className="font-medium text-ink">{agent}</strong>}
      {runId !== null && (
        <Link to="/runs/$id" params={{ id: runId }} className="text-accent hover:underline">
          {t("chat.run")}
        </Link>
      )}
      {at !== "" && <time dateTime={at}>{time(at)}</time>}
    </p>
  );
}

function Part({ part }: { part: ChatPart }) {
  if (part.kind === "tool") return <ToolCall call={part} />;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {part.text !== "" && <MessageText text={part.text} />}
      {part.files.map((file) => (
        <ArtifactView key={file.id} artifact={file} />
      ))}
    </div>
  );
}

function ToolCall({ call }: { call: Extract<ChatPart, { kind: "tool" }> }) {
  const { t } = useWords();
  const { name, parameters, result, error, isDone } = call;
  const state = !isDone ? "running" : error === null ? "done" : "failed";
  return (
    <details open className="rounded-lg border border-line bg-panel text-sm">
      <summary className="flex list-none items-center gap-2 px-3 py-2 hover:bg-sunken">
        <Icon name="chevron" className="size-3.5 text-soft [details[open]>summary>&]:rotate-90" />
        <code className="font-mono text-xs wrap-anywhere">{name}</code>
        <span
          className={cx(
            "ml-auto text-xs",
            state === "failed" ? "text-bad" : state === "done" ? "text-good" : "pulse text-accent",
          )}
        >
          {t(`tool.${state}`)}
        </span>
      </summary>
      <div className="flex max-h-96 flex-col gap-2 overflow-y-auto border-line border-t px-3 py-2 font-mono text-xs">
        {parameters !== undefined && <JsonView name={t("tool.parameters")} value={parameters} />}
        {result !== undefined && <JsonView name={t("tool.result")} value={result} />}
        {error !== null && <p className="text-bad wrap-anywhere whitespace-pre-wrap">{error}</p>}
      </div>
    </details>
  );
}
