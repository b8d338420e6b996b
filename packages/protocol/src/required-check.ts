import * as z from "zod";
import { Check } from "./check.ts";

/**
 * A check as people write it: a command line that must end with status 0, or any check as an object. Text that starts
 * with `{` is such an object as JSON.
 */
export const CheckEntry = z.union([z.string().min(1), Check]);
export type CheckEntry = z.infer<typeof CheckEntry>;

/** A check that a person requires of the whole result, whatever the plan says. */
export const RequiredCheck = z.strictObject({ source: z.enum(["user", "owner", "workspace"]), check: Check });
export type RequiredCheck = z.infer<typeof RequiredCheck>;
