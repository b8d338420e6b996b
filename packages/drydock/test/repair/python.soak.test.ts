import { it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { FAULTS, mendFault } from "./python-faults.ts";

const test = openTestDock();

it.each(FAULTS)("repair mends $name", (fault) => mendFault(test.dock, fault));
