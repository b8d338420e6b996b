import type { RunStatus, Verdict } from "@drydock/protocol";
import { useWords } from "../words/words.ts";
import { cx } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { STATUS_LOOKS, TONE_FILL, TONE_TEXT, VERDICT_LOOKS } from "./tone.ts";

/** What the program did: a sign and a word. */
export function StatusMark({ status, className }: { status: RunStatus; className?: string }) {
  const { t } = useWords();
  const { tone, icon } = STATUS_LOOKS[status];
  return (
    <span className={cx("inline-flex items-center gap-1.5 whitespace-nowrap", TONE_TEXT[tone], className)}>
      <Icon name={icon} className={cx("size-4", status === "running" && "pulse")} />
      {t(`status.${status}`)}
    </span>
  );
}

/** What the checks proved: a pill, so that it is not taken for the status. */
export function VerdictPill({ verdict, className }: { verdict: Verdict; className?: string }) {
  const { t } = useWords();
  const { tone, icon } = VERDICT_LOOKS[verdict];
  return (
    <span
      className={cx(
        "inline-flex h-5.5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap",
        TONE_FILL[tone],
        className,
      )}
    >
      <Icon name={icon} className="size-3.5" />
      {t(`verdict.${verdict}`)}
    </span>
  );
}
