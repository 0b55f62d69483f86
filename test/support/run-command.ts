import "./clean-environment.ts"
import { Buffer } from "node:buffer"
import process from "node:process"
import { Readable } from "node:stream"
import { runProgram } from "../../core/cli/program.ts"

/** What a command printed as output, as messages, and as both in their order; and its exit code. */
export interface CommandOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly text: string
  /** What was written as bytes: the log, or what a screen shows. */
  readonly written: string
}

/** `make pack-test` names a configuration, because the package has none of its own. */
const config = process.env["CONFIG"]

/** Runs a command line in this process: a text of words, or arguments that may have spaces. The signal to stop has already arrived. */
export async function runCommand(
  args: string | readonly string[],
  { env = {}, input = "", isInteractive = false }: {
    readonly env?: Readonly<Record<string, string>>
    readonly input?: string
    readonly isInteractive?: boolean
  } = {},
): Promise<CommandOutcome> {
  const [out, err, text]: [string[], string[], string[]] = [[], [], []]
  const written: Uint8Array[] = []
  const words = typeof args === "string" ? args.split(" ").filter(Boolean) : args
  const code = await runProgram(words, {
    env: { ...config && { CONFIG: config }, ...env },
    stdin: Readable.from([input]),
    print: (line) => text.push(line) && out.push(line),
    write: (bytes) => {
      written.push(bytes.slice())
      return Promise.resolve(bytes.length)
    },
    notify: (line) => text.push(line) && err.push(line),
    warn: (line) => text.push(line) && err.push(line),
    shutdown: AbortSignal.abort(),
    isInteractive,
    onHangUp: () => {},
  })
  return {
    code,
    out: out.join("\n"),
    err: err.join("\n"),
    text: text.join("\n"),
    written: Buffer.concat(written).toString(),
  }
}
