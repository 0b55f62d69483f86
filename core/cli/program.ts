import { Command, CommanderError } from "commander"
import { loadAllCapabilities } from "../config/capabilities.ts"
import { ConfigError } from "../config/problem.ts"
import type { Capability } from "../kernel/capability.ts"
import { version } from "../kernel/version.ts"
import { type Terminal, withoutControls } from "../kernel/terminal.ts"
import { configName, readDraft } from "./context.ts"
import { migrateCommand } from "./migrate.ts"
import { ExitError } from "../errors.ts"
import { serveCommand } from "./serve.ts"

/** Returns the command line, with the commands of these capabilities. */
export function createProgram(
  terminal: Terminal,
  capabilities: readonly Pick<Capability, "commands">[],
): Command {
  const program = new Command("event-export")
    .description("Exports the guests and items of fundraising events to partners over HTTP.")
    .option(
      "-c, --config <file>",
      `the configuration (default: $CONFIG, else ${configName} in this folder)`,
    )
    .version(version, "--version", "print the version")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 bad configuration or bad usage.")
  const commands = [
    serveCommand,
    migrateCommand,
    ...capabilities.flatMap(({ commands = [] }) => commands),
  ]
  for (const command of commands) addCommand(program, command(terminal))
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
  const { env } = process
  const config = namedIn(args) ?? env["CONFIG"]
  const terminal = { ...withoutControls(process), config }
  try {
    const draft = await readDraft(terminal).catch(() => undefined)
    // All that are installed, if it is unknown which are on: the command then says why.
    const named = draft?.named as readonly Capability[] | undefined
    const capabilities = named ?? await loadAllCapabilities<Capability>()
    await createProgram({ ...terminal, draft }, capabilities).parseAsync(args, { from: "user" })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    // A TypeError is a defect of the program: its stack says where.
    const { message, stack } = error as Error
    terminal.warn(error instanceof TypeError ? String(stack) : message)
    if (error instanceof ConfigError) return 2
    return error instanceof ExitError ? error.exitCode : 1
  }
}

/** Adds a command; the subcommands and options of one that is there already are added to that. */
function addCommand(program: Command, command: Command): void {
  const present = program.commands.find((each) => each.name() === command.name())
  if (!present) return void program.addCommand(command)
  if (!present.description()) present.description(command.description())
  for (const each of command.commands) present.addCommand(each)
  for (const option of command.options) present.addOption(option)
}

/** Returns the configuration that the arguments name; undefined if they name none, or if they are wrong. */
function namedIn(args: readonly string[]): string | undefined {
  const probe = new Command().option("-c, --config <file>").allowUnknownOption()
    .allowExcessArguments().helpOption(false).exitOverride().configureOutput({ writeErr: () => {} })
  try {
    return probe.parse(args, { from: "user" }).opts<{ config?: string }>().config
  } catch {
    return undefined
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
