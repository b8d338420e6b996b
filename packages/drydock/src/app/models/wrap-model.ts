import type { Model } from "../../models/index.ts";

/** Puts something between tasks and agents and the model that they ask; null where none is configured. */
export type WrapModel = (model: Model | null) => Model;
