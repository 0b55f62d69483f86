import type { Test } from "tap"
import { startLocal } from "./local-server.ts"
import { installedProgram, type Program, unpackedProgram } from "./programs.ts"

const never = new AbortController().signal

/** Finds a MySQL that a test can start for itself. Returns the reason if there is none. */
export async function ownMysql(): Promise<Program | string> {
  try {
    return await installedProgram("mysql").catch(() => unpackedProgram("mysql", never))
  } catch (error) {
    return `there is no mysqld on this machine: ${(error as Error).message}`
  }
}

/** Starts a server that one test may change as a whole. Stops it after the test. Returns its URL. */
export async function startOwnMysql(t: Test, program: Program): Promise<string> {
  const { url, stop } = await startLocal(program, never)
  t.teardown(stop)
  return url
}
