import type { ConversationInfo } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.ts";

export function DeleteConversation({ info: { id, conversationId } }: { info: ConversationInfo }) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await client.host.conversations.delete(id);
    await navigate({ to: "/chat" });
    await queries.invalidateQueries({ queryKey: ["conversations"] });
  };
  return (
    <>
      <Button look="quiet" className="ml-auto" onClick={() => setOpen(true)}>
        {t("chat.delete")}
      </Button>
      <Confirm
        title={t("chat.deleteTitle", { name: conversationId })}
        verb={t("chat.delete")}
        isDangerous
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        act={remove}
      >
        <p>{t("chat.deleteText")}</p>
      </Confirm>
    </>
  );
}
