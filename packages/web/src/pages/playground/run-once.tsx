import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { carryOut } from "../../data/carry-out.ts";
import { client } from "../../data/client.ts";
import { type Execution, NOT_RUN } from "../../data/execution.ts";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import type { CodeLanguage } from "../../parts/highlight-code.ts";
import { Icon } from "../../parts/icon.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { ExecutionView } from "./execution-view.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { hasProblem, NO_PLACE, PlaceFields, readPlace } from "./place-fields.tsx";

const EXAMPLES: Readonly<Record<CodeLanguage, string>> = {
  python: 'import platform\nprint("\\x1b[32mhello\\x1b[0m from", platform.system())\nsum(range(10))',
  node: "console.log(process.version);\n6 * 7",
  bash: "uname -s; id -un; ls -la",
};

/** One execution: code, where it runs and what it may use, and what came of it below. */
export function RunOnce() {
  const { t } = useWords();
  const { duration } = useQuantities();
  const [language, setLanguage] = useState<CodeLanguage>("python");
  const [texts, setTexts] = useState(EXAMPLES);
  const [place, setPlace] = useState(NO_PLACE);
  const [execution, setExecution] = useState<Execution>(NOT_RUN);
  const stop = useRef(new AbortController());
  const code = texts[language];
  const isRunning = execution.state === "running";
  const run = () => {
    if (isRunning || code.trim() === "" || hasProblem(place)) return;
    stop.current = new AbortController();
    const request = { language, code, ...readPlace(place), interactive: language === "python" };
    void carryOut((options) => client.execute(request, options), stop.current.signal, setExecution);
  };
  const answer = async (line: string | null) => {
    setExecution((now) => ({ ...now, asks: null }));
    if (execution.runId !== null)
      await client.runs.input(execution.runId, line === null ? { end: true } : { text: line });
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <LanguageChoice name="once" languages={["python", "node", "bash"]} chosen={language} onChoose={setLanguage} />
      <div className="overflow-hidden rounded-xl border border-line-strong bg-panel focus-within:border-accent">
        <CodeEditor
          label={t("play.code")}
          value={code}
          language={language}
          leastLines={8}
          onChange={(text) => setTexts({ ...texts, [language]: text })}
          onKey={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
            if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return false;
            event.preventDefault();
            run();
            return true;
          }}
        />
      </div>
      <PlaceFields draft={place} onChange={setPlace} />
      <div className="flex flex-wrap items-center gap-3">
        {isRunning ? (
          <Button look="danger" className="h-9 px-4" onClick={() => stop.current.abort()}>
            <Icon name="stop" />
            {t("play.stop")}
          </Button>
        ) : (
          <Button look="primary" className="h-9 px-4" disabled={code.trim() === ""} onClick={run}>
            <Icon name="play" />
            {t("play.run")}
          </Button>
        )}
        <p role="status" className="flex flex-wrap items-center gap-3 text-sm text-soft">
          {isRunning && <span className="pulse text-accent">{t("play.running")}</span>}
          {execution.state === "cancelled" && <span className="text-warn">{t("play.stopped")}</span>}
          {execution.wallMs !== null && <span className="tabular">{duration(execution.wallMs)}</span>}
          {execution.runId !== null && (
            <Link to="/runs/$id" params={{ id: execution.runId }} className="text-accent hover:underline">
              {t("play.openRun")}
            </Link>
          )}
        </p>
      </div>
      {execution.state !== "idle" && <ExecutionView execution={execution} onAnswer={answer} />}
    </div>
  );
}
