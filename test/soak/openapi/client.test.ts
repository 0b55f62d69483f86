import { join } from "node:path"
import { pathToFileURL } from "node:url"
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript"
import t from "tap"
import { password } from "../../support/builder.ts"
import { compile } from "./compile.ts"
import { openStage } from "./stage.ts"

/** A partner's program on top of the types that are generated from the document. */
const client = `
import createClient from "openapi-fetch"
import type { components, paths } from "./document.ts"

type Guest = components["schemas"]["ConnectorBGuest"]
type Media = "application/json" | "application/problem+json" // not the lists as CSV or NDJSON
type Change = components["schemas"]["ConnectorBChange"]

/** A copy of an event's guests and tickets, with all that has to be remembered beside it. */
export interface Copy {
  next: string
  readonly names: Map<string, string>
}

/** Reads on in the feed of an event. */
export async function follow(baseUrl: string, cookie: string, eventId: string, copy: Copy) {
  const client = createClient<paths, Media>({ baseUrl, headers: { cookie } })
  for (let more = true; more;) {
    const { data, error } = await client.GET("/connector-b/v1/events/{eventId}/changes", {
      params: { path: { eventId }, query: { after: copy.next, limit: 10 } },
    })
    if (error) throw new Error(error.code)
    for (const change of data.changes) apply(copy, change)
    copy.next = data.next
    more = data.more
  }
}

function apply({ names }: Copy, change: Change) {
  const key = \`\${change.category} \${change.id}\`
  if ("deleted" in change) names.delete(key)
  else if (change.category === "guests") names.set(key, change.record.email)
  else if (change.category === "tickets") names.set(key, \`\${change.record.admits} \${change.record.name}\`)
}

export async function logIn(baseUrl: string, username: string, password: string): Promise<string> {
  const client = createClient<paths, Media>({ baseUrl })
  const { error, response } = await client.POST("/session", { body: { username, password } })
  if (error) throw new Error(\`\${error.code}: \${error.detail}\`)
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

/** Reads a list page by page. */
export async function readGuests(baseUrl: string, cookie: string, eventId: string) {
  const client = createClient<paths, Media>({ baseUrl, headers: { cookie } })
  const found: Guest[] = []
  let query: { since?: number; limit?: number; cursor?: string } | undefined = { since: -1, limit: 10 }
  while (query) {
    const { data, error, response } = await client.GET("/connector-b/v1/events/{eventId}/guests", {
      params: { path: { eventId }, query },
    })
    if (error) throw new Error(error.code)
    found.push(...data)
    query = nextIn(response)
  }
  return found.map(({ id }) => id)
}

function nextIn(response: Response): { cursor: string } | undefined {
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? []
  const cursor = next && new URL(next).searchParams.get("cursor")
  return cursor ? { cursor } : undefined
}

/** Mistakes that the types must reject. */
export async function mistakes(baseUrl: string, guest: Guest) {
  const client = createClient<paths, Media>({ baseUrl })
  const path = { eventId: guest.eventId }
  const name: string | undefined = guest.mainAddress?.recipient_name
  // @ts-expect-error: lean guests have no companyName
  guest.companyName
  // @ts-expect-error: the parameter is offset
  await client.GET("/connector-b/v1/events/{eventId}/guests", { params: { path, query: { ofset: 1 } } })
  // @ts-expect-error: the event is missing
  await client.GET("/connector-b/v1/events/{eventId}/guests", { params: { path: {} } })
  // @ts-expect-error: the password is missing
  await client.POST("/session", { body: { username: "x" } })
  return { name }
}
`

t.test("a client that is generated from the document compiles, and reads all records of an event", async (t) => {
  const { document, usual, workshop: { build, database } } = await openStage(t)
  const { id: organization } = await database.writer.selectFrom("organization").select("id")
    .where("slug", "=", "north").executeTakeFirstOrThrow()
  const event = await build.event(organization, { name: "Long" })
  const guests = await build.guests(event, 25)
  const tickets = await build.items("tickets", event, 12)

  const folder = await compile(t, {
    "document.ts": astToString(await openapiTS(document as unknown as OpenAPI3)),
    "client.ts": client,
  })
  const { logIn, readGuests, follow } = await import(pathToFileURL(join(folder, "client.ts")).href)
  const cookie = await logIn(usual.url, "partner", password)
  t.strictSame(await readGuests(usual.url, cookie, event), guests)
  await t.rejects(logIn(usual.url, "partner", "wrong"), /^invalid_credentials: /)

  const copy = { next: "", names: new Map<string, string>() }
  const truth = async () => {
    const [people, things] = await Promise.all([
      database.writer.selectFrom("guest").select(["id", "email"]).where("event_id", "=", event)
        .execute(),
      database.writer.selectFrom("ticket").select(["id", "admits", "name"])
        .where("event_id", "=", event).execute(),
    ])
    return new Map([
      ...people.map(({ id, email }) => [`guests ${id}`, email] as const),
      ...things.map(({ id, admits, name }) => [`tickets ${id}`, `${admits} ${name}`] as const),
    ])
  }
  const isRight = async (name: string) => {
    await follow(usual.url, cookie, event, copy)
    t.strictSame([...copy.names].sort(), [...await truth()].sort(), name)
  }
  await isRight("all that there is")
  await database.writer.deleteFrom("ticket").where("event_id", "=", event)
    .where("id", "in", tickets.slice(0, 2)).execute()
  await database.writer.updateTable("guest").set({ email: "ada@example.org" })
    .where("event_id", "=", event).where("id", "=", guests[3] ?? "").execute()
  await isRight("changes and deletions")
})
