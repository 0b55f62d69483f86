import { setTimeout as sleep } from "node:timers/promises"
import { type Client, NotNow } from "./client.ts"

/** Logs in, reads the events and logs out, again and again until `signal`. */
export async function visitUntil(signal: AbortSignal, client: Client): Promise<void> {
  while (!signal.aborted) {
    try {
      const cookie = await client.logIn("visitor")
      await client.get("/connector-b/v1/events", { cookie })
      await client.logOut({ cookie })
    } catch (error) {
      if (!(error instanceof NotNow)) throw error
    }
    await sleep(150)
  }
}
