import * as z from "zod";

/** A text in several languages, by locale: `{ en_US: "…", zh_Hans: "…" }`. */
export const LocaleMap = z
  .record(z.string().regex(/^[a-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/), z.string().max(2000))
  .refine((texts) => Object.keys(texts).length > 0, "a text needs at least one language");
export type LocaleMap = z.infer<typeof LocaleMap>;
