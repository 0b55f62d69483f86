import t from "tap"
import type { SentPage } from "../../../../core/request/exchange.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder, past } from "../../../support/builder.ts"
import { copiedUrl, onEmbedded, openFor } from "../../../support/database.ts"
import { linkOf } from "../../../support/polling/link.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { logInto } from "../../../support/service.ts"

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const build = new Builder(await openFor(t, url))
  const event = await build.event(await build.organization("acme"))
  for (const age of [0, 10, 20]) await build.guest(event, { updated: past - age })
  await build.account("ann")
  await build.grant("ann", { event })
  const pages: SentPage[] = []
  const instance = await startInstance({ ...await testConfig(url), limits: generous }, {
    log: scannedLog(t, []),
    observers: [({ sent: { page } }) => void (page && pages.push(page))],
  })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")

  /** Returns the facts about a page and about the 304 that its tag leads to, at a later `since`. */
  const read = async (path: string) => {
    const response = await get(path)
    const tag = response.headers.get("etag") ?? ""
    const later = path.replace(`since=${past - 20}`, `since=${past - 15}`)
    t.equal((await get(later, { "if-none-match": tag })).status, 304)
    const [page, unchanged] = pages.splice(0)
    if (!page || !unchanged) throw new TypeError("two pages were read")
    return { page, unchanged, link: linkOf(response) ?? "" }
  }
  const path = `/connector-b/v1/events/${event}/guests?since=${past - 20}`

  await t.test("a 304 tells observers of no records, and whether the walk of its tag goes on", async (t) => {
    const { unchanged: ofAll } = await read(path)
    t.match(ofAll, { rows: 0, isFirst: true, hasNext: false, since: past - 15 })
    t.equal(ofAll.range.from, past - 15)
    const { page, unchanged: first, link } = await read(`${path}&limit=1`)
    t.match(page, { rows: 1, hasNext: true, range: { from: past } })
    t.match(first, { rows: 0, isFirst: true, hasNext: true, range: { from: past } })
    t.match((await read(link)).unchanged, { rows: 0, isFirst: false, hasNext: true })
  })
})
