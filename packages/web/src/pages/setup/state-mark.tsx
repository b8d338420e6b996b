import { cx } from "../../parts/class-names.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { TONE_FILL, type Tone } from "../../parts/tone.ts";

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  bad: "cross",
  warn: "question",
  live: "dot",
  calm: "dash",
};

/** How something stands, as a sign with a word. */
export function StateMark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-5.5 items-center gap-1 rounded-full px-2 font-medium text-xs whitespace-nowrap",
        TONE_FILL[tone],
      )}
    >
      <Icon name={ICONS[tone]} className="size-3.5" />
      {children}
    </span>
  );
}
