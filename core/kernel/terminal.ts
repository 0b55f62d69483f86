import type { Readable } from "node:stream"
import type { ConfigDraft } from "../config/read.ts"
import type { Environment } from "../config/source.ts"
import { printable } from "./printable.ts"

/** What commands use of their process. `main.ts` wraps the real one. */
export interface Terminal {
  readonly env: Environment
  /** The configuration that `--config` or `CONFIG` names; undefined if neither does. */
  readonly config?: string | undefined
  /** The configuration that the command line means, as it has been read; undefined if none can be. */
  readonly draft?: ConfigDraft | undefined
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** True if the output is a terminal. */
  readonly isInteractive: boolean
  /** Returns how many characters fit into a line of the terminal; undefined if that is not known. */
  readonly columns?: () => number | undefined
  /** Writes a line of output. */
  print(line: string): void
  /** Writes some bytes of output, without blocking the process. Returns how many; rejects if it cannot. */
  write(bytes: Uint8Array): Promise<number>
  /** Writes a line for the operator, separate from the output. */
  warn(line: string): void
  /** Like `warn`, but never blocks the process: the line is lost if nobody reads it. */
  notify(line: string): void
  /** Aborts on the signal to stop. */
  readonly shutdown: AbortSignal
  /** Calls back on each signal to reload the configuration. */
  onHangUp(callback: () => void): void
}

/** Returns a terminal that never gets control characters. */
export function withoutControls(terminal: Terminal): Terminal {
  return {
    ...terminal,
    print: (line) => terminal.print(printable(line)),
    warn: (line) => terminal.warn(printable(line)),
    notify: (line) => terminal.notify(printable(line)),
  }
}
