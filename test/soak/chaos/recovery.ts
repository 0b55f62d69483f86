import { setTimeout as sleep } from "node:timers/promises"
import { NotNow } from "./client.ts"
import type { ServiceProcess } from "./service-process.ts"
import type { Stage } from "./stage.ts"

/** Milliseconds after which a service counts as broken for good. */
const patience = 60_000

/** Rounds of requests in a row that have to succeed. */
const rounds = 3

/**
 * Waits until a service answers lists, log-ins and its readiness probe again. Returns the milliseconds
 * until the first of several good rounds.
 *
 * @throws if it does not recover.
 */
export async function untilRecovered(
  service: ServiceProcess,
  { client, cookies, data }: Pick<Stage, "client" | "cookies" | "data">,
): Promise<number> {
  const path = `/acme/v1/events/${data.eventIds[1]}/guests?limit=10`
  const cookie = cookies["acme-export"] ?? ""
  const began = performance.now()
  let firstGood = 0
  let last: unknown
  for (let good = 0; performance.now() < began + patience;) {
    try {
      await client.get(path, { service, cookie, isAudited: true })
      const own = await client.logIn("visitor", { service })
      await client.get("/connector-b/v1/events", { service, cookie: own })
      await client.logOut({ service, cookie: own })
      await client.get("/readyz", { service })
      if (good === 0) firstGood = performance.now() - began
      if (++good === rounds) return firstGood
    } catch (error) {
      if (!(error instanceof NotNow)) throw error
      last = error.message
      good = 0
      await sleep(100)
    }
  }
  throw new Error(`${service.name} has not recovered: ${last}`)
}
