// slow: waits until everything in the background is written
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { onEveryEngine } from "../support/database.ts"
import { polledEvent } from "../support/polled-event.ts"
import { filesExecutedDuring } from "./executed-files.ts"

/** The most files that a reader of one request has to follow, by what is requested. */
const most = { "an uncached page of guests": 39, "an empty poll": 38 }

/** Milliseconds until what was written in the background is written. */
const settled = 1600

await onEveryEngine(t, async (t, engine) => {
  const { url, path: guests, cookie } = await polledEvent(t, engine, 20)
  const count = async (query: string) => {
    const path = `${url}${guests}?${query}`
    const response = await fetch(path, { headers: { cookie } })
    return (await response.json()).length
  }
  const future = Math.floor(Date.now() / 1000) + 3600
  // The first requests compile statements, encode the empty page and record that the account is in use.
  t.equal(await count("since=0&limit=5"), 5)
  t.equal(await count(`since=${future}`), 0)

  for (
    const [name, query, records] of [
      ["an uncached page of guests", "since=0", 20],
      ["an empty poll", `since=${future}`, 0],
    ] as const
  ) {
    await t.test(`${name} executes at most ${most[name]} files`, async (t) => {
      // Once per second, the look at open changes falls into a measurement, and more often on a slow machine.
      const measured: (readonly string[])[] = []
      const least = () => Math.min(...measured.map(({ length }) => length))
      for (let turn = 0; turn < 20 && least() > most[name]; turn++) {
        await setTimeout(settled)
        measured.push(
          await filesExecutedDuring(async () => void t.equal(await count(query), records)),
        )
      }
      const [files = []] = measured.sort((a, b) => a.length - b.length)
      t.comment(`${files.length} files:\n${files.join("\n")}`)
      t.ok(files.length > 10, "they are counted at all")
      t.ok(files.length <= most[name], `${files.length} files`)
    })
  }
})
