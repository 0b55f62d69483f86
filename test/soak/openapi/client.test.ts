import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript"
import t, { type Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { password } from "../../support/builder.ts"
import { openStage } from "./stage.ts"

/** A partner's program on top of the types that are generated from the document. */
const client = `
import createClient from "openapi-fetch"
import type { components, paths } from "./document.ts"

type Guest = components["schemas"]["ConnectorBGuest"]
type Media = "application/json" | "application/problem+json" // not the lists as CSV or NDJSON
type Bundle = components["schemas"]["ConnectorBItemsBundle"]
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

export async function walk(baseUrl: string, cookie: string, limit: number) {
  const client = createClient<paths, Media>({ baseUrl, headers: { cookie } })

  const { data: events = [], error } = await client.GET("/connector-b/v1/events", {
    params: { query: { since: -1 } },
  })
  if (error) throw new Error(error.code)
  const eventId = events.find(({ name }) => name === "Long")?.id ?? ""
  const path = { eventId }

  async function guestsByCursor(): Promise<Guest[]> {
    const found: Guest[] = []
    let cursor: string | undefined
    do {
      const { data, error, response } = await client.GET("/connector-b/v1/events/{eventId}/guests", {
        params: { path, query: cursor === undefined ? { since: -1, limit } : { cursor } },
      })
      if (error) throw new Error(error.code)
      found.push(...data)
      cursor = cursorOf(response)
    } while (cursor !== undefined)
    return found
  }

  async function items(): Promise<{ [C in keyof Bundle]: string[] }> {
    const found = { ${itemCategories.map((name) => `${name}: [] as string[]`).join(", ")} }
    let cursor: string | undefined
    do {
      const { data, error, response } = await client.GET("/connector-b/v1/events/{eventId}/items", {
        params: { path, query: cursor === undefined ? { since: -1, limit } : { cursor } },
      })
      if (error) throw new Error(error.code)
      for (const [category, records] of Object.entries(data) as [keyof Bundle, { id: string }[]][]) {
        found[category].push(...records.map(({ id }) => id))
      }
      cursor = cursorOf(response)
    } while (cursor !== undefined)
    return found
  }

  return {
    byCursor: (await guestsByCursor()).map(({ id }) => id),
    items: await items(),
  }
}

function cursorOf(response: Response): string | undefined {
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? []
  return next === undefined ? undefined : new URL(next).searchParams.get("cursor") ?? undefined
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

const tsconfig = {
  compilerOptions: {
    module: "nodenext",
    target: "esnext",
    lib: ["esnext", "dom", "dom.iterable"],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
  },
  include: ["*.ts"],
}

t.test("a client that is generated from the document compiles, and reads all records of an event", async (t) => {
  const { document, usual, workshop: { build, database } } = await openStage(t)
  const { id: organization } = await database.writer.selectFrom("organization").select("id")
    .where("slug", "=", "north").executeTakeFirstOrThrow()
  const event = await build.event(organization, { name: "Long" })
  const guests = await build.guests(event, 25)
  const tickets = await build.items("tickets", event, 12)
  const pledges = await build.items("pledges", event, 3)

  const folder = folderOf(t, {
    "document.ts": astToString(await openapiTS(document as unknown as OpenAPI3)),
    "client.ts": client,
    "tsconfig.json": JSON.stringify(tsconfig),
    "package.json": JSON.stringify({ type: "module" }),
  })
  await compile(folder)

  const { logIn, walk, follow } = await import(pathToFileURL(join(folder, "client.ts")).href)
  const cookie = await logIn(usual.url, "partner", password)
  const found = await walk(usual.url, cookie, 10)
  t.strictSame(found.byCursor, guests)
  t.strictSame(found.items, {
    buyNows: [],
    auctionItems: [],
    pledges,
    prizeDraws: [],
    gliRaffles: [],
    tickets,
  })
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

/** Creates a folder with these files and the packages of these tests. */
function folderOf(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(resolve("test/soak/openapi/node_modules"), join(folder, "node_modules"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function compile(folder: string): Promise<void> {
  const compiler = [process.execPath, resolve("node_modules/.bin/tsc"), "-p", folder]
  // The test runner passes its hooks to child processes. They break the compiler.
  await promisify(execFile)("env", ["-u", "NODE_OPTIONS", ...compiler])
    .catch(({ stdout, message }: { stdout: string; message: string }) => {
      throw new Error(`the client does not compile:\n${stdout || message}`)
    })
}
