import { type PolicyAnswer, type PolicyQuestion, QUESTION_KINDS } from "@drydock/protocol";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { TONE_FILL, type Tone } from "../../parts/tone.ts";
import { useWords } from "../../words/words.ts";

const EXAMPLES: Readonly<Record<PolicyQuestion["kind"], string>> = {
  read: ".env",
  write: "src/main.ts",
  command: "git push origin main",
  host: "example.org:443",
  import: "socket",
};
const LOOKS: Readonly<Record<PolicyAnswer["verdict"], { tone: Tone; icon: IconName }>> = {
  allowed: { tone: "good", icon: "check" },
  denied: { tone: "bad", icon: "cross" },
  unsure: { tone: "warn", icon: "question" },
};

/** "Would this be allowed?" With a text: as if that were saved already. */
export function AskPolicy({ text }: { text: string | null }) {
  const { t } = useWords();
  const [kind, setKind] = useState<PolicyQuestion["kind"]>("host");
  const [value, setValue] = useState("");
  const ask = useMutation({
    mutationFn: () => client.policies.ask({ kind, value: value || EXAMPLES[kind], ...(text !== null && { text }) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <section aria-labelledby="ask" className="rounded-xl border border-line bg-panel p-4">
      <h2 id="ask" className="font-semibold text-sm">
        {t("ask.title")}
      </h2>
      <form onSubmit={submit} className="mt-3 flex flex-col gap-2">
        <select
          aria-label={t("ask.kind")}
          value={kind}
          onChange={({ target }) => {
            setKind(QUESTION_KINDS.find((each) => each === target.value) ?? "host");
            ask.reset();
          }}
          className="field"
        >
          {QUESTION_KINDS.map((each) => (
            <option key={each} value={each}>
              {t(`ask.${each}`)}
            </option>
          ))}
        </select>
        <div className="flex gap-2">
          <input
            aria-label={t("ask.value")}
            placeholder={EXAMPLES[kind]}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={({ target }) => setValue(target.value)}
            className="field min-w-0 flex-1 font-mono text-xs"
          />
          <Button type="submit" disabled={ask.isPending}>
            {t("ask.ask")}
          </Button>
        </div>
        {text !== null && <p className="text-soft text-xs">{t("ask.draft")}</p>}
      </form>
      <div role="status" className="mt-3">
        {ask.error && <ErrorNote error={ask.error} />}
        {ask.data && <Answer answer={ask.data} />}
      </div>
    </section>
  );
}

function Answer({ answer: { verdict, key, entry, source, where, reason, hint } }: { answer: PolicyAnswer }) {
  const { t } = useWords();
  const { tone, icon } = LOOKS[verdict];
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className={cx("flex items-center gap-2 rounded-md px-3 py-2 font-medium", TONE_FILL[tone])}>
        <Icon name={icon} />
        {t(`ask.${verdict}`)}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
        <dt className="text-soft">{t("ask.rule")}</dt>
        <dd className="font-mono wrap-anywhere">{entry === null ? key : `${key}: ${entry}`}</dd>
        <dt className="text-soft">{t("ask.where")}</dt>
        <dd className="wrap-anywhere">
          {t(`origin.of.${source}`)} {where !== "" && <code className="font-mono">{where}</code>}
        </dd>
      </dl>
      {reason !== null && <p className="wrap-anywhere">{reason}</p>}
      {hint !== null && <p className="text-soft wrap-anywhere">{hint}</p>}
    </div>
  );
}
