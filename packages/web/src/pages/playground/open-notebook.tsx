import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { LanguageChoice } from "./language-choice.tsx";
import { hasProblem, NO_PLACE, PlaceFields, readPlace } from "./place-fields.tsx";

type SessionLanguage = "python" | "node";
const LANGUAGES: readonly SessionLanguage[] = ["python", "node"];

export function OpenNotebook() {
  const { t } = useWords();
  const navigate = useNavigate();
  const [language, setLanguage] = useState<SessionLanguage>("python");
  const [place, setPlace] = useState(NO_PLACE);
  const open = useMutation({
    mutationFn: () => client.sessions.open({ language, ...readPlace(place) }),
    onSuccess: ({ sessionId: id }) => navigate({ to: "/playground/$id", params: { id } }),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasProblem(place)) open.mutate();
      }}
    >
      <LanguageChoice name="notebook" languages={LANGUAGES} chosen={language} onChoose={setLanguage} />
      <PlaceFields draft={place} onChange={setPlace} />
      {open.error && <ErrorNote error={open.error} />}
      <Button type="submit" look="primary" disabled={open.isPending} className="h-9 self-start px-4">
        <Icon name="flask" />
        {t("play.open")}
      </Button>
    </form>
  );
}
