import { createServer } from "node:net"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import type { AddressInfo } from "node:net"
import t from "tap"
import type { RunningService } from "../../../../core/capability.ts"
import { fromResponse } from "../../../../core/http/answer.ts"
import { serve } from "../../../../core/http/serve.ts"
import { createAdminApp, openAdmin } from "../../../../plugins/capabilities/metrics/admin.ts"

const source = {
  metrics: () => Promise.resolve({ text: "a 1\n", type: "text/plain; version=0.0.4" }),
  health: async (request: Request) => Response.json({ path: new URL(request.url).pathname }),
}

t.test("createAdminApp serves GET and HEAD /metrics, health checks, and nothing else", async (t) => {
  const app = createAdminApp(source)
  const send = async (path: string, method = "GET") => {
    const request = new Request(`http://localhost${path}`, { method })
    const response = await app(request)
    return [response.status, response.headers.get("content-type"), await response.text()]
  }
  t.strictSame(await send("/metrics"), [200, "text/plain; version=0.0.4", "a 1\n"])
  t.strictSame(await send("/metrics", "HEAD"), [200, "text/plain; version=0.0.4", ""])
  t.match(await send("/metrics", "POST"), [405, "application/problem+json"])
  t.match(await send("/livez"), [200, /json/, '{"path":"/livez"}'])
  t.match(await send("/readyz"), [200, /json/, '{"path":"/readyz"}'])
  for (const path of ["/", "/session", "/livez/x", "/x/livez"]) {
    t.match(await send(path), [404, "application/problem+json"], path)
  }
})

/** Opens an address for metrics that another server has. `errors` grows with what is logged. */
async function openTaken() {
  const other = createServer().listen(0, "127.0.0.1")
  await once(other, "listening")
  const { port } = other.address() as AddressInfo
  const errors: object[] = []
  const ignore = () => {}
  const log = {
    ...{ debug: ignore, info: ignore, warn: ignore },
    error: (fields: object) => void errors.push(fields),
  }
  const listen: RunningService["listen"] = (place, respond) =>
    serve(async (request, peer) => fromResponse(await respond(request, peer)), {
      ...place,
      publicUrl: undefined,
      log,
    })
  const admin = await openAdmin({ ...source, listen }, {
    host: "127.0.0.1",
    port,
    log,
    patience: 5,
  })
  return { other, port, errors, admin }
}

t.test("openAdmin logs an address that is in use, and waits for it", async (t) => {
  const { other, port, errors, admin } = await openTaken()
  t.teardown(() => admin.close())
  t.equal(admin.url, null)
  t.match(errors, [{ port, error: { code: "EADDRINUSE" } }])
  other.close()
  while (admin.url === null) await setTimeout(5)
  t.equal(await (await fetch(`${admin.url}/metrics`)).text(), "a 1\n")
})

t.test("openAdmin tries no more once it is closed", async (t) => {
  const { other, errors, admin } = await openTaken()
  await admin.close()
  await setTimeout(20)
  t.equal(errors.length, 1)
  other.close()
})
