import { createConnection } from "mysql2/promise"
import { setTimeout as sleep } from "node:timers/promises"

/**
 * Waits until the server accepts the URL's account, and returns its version. Rejects if the server
 * denies the account, after `limitMs` with the last error, or on `signal`.
 */
export async function untilReady(
  url: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<string> {
  const deadline = Date.now() + limitMs
  while (true) {
    try {
      return await version(url)
    } catch (error) {
      const denied = (error as { code?: string }).code === "ER_ACCESS_DENIED_ERROR"
      if (denied || Date.now() > deadline) throw error
      await sleep(50, undefined, { signal })
    }
  }
}

async function version(url: string): Promise<string> {
  const connection = await createConnection({ uri: url, connectTimeout: 5_000 })
  try {
    const [rows] = await connection.query("select version() as version")
    return (rows as { version: string }[])[0]?.version ?? "of unknown version"
  } finally {
    await connection.end()
  }
}
