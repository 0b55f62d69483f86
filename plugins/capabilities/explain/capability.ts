import { Command } from "commander"
import type { Capability } from "../../../core/capability.ts"
import { accessExplainCommand } from "./command.ts"

/** Explains what an account would get from each route of an event, and which setting or grant decides that. */
const explain: Capability = {
  name: "explain",
  summary: "Explains why an account may read an event, or not",
  additions: { console: async () => (await import("./section.ts")).sections },
  commands: [(terminal) => new Command("access").addCommand(accessExplainCommand(terminal))],
}

export default explain
