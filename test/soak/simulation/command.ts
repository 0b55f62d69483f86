import { Readable } from "node:stream"
import { runProgram } from "../../../core/cli/program.ts"
import { secret } from "../../support/app.ts"
import { Violation } from "./simulation.ts"
import { type Owner, owner } from "./virtual/time.ts"
import type { World } from "./world.ts"

/** How a command ended, and what it printed. */
export interface CommandOutcome {
  /** 0 done, 1 failed, 2 bad configuration or bad usage. */
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command line as a process of its own, on the world's database. `input` is what it reads. */
export async function runCommand(
  world: World,
  args: readonly string[],
  input = "",
): Promise<CommandOutcome> {
  const own: Owner = { isDead: false }
  const out: string[] = []
  const err: string[] = []
  const run = () =>
    runProgram(args, {
      env: {
        DATABASE_URL: world.url,
        SESSION_SECRET: secret,
        PORT: "0",
        CONFIG: world.configuration.file,
      },
      stdin: Readable.from([input]),
      print: (line) => void out.push(line),
      write: (bytes) => Promise.resolve(bytes.length),
      notify: (line) => void err.push(line),
      warn: (line) => void err.push(line),
      shutdown: AbortSignal.abort(),
      isInteractive: false,
      onHangUp: () => {},
    })
  try {
    return { code: await owner.run(own, run), out: out.join("\n"), err: err.join("\n") }
  } finally {
    own.isDead = true
    world.time.forget(own)
    world.machine.statements.closeAll(own)
  }
}

/** Returns what a command printed, in short. */
export function saysOf({ code, out, err }: CommandOutcome): string {
  const [line = ""] = (code === 0 ? out : err).split("\n")
  return `${code} ${line.slice(0, 120)}`
}

/** Runs a command until it succeeds: the database may be away. @throws {Violation} if it never does. */
export async function runUntilDone(world: World, args: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    if ((await runCommand(world, args)).code === 0) return
    await world.time.sleep(10_000)
  }
  throw new Violation(`"${args.join(" ")}" never succeeds`)
}
