import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { client } from "../data/client.ts";
import type { FormPorts } from "./controls/control-props.ts";

/** The server, for controls that keep files and store secrets. */
export function useFormPorts(maySetSecrets: boolean): FormPorts {
  const queries = useQueryClient();
  return useMemo(
    () => ({
      async keepFile(file) {
        const content_base64 = await encode(file);
        return client.host.files.add({ name: file.name, content_base64, ...(file.type && { mime: file.type }) });
      },
      storeSecret: maySetSecrets
        ? async (name, value) => {
            await client.secrets.set(name, value);
            await queries.invalidateQueries({ queryKey: ["host", "choices"] });
          }
        : null,
    }),
    [queries, maySetSecrets],
  );
}

function encode(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
