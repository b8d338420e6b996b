import { DrydockError } from "@drydock/protocol";
import type { BoxFiles } from "./api.ts";
import { BoxRefusal } from "./box-link.ts";
import type { Box } from "./create-box.ts";

/** Files of open boxes, for people. All of it is done inside the box: no path of it is opened here. */
export function createBoxFiles(find: (id: string) => Box): BoxFiles {
  const ask = async <Answer>(box: Box, op: string, params: object): Promise<Answer> => {
    box.touch();
    try {
      return (await box.opened.call(op, params as Record<string, unknown>)) as Answer;
    } catch (error) {
      throw error instanceof BoxRefusal ? toDrydockError(error) : error;
    }
  };
  return {
    list: async (id, path = ".") => ask(find(id), "list", { path }),
    async read(id, path, { offset = 0, length } = {}) {
      const params = { path, offset, ...(length !== undefined && { length }) };
      const answer = await ask<{ size: number; base64: string }>(find(id), "fetch", params);
      return { size: Number(answer.size), offset, bytes: Buffer.from(String(answer.base64), "base64") };
    },
    async write(id, path, content) {
      const box = find(id);
      const params = { path, base64_content: Buffer.from(content).toString("base64") };
      return box.inTurn(() => ask(box, "write", params));
    },
    async delete(id, path) {
      const box = find(id);
      return box.inTurn(() => ask(box, "delete", { path }));
    },
  };
}

function toDrydockError({ kind, message }: BoxRefusal): DrydockError {
  const code = kind === "denied" ? "policy.path_denied" : "input.invalid";
  return new DrydockError(code, message, "Paths are relative to the box's directory.", { kind });
}
