import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../data/client.ts";
import type { Notebook } from "../../data/notebook/notebook.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";

interface Props {
  notebook: Notebook;
  language: "python" | "node";
  isRunning: boolean;
  /** A terminal is open: nothing else runs meanwhile. */
  isHeld: boolean;
  onTerminal(): void;
}

const QUESTIONS = ["fork", "close"] as const;
type Question = (typeof QUESTIONS)[number];

/** What can be done with all of a notebook. */
export function NotebookActions({ notebook, language, isRunning, isHeld, onTerminal }: Props) {
  const { t } = useWords();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question | null>(null);
  const act = async () => {
    if (question === "close") return notebook.close();
    const { sessions } = await client.sessions.fork(notebook.id, { count: 1 });
    const [copy] = sessions;
    if (copy) await navigate({ to: "/playground/$id", params: { id: copy.sessionId } });
  };
  const isPython = language === "python";
  const isBusy = isRunning || isHeld;
  return (
    <div className="flex flex-wrap gap-2">
      {isRunning ? (
        <Button look="danger" onClick={notebook.stop}>
          <Icon name="stop" />
          {t("play.stop")}
        </Button>
      ) : (
        <Button
          look="primary"
          disabled={isHeld}
          onClick={() => notebook.run(notebook.get().cells.flatMap((cell) => (cell.isTerminal ? [] : [cell.key])))}
        >
          <Icon name="play" />
          {t("play.runAll")}
        </Button>
      )}
      {isPython && (
        <Button disabled={isBusy} onClick={onTerminal}>
          <Icon name="terminal" />
          {t("terminal.open")}
        </Button>
      )}
      {isPython && (
        <Button disabled={isBusy} onClick={() => setQuestion("fork")}>
          <Icon name="fork" />
          {t("play.fork")}
        </Button>
      )}
      <Button onClick={() => setQuestion("close")}>
        <Icon name="cross" />
        {t("play.close")}
      </Button>
      <Confirm
        title={question === null ? "" : t(`play.${question}`)}
        verb={question === null ? "" : t(`play.${question}`)}
        isDangerous={question === "close"}
        isOpen={question !== null}
        onClose={() => setQuestion(null)}
        act={act}
      >
        {question !== null && <p>{t(`play.${question}Text`)}</p>}
      </Confirm>
    </div>
  );
}
