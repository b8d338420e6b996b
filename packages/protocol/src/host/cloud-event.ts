import * as z from "zod";

const attribute = z.string().min(1);

/** An event as CloudEvents 1.0 describes it, in structured mode. Other attributes are extensions. */
export const CloudEvent = z.looseObject({
  specversion: z.literal("1.0").describe("Version of the specification: `1.0`."),
  id: attribute.describe("Id of the event. With `source`, it names the event: a second one is not handled again."),
  source: attribute.describe("Where the event comes from, a URI."),
  type: attribute.describe("What happened. A type that is no name of ours becomes `webhook.received`."),
  subject: attribute.optional().describe("What the event is about."),
  time: z.iso.datetime({ offset: true }).optional().describe("When it happened, RFC 3339."),
  datacontenttype: attribute.optional().describe("Media type of `data`. Default: JSON."),
  dataschema: attribute.optional().describe("Schema that `data` follows, a URI."),
  data: z
    .unknown()
    .optional()
    .describe("The event's own data. Text, or the field `text` of an object, is the message."),
  data_base64: z.base64().optional().describe("Data that is not text, in base64."),
});
export type CloudEvent = z.infer<typeof CloudEvent>;
