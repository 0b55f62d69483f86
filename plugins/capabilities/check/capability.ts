import type { Capability } from "../../../core/capability.ts"
import { checkCommand } from "./command.ts"
import { leftOutSection, observeLeftOut } from "./left-out.ts"
import { openApiCommand } from "./openapi-command.ts"
import { routesCommand } from "./routes-command.ts"
import { schemaCommand } from "./schema-command.ts"
import { statusCommand } from "./status-command.ts"
import { findOwnWarnings } from "./trouble.ts"

/** What a configuration says, what is wrong with it, what it would change, and what a server has in force. */
const check: Capability = {
  name: "check",
  summary: "Checks configurations, warns of trouble, and shows what a running server has in force",
  additions: { console: () => Promise.resolve([leftOutSection]) },
  commands: [checkCommand, routesCommand, statusCommand, schemaCommand, openApiCommand],
  open: (host) => ({ observe: observeLeftOut(host) }),
  warn: findOwnWarnings,
}

export default check
