//# send
// Node.js 24 or newer: EXPORT_PASSWORD=… node poll.mts [event]
// One poll: keeps the guests of one event in guests-<event>.json, and reads only changes the next time.
// It leaves to pull.mjs: items, all events, a lock against two runs at once, the daily digest.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import process from "node:process"
import { setTimeout } from "node:timers/promises"

const [service, family] = ["http://127.0.0.1:8080", "/your-family/v1"]
const event = process.argv[2] ?? "your-event-id"
const file = `guests-${event}.json`
let copy = { cookie: "", since: -1, etag: "", guests: {} as Record<string, unknown> }

/** Returns the response and its JSON; logs in, or waits and repeats the request, where that helps. */
async function send(url: string, headers: Record<string, string> = {}, body: string | null = null) {
  for (let attempt = 0, failure: unknown;; attempt++) {
    let wait = 2 ** attempt
    try {
      const response = await fetch(url, {
        method: body === null ? "GET" : "POST",
        headers: { ...headers, cookie: copy.cookie },
        body,
        signal: AbortSignal.timeout(60_000),
      })
      const text = await response.text()
      const isJson = response.headers.get("content-type")?.includes("json") && text !== ""
      const json = isJson ? JSON.parse(text) : undefined
      if (response.ok || [304, 404, 410].includes(response.status)) return { response, json }
      failure = `${response.status} ${json?.code}`
      const unauthenticated = json?.code === "unauthenticated"
      if (unauthenticated && attempt < 5) await logIn()
      if (unauthenticated) wait = 0
      else if (response.status !== 429 && response.status < 500) attempt = 5
      // Retry-After is a number of seconds or, from proxies, a date.
      const retry = response.headers.get("retry-after")
      if (retry) wait = Number(retry) || Math.max(1, (Date.parse(retry) - Date.now()) / 1000)
    } catch (error) { // no response, or half of one
      if (error instanceof Refused) throw error
      failure = error
    }
    if (attempt >= 5) throw new Refused(`${url}: ${failure}`)
    await setTimeout(wait * 1000)
  }
}

class Refused extends Error {}

async function logIn() {
  const user = { username: "your-name", password: process.env["EXPORT_PASSWORD"] }
  const json = { "content-type": "application/json" }
  const { response } = await send(`${service}/session`, json, JSON.stringify(user))
  copy.cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

//# walk
/** Yields the response and the JSON of each page. 304: nothing has changed, and nothing was deleted. */
async function* walk(first: string, etag = "") {
  let headers: Record<string, string> = etag ? { "if-none-match": etag } : {}
  for (let url: string | undefined = first; url;) {
    const page = await send(url, headers)
    yield page
    // Link may hold several URLs, in any order.
    const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(page.response.headers.get("link") ?? "")
    url = page.response.status === 200 ? link?.[1] : undefined
    headers = {}
  }
}

//# poll
/** Brings the copy up to date. Nothing counts before every page has arrived. */
async function poll(): Promise<void> {
  const guests = `${service}${family}/events/${event}/guests`
  let first: Headers | undefined // Next-Since and ETag are those of the first page
  for await (const { response, json } of walk(`${guests}?since=${copy.since}`, copy.etag)) {
    if (response.status >= 400) throw new Refused(`${guests}: ${json.code}`)
    if (response.status === 304) {
      copy.since = Number(response.headers.get("next-since"))
      return
    }
    first ??= response.headers
    for (const guest of json) copy.guests[guest.id] = guest
  }
  let since = Number(first?.get("next-since"))
  for await (const { response, json } of walk(`${guests}/deletions?since=${copy.since}`)) {
    if (response.status === 410) { // the last poll was too long ago: start again
      Object.assign(copy, { since: -1, etag: "", guests: {} })
      return await poll()
    }
    if (response.status === 404) break // deletions are not known here: only the digest shows them
    since = Math.min(since, Number(response.headers.get("next-since")))
    for (const { id } of json) delete copy.guests[id]
  }
  Object.assign(copy, { since, etag: first?.get("etag") ?? "" })
}

//# save
if (existsSync(file)) copy = JSON.parse(readFileSync(file, "utf8"))
await poll()
// Written beside the old file and renamed: a crash leaves one of the two, never half of one.
writeFileSync(`${file}.new`, JSON.stringify(copy), { mode: 0o600, flush: true })
renameSync(`${file}.new`, file)
console.log(`${Object.keys(copy.guests).length} guests`)
