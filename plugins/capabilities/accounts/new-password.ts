import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import type { Terminal } from "../../../core/commands.ts"

/**
 * Prompts for a password without showing it, or reads the first line of a piped standard input.
 * Never takes it from an argument, because every process on the machine can read those.
 */
export async function readNewPassword({ stdin, warn }: Terminal): Promise<string> {
  return stdin.isTTY ? await prompt(stdin, warn) : (await text(stdin)).split(/\r?\n/)[0] ?? ""
}

async function prompt(input: Terminal["stdin"], warn: Terminal["warn"]): Promise<string> {
  warn("New password (it is not shown):")
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output, terminal: true })
  try {
    return await reader.question("")
  } finally {
    reader.close()
  }
}
