import type { Test } from "tap"
import { startListening } from "../../core/kernel/listening.ts"
import type { Service } from "../../core/kernel/service.ts"
import { password } from "./builder.ts"
import type { Engine } from "./database.ts"
import { freshWorkshop, type Workshop } from "./service.ts"

/** A service on a port, and a partner who has logged in and may read one event. */
export interface PolledEvent {
  readonly workshop: Workshop
  /** The plugins in the configuration, to write it again with other settings. */
  readonly plugins: string
  readonly service: Service
  readonly event: string
  /** The URL of the service. */
  readonly url: string
  /** The path of the event's guests. */
  readonly path: string
  /** The headers of a partner who sends the session as a cookie, and as a token. */
  readonly cookie: string
  readonly authorization: string
}

const plugins = `  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`

/** Starts the service with an event of so many guests. Removes all after the test. */
export async function polledEvent(
  t: Test,
  engine: Engine,
  guests: number,
  settings?: string,
): Promise<PolledEvent> {
  const workshop = await freshWorkshop(t, engine)
  const { build } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, guests)
  await build.account("partner")
  await build.grant("partner", { event })
  workshop.write(plugins, settings)
  const service = await workshop.start()
  const { url, close } = await startListening(service)
  t.teardown(close)
  const logIn = await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ username: "partner", password }),
  })
  const [cookie = ""] = (logIn.headers.getSetCookie()[0] ?? "").split(";")
  const authorization = `Bearer ${(await logIn.json()).token}`
  const path = `/connector-b/v1/events/${event}/guests`
  return { workshop, plugins, service, event, url, path, cookie, authorization }
}
