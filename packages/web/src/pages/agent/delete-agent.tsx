import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.ts";

export function DeleteAgent({ name }: { name: string }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    await client.host.agents.remove(name);
    queries.removeQueries({ queryKey: ["host", "agent", name] });
    await navigate({ to: "/agents" });
    await queries.invalidateQueries({ queryKey: ["host"] });
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t("agent.delete")}
      </Button>
      <Confirm
        title={t("agent.deleteTitle", { name })}
        verb={t("agent.delete")}
        isDangerous
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        act={remove}
      >
        <p>{t("agent.deleteText")}</p>
      </Confirm>
    </>
  );
}
