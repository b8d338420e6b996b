import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

/** Which agent would get an event, and why not the others. Nothing is recorded or started. */
export function DryRun() {
  const { t } = useWords();
  const [text, setText] = useState("");
  const [type, setType] = useState("message.received");
  const [conversation, setConversation] = useState("");
  const route = useMutation({
    mutationFn: () =>
      client.host.events.route({
        type,
        ...(text !== "" && { input: { text } }),
        ...(conversation !== "" && { conversation: { conversation_id: conversation } }),
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    route.mutate();
  };
  const fields = [
    { word: "dryRun.text", value: text, set: setText },
    { word: "binding.event", value: type, set: setType },
    { word: "dryRun.conversation", value: conversation, set: setConversation },
  ] as const;
  return (
    <details className="mt-4">
      <summary className="text-accent text-sm">{t("dryRun.title")}</summary>
      <form onSubmit={submit} className="mt-3 grid items-end gap-2 sm:grid-cols-[1fr_1fr_1fr_auto]">
        {fields.map(({ word, value, set }) => (
          <label key={word} className="flex flex-col gap-1 text-sm">
            {t(word)}
            <input
              value={value}
              onChange={({ target }) => set(target.value)}
              autoComplete="off"
              className="field w-full"
            />
          </label>
        ))}
        <Button type="submit" disabled={route.isPending}>
          {t("dryRun.try")}
        </Button>
      </form>
      <div role="status" className="mt-3 text-sm">
        {route.error && <ErrorNote error={route.error} />}
        {route.data && (
          <>
            <p className="font-medium">{route.data.agent ?? t("dryRun.nobody")}</p>
            <p className="text-soft wrap-anywhere">{route.data.reason}</p>
            <ul className="mt-1 list-disc pl-5 text-soft text-xs">
              {route.data.others.map(({ id, reason }) => (
                <li key={id} className="wrap-anywhere">
                  {reason}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}
