import type { TaskStatus } from "@drydock/protocol";
import { useMemo } from "react";
import { cx } from "../../parts/class-names.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { TONE_TEXT, type Tone } from "../../parts/tone.ts";
import { useWords } from "../../words/words.ts";
import type { TaskFacts } from "./fold-facts.ts";
import { type PlacedTask, placeTasks } from "./place-tasks.ts";

const BOX = { width: 216, height: 68, gapX: 56, gapY: 16 };
const LOOKS: Readonly<Record<TaskStatus, { tone: Tone; icon: IconName }>> = {
  todo: { tone: "calm", icon: "dash" },
  doing: { tone: "live", icon: "dot" },
  done: { tone: "good", icon: "check" },
  failed: { tone: "bad", icon: "cross" },
  cancelled: { tone: "calm", icon: "dash" },
  stale: { tone: "warn", icon: "question" },
};

interface Props {
  tasks: readonly TaskFacts[];
  chosen: string | null;
  onChoose(id: string): void;
}

/** The plan from left to right: what depends on what, and how far each task is. */
export function PlanGraph({ tasks, chosen, onChoose }: Props) {
  const { t } = useWords();
  const placed = useMemo(
    () => placeTasks(tasks.map(({ id, planned }) => ({ id, dependsOn: planned?.dependsOn ?? [] }))),
    [tasks],
  );
  const byId = new Map(placed.map((task) => [task.id, task]));
  const columns = Math.max(0, ...placed.map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...placed.map(({ row }) => row)) + 1;
  const width = columns * (BOX.width + BOX.gapX) - BOX.gapX;
  const height = rows * (BOX.height + BOX.gapY) - BOX.gapY;
  return (
    <ScrollArea label={t("plan.label")} className="overflow-x-auto p-1">
      <ol className="relative" style={{ width, height }}>
        <svg width={width} height={height} className="absolute inset-0" aria-hidden="true">
          {placed.flatMap((task) =>
            task.dependsOn.flatMap((id) => {
              const from = byId.get(id);
              return from ? (
                <path
                  key={`${id} ${task.id}`}
                  d={drawEdge(from, task)}
                  className="fill-none stroke-line-strong"
                  strokeWidth="1.5"
                />
              ) : (
                []
              );
            }),
          )}
        </svg>
        {tasks.map((task) => {
          const place = byId.get(task.id);
          return (
            place && <Box key={task.id} task={task} place={place} isChosen={task.id === chosen} onChoose={onChoose} />
          );
        })}
      </ol>
    </ScrollArea>
  );
}

interface BoxProps {
  task: TaskFacts;
  place: PlacedTask;
  isChosen: boolean;
  onChoose(id: string): void;
}

function Box({ task, place, isChosen, onChoose }: BoxProps) {
  const { t } = useWords();
  const { tone, icon } = LOOKS[task.status];
  const tries = task.attempts.length;
  return (
    <li
      className="absolute"
      style={{ left: place.column * (BOX.width + BOX.gapX), top: place.row * (BOX.height + BOX.gapY) }}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(task.id)}
        style={{ width: BOX.width, height: BOX.height }}
        className={cx(
          "flex flex-col justify-center gap-1 rounded-lg border bg-panel px-3 text-left hover:border-accent",
          isChosen ? "border-accent shadow-[0_0_0_1px_var(--accent)]" : "border-line-strong",
        )}
      >
        <span className="block truncate text-sm font-medium">{task.planned?.title || task.id}</span>
        <span className={cx("flex items-center gap-1.5 text-xs", TONE_TEXT[tone])}>
          <Icon name={icon} className={cx("size-3.5", task.status === "doing" && "pulse")} />
          {t(`task.${task.status}`)}
          {tries > 0 && <span className="text-soft">{t("task.attempts", { count: tries })}</span>}
        </span>
      </button>
    </li>
  );
}

function drawEdge(from: PlacedTask, to: PlacedTask): string {
  const x1 = from.column * (BOX.width + BOX.gapX) + BOX.width;
  const y1 = from.row * (BOX.height + BOX.gapY) + BOX.height / 2;
  const x2 = to.column * (BOX.width + BOX.gapX);
  const y2 = to.row * (BOX.height + BOX.gapY) + BOX.height / 2;
  const bend = BOX.gapX / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
