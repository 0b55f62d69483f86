import type { Readable } from "node:stream"

/** What a command gets from the process that runs it; `main.ts` makes it of the real one. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** True where people see the output as it comes. */
  readonly isInteractive: boolean
  /** Writes a line of output. */
  print(line: string): void
  /** Writes a line for the operator's eyes, apart from the output. */
  warn(line: string): void
  /** Aborted when the process is asked to end. */
  readonly shutdown: AbortSignal
  /** Calls back whenever the process is told to read its configuration again. */
  onHangUp(callback: () => void): void
}
