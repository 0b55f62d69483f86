import type { Test } from "tap"
import { startLocal } from "./mysql/local-server.ts"
import { installedProgram, unpackedProgram } from "./mysql/programs.ts"

/** Starts a MySQL server for one test that changes the server's settings. Returns its URL. */
export async function privateMysql(t: Test): Promise<string> {
  const { signal } = new AbortController()
  const program = await installedProgram("mysql").catch(() => unpackedProgram("mysql", signal))
  const server = await startLocal(program, signal)
  t.teardown(() => server.stop())
  return server.url
}
