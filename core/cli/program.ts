import { Command, CommanderError } from "commander"
import { ConfigError } from "../config/problem.ts"
import { version } from "../kernel/version.ts"
import { type Terminal, withoutControls } from "./terminal.ts"
import { accessCommand } from "./access.ts"
import { accountCommand } from "./account.ts"
import { auditCommand } from "./audit.ts"
import { checkCommand } from "./check.ts"
import { disclosuresCommand } from "./disclosures.ts"
import { demoCommand } from "./demo.ts"
import { configName } from "./find-config.ts"
import { grantsCommand } from "./grants.ts"
import { initCommand } from "./init.ts"
import { migrateCommand } from "./migrate.ts"
import { newCommand } from "./new.ts"
import { openApiCommand } from "./openapi.ts"
import { partnersCommand } from "./partners.ts"
import { Refusal } from "./refusal.ts"
import { resyncCommand } from "./resync.ts"
import { routesCommand } from "./routes.ts"
import { schemaCommand } from "./schema.ts"
import { serveCommand } from "./serve.ts"
import { statusCommand } from "./status.ts"

/** Returns the whole command line. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command("event-export")
    .description("Exports the guests and items of fundraising events to partners over HTTP.")
    .option(
      "-c, --config <file>",
      `the configuration (default: $CONFIG, else ${configName} in this folder)`,
    )
    .version(version, "--version", "print the version")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 bad configuration or bad usage.")
  const commands = [
    initCommand,
    serveCommand,
    migrateCommand,
    resyncCommand,
    checkCommand,
    routesCommand,
    statusCommand,
    schemaCommand,
    openApiCommand,
    demoCommand,
    newCommand,
    auditCommand,
    disclosuresCommand,
    partnersCommand,
    grantsCommand,
    accountCommand,
    accessCommand,
  ]
  for (const command of commands) program.addCommand(command(terminal))
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => terminal.print(text.trimEnd()),
        writeErr: (text) => terminal.warn(text.trimEnd()),
      })
      .showHelpAfterError("(--help shows how)")
  }
  return program
}

/** Runs a command line, given without the program's name, and returns its exit code. */
export async function runProgram(args: readonly string[], process: Terminal): Promise<number> {
  const terminal = withoutControls(process)
  try {
    await createProgram(terminal).parseAsync(args, { from: "user" })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof ConfigError) {
      terminal.warn(error.message)
      return 2
    }
    if (error instanceof Refusal) {
      terminal.warn(error.message)
      return error.exitCode
    }
    // A TypeError is a defect of the program: its stack says where.
    const { message, stack } = error as Error
    terminal.warn(error instanceof TypeError ? String(stack) : message)
    return 1
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
