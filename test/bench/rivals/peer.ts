// A good engineer's server for one customer, with Fastify, mysql2 and iron-session.
// DATABASE_URL=mysql://… PEER_SECRET=… node test/bench/rivals/peer.ts
import etag from "@fastify/etag"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { getIronSession } from "iron-session"
import type { RowDataPacket } from "mysql2"
import process from "node:process"
import { type GuestPage, readGuests, type Shape } from "./guests.ts"
import { readItems } from "./items.ts"
import { openPool } from "./pool.ts"

interface ListRequest {
  Params: { eventId: string }
  Querystring: Omit<GuestPage, "event" | "path">
}

interface SessionData {
  session?: string
  epoch?: number
}

interface Account extends RowDataPacket {
  readonly id: string
  readonly username: string
}

const pool = openPool(process.env["DATABASE_URL"] ?? "")
const sealing = { password: process.env["PEER_SECRET"] ?? "", cookieName: "peer_session" }
const serviceUser = "acme-export"
const connectorEnabled = new Set(["acme"])

async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Account> {
  const { session, epoch } = await getIronSession<SessionData>(request.raw, reply.raw, sealing)
  if (!session) throw refusal(401, "Log in first.")
  const [[account]] = await pool.execute<Account[]>(
    `select account.id, account.username from session
       join account on account.id = session.account_id
     where session.id = ? and session.expires > unix_timestamp()
       and account.epoch = ? and account.disabled = 0`,
    [session, epoch ?? 0],
  )
  if (!account) throw refusal(401, "Log in first.")
  return account
}

async function authorize({ id, username }: Account, eventId: string, shape: Shape): Promise<void> {
  if (shape === "full" && username !== serviceUser) throw refusal(403, "Not the service user.")
  const [[event]] = await pool.execute<RowDataPacket[]>(
    `select organization.slug from event
       join organization on organization.id = event.organization_id
     where event.id = ? and exists (
       select 1 from access_grant
       where account_id = ? and (ends is null or ends > unix_timestamp())
         and (organization_id = event.organization_id or event_id = event.id))`,
    [eventId, id],
  )
  if (!event) throw refusal(404, "No such event.")
  if (!connectorEnabled.has(event["slug"])) throw refusal(403, "Not enabled.")
}

function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

const requestSchema = {
  params: { type: "object", properties: { eventId: { type: "string", format: "uuid" } } },
  querystring: {
    type: "object",
    additionalProperties: false,
    properties: {
      since: { type: "integer", default: 1606062358 },
      offset: { type: "integer", minimum: 0, default: 0 },
      limit: { type: "integer", minimum: 1, maximum: 1000, default: 1000 },
      q: { type: "string", maxLength: 200, default: "" },
      after: { type: "string", pattern: "^(\\d+,[0-9a-f-]{36})?$", default: "" },
    },
  },
}

// Declares no response schemas: on this Node, JSON.stringify is faster than Fastify's serializers.
const app = Fastify({ logger: false })
await app.register(etag)
for (const [prefix, shape] of [["/acme/v1", "full"], ["/connector-b/v1", "lean"]] as const) {
  for (const [list, read] of [["guests", readGuests], ["items", readItems]] as const) {
    app.get<ListRequest>(
      `${prefix}/events/:eventId/${list}`,
      { schema: requestSchema },
      async (request, reply) => {
        const { params: { eventId }, query } = request
        await authorize(await authenticate(request, reply), eventId, shape)
        const page = { event: eventId, path: request.url.replace(/\?.*/, ""), ...query }
        const { records, headers } = await read(pool, shape, page)
        reply.headers(headers)
        return records
      },
    )
  }
}
const url = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(JSON.stringify({ msg: "serving", url }))
process.once("SIGTERM", () => process.exit())
