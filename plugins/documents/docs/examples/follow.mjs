// EXPORT_TOKEN=… node follow.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
const family = "http://127.0.0.1:8080/your-family/v1" // write it down: cursors belong to it
process.umask(0o077) // only you can read the files

async function get(url, more = {}) {
  for (;;) {
    const headers = { authorization: `Bearer ${process.env.EXPORT_TOKEN}`, ...more }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(90_000) }).catch(() => null)
    const text = await response?.text().catch(() => null) ?? null
    if (text !== null && ![429, 500, 502, 503, 504].includes(response.status)) {
      const isOff = text.includes("connector_not_enabled")
      if (![200, 304, 404, 410].includes(response.status) && !isOff) throw new Error(text)
      return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
    }
    await sleep(1000 * (Number(response?.headers.get("retry-after")) || 60))
  }
}

async function read(event) {
  const file = `${event}.json`
  let copy = existsSync(file) ? JSON.parse(readFileSync(file)) : { after: "", records: {} }
  for (let more = true; more;) {
    const { status, body } = await get(`${family}/events/${event}/changes?after=${copy.after}`)
    if (status === 403 || status === 404) return // no access now: keep the file, which has copy and cursor, or delete it
    // The old file stays until the new one is complete.
    if (status === 410) copy = { after: "", records: {} }
    if (status !== 200) continue
    for (const { category, id, record } of body.changes) {
      copy.records[`${category} ${id}`] = record // undefined if it was deleted, so that the file has none
    }
    copy.after = body.next
    more = body.more
  }
  writeFileSync(`${file}.new`, JSON.stringify(copy))
  renameSync(`${file}.new`, file)
}

for (let [tag, since, today, known, events] = ['"none"', 0];;) {
  const first = await get(`${family}/events?since=-1`, { prefer: "wait=50", "if-none-match": tag })
  if (first.status === 200) events = first.body // 304: the list is the same
  for (let page = first, next; (next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? ""));) {
    page = await get(next[1])
    events = [...events, ...page.body]
  }
  const day = Math.floor(Date.now() / 86_400_000)
  if (today !== day) [today, known] = [day, new Set()] // once a day, and at the start, all of them
  for (const { id, changed } of events) if (!known.has(id) || changed >= since) await read(id), known.add(id)
  since = Number(first.headers.get("next-since"))
  tag = first.headers.get("etag") ?? '"none"'
  await sleep(first.headers.has("preference-applied") ? (tag === '"none"' ? 2000 : 0) : 60_000)
}
