import type { Test } from "tap"
import { startLocal } from "../../support/mysql/local-server.ts"
import { localMysql } from "../../support/mysql/programs.ts"

/** Starts a MySQL server for one test that changes the server's settings. Returns its URL. */
export async function privateMysql(t: Test): Promise<string> {
  const { signal } = new AbortController()
  const server = await startLocal(await localMysql(signal), signal)
  t.teardown(() => server.stop())
  return server.url
}
