import { describe } from "vitest";
import { useImage } from "./use-image.ts";

describe.each(["gvisor", "docker"])("an image of the owner's, on %s,", useImage);
