//# log-in
// Node.js 24 or newer: node poll.mts
// The password is in the environment: export EXPORT_PASSWORD=…
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import process from "node:process"

const base = "http://127.0.0.1:8080"
const family = "/your-family/v1"
const username = "your-name"

let cookie = ""

async function logIn(): Promise<void> {
  const response = await send(`${base}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password: process.env["EXPORT_PASSWORD"] }),
  })
  cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

//# events
interface Item {
  id: string
  name: string
}

async function events(): Promise<Item[]> {
  const response = await send(`${base}${family}/events`)
  return await response.json()
}

//# first-poll
interface Guest {
  id: string
  updated: number
}

/** The data that the program keeps from one run to the next. */
interface Copy {
  /** The `since` of the next poll; -1 means everything. */
  since: number
  /** The tag of the first page of the last finished poll, if it may be sent. */
  etag: string
  guests: Record<string, Guest>
}

const file = "copy.json"

function readCopy(): Copy {
  if (!existsSync(file)) return { since: -1, etag: "", guests: {} }
  return JSON.parse(readFileSync(file, "utf8"))
}

//# paging
/** Returns the response to `url`, and the pages that follow it. */
async function* pages(url: string, etag = ""): AsyncGenerator<Response> {
  let next: string | undefined = url
  let headers: Record<string, string> = etag ? { "if-none-match": etag } : {}
  while (next) {
    const page: Response = await send(next, { headers })
    yield page
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
    headers = {}
  }
}

//# next-poll
/** Adds new and changed guests to the copy; returns the next `since` and its tag. */
async function readGuests(copy: Copy, guests: string): Promise<[since: number, etag: string]> {
  let first: Response | undefined
  for await (const page of pages(`${guests}?since=${copy.since}`, copy.etag)) {
    first ??= page
    if (page.status === 304) break // nothing on this page or after it has changed
    for (const guest of await page.json() as Guest[]) copy.guests[guest.id] = guest
  }
  console.log(first?.status === 304 ? "no new guests" : "guests have changed")
  return [Number(first?.headers.get("next-since")), first?.headers.get("etag") ?? ""]
}

//# deletions
/** Removes deleted guests from the copy; returns the next `since`. */
async function forgetGuests(copy: Copy, guests: string): Promise<number> {
  let next: number | undefined
  try {
    for await (const page of pages(`${guests}/deletions?since=${copy.since}`)) {
      next ??= Number(page.headers.get("next-since"))
      for (const { id } of await page.json() as Guest[]) delete copy.guests[id]
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not_available") throw error
    // Deletions are not known here: reconciliation finds them.
  }
  return next ?? Infinity
}

async function poll(copy: Copy, guests: string): Promise<void> {
  try {
    const [since, etag] = await readGuests(copy, guests)
    const next = Math.min(since, await forgetGuests(copy, guests))
    // Only a finished poll changes both.
    Object.assign(copy, { since: next, etag })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "resync_required") throw error
    // The last poll was too long ago: start again.
    Object.assign(copy, { since: -1, etag: "", guests: {} })
    await poll(copy, guests)
  }
}

//# reconciliation
interface Digest {
  buckets: Record<string, { digest: string }>
}

/** Compares the copy with the service's records, and reads the buckets that differ again. */
async function reconcile(copy: Copy, guests: string): Promise<void> {
  const { buckets } = await (await send(`${guests}/digest?hash=`)).json() as Digest
  const digits = Object.keys(buckets)[0]?.length ?? 1
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
  const mine = Map.groupBy(Object.values(copy.guests), ({ id }) => sha256(id).slice(0, digits))
  for (const bucket of new Set([...mine.keys(), ...Object.keys(buckets)])) {
    const own = mine.get(bucket) ?? []
    const lines = own.map(({ id, updated }) => `${id} ${updated}\n`).sort()
    if (sha256(lines.join("")) === buckets[bucket]?.digest) continue
    console.log(`reading bucket ${bucket} again`)
    for (const { id } of own) delete copy.guests[id]
    for await (const page of pages(`${guests}?since=-1&hash=${bucket}`)) {
      for (const guest of await page.json() as Guest[]) copy.guests[guest.id] = guest
    }
  }
}

//# items
/** Returns all items of an event; to read changes only, continue as with guests. */
async function readItems(items: string): Promise<Record<string, Item[]>> {
  const all: Record<string, Item[]> = {}
  for await (const page of pages(`${items}?since=-1`)) {
    for (const [category, records] of Object.entries(await page.json() as typeof all)) {
      all[category] = [...all[category] ?? [], ...records]
    }
  }
  return all
}

//# errors
class Refusal extends Error {
  readonly code: string

  constructor({ code, detail, requestId }: Record<string, string>) {
    super(`${code}: ${detail} (request ${requestId})`)
    this.code = code ?? ""
  }
}

interface SendOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request, and repeats it if that helps: after a log-in, or after waiting as requested. */
async function send(url: string, options: SendOptions = {}): Promise<Response> {
  for (let attempt = 1;; attempt++) {
    const response = await fetch(url, { ...options, headers: { ...options.headers, cookie } })
    if (response.ok || response.status === 304) return response
    const refusal = new Refusal(await response.json())
    if (attempt === 5) throw refusal
    if (refusal.code === "unauthenticated") await logIn()
    else if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get("retry-after") ?? 5)
      await new Promise((done) => setTimeout(done, seconds * 1000))
    } else throw refusal
  }
}

//# whole
const [event] = await events()
if (!event) throw new Error("there is no event that you may read")
const address = `${base}${family}/events/${event.id}`
const copy = readCopy()
await poll(copy, `${address}/guests`)
await reconcile(copy, `${address}/guests`)
writeFileSync(file, JSON.stringify(copy), { mode: 0o600 })
console.log(`${Object.keys(copy.guests).length} guests of ${event.name}`)
const items = await readItems(`${address}/items`)
console.log(`${Object.values(items).flat().length} items`)
