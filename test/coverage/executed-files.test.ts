// slow: waits until everything in the background is written
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { type Engine, onEveryEngine } from "../support/database.ts"
import { polledEvent } from "../support/polled-event.ts"
import { filesExecutedDuring } from "./executed-files.ts"

/** The most files that a reader of one request has to follow, by what is requested. */
const limits = {
  "with all capabilities": { "a page of guests": 61, "an empty poll": 46 },
  "with no capability": { "a page of guests": 42, "an empty poll": 28 },
}

/** Milliseconds until what was written in the background is written. */
const settled = 1600

/** What runs in the background besides is not in all of them. A busy machine needs more of them until it is in none. */
const [fewestTurns, mostTurns] = [5, 60]

await onEveryEngine(t, async (t, engine) => {
  for (const [set, most] of Object.entries(limits)) {
    await t.test(set, (t) => measure(t, engine, most, set.includes("no") ? "capabilities: []" : ""))
  }
})

async function measure(
  t: Test,
  engine: Engine,
  most: Readonly<Record<"a page of guests" | "an empty poll", number>>,
  settings: string,
): Promise<void> {
  const { workshop: { database }, url, event, path, cookie } = await polledEvent(
    t,
    engine,
    20,
    settings,
  )
  const count = async (query: string) => {
    const response = await fetch(`${url}${path}?${query}`, { headers: { cookie } })
    return (await response.json()).length
  }
  // Later than any change, and no more than a minute ahead.
  const ahead = () => `since=${Math.floor(Date.now() / 1000) + 50}`
  // The first requests compile statements, and record that the account is in use.
  t.equal(await count("since=0&limit=5"), 5)
  t.equal(await count(ahead()), 0)

  for (
    const [name, query, records] of [
      ["a page of guests", () => "since=0", 20],
      ["an empty poll", ahead, 0],
    ] as const
  ) {
    await t.test(`${name} that no cache has executes at most ${most[name]} files`, async (t) => {
      let files: readonly string[] = []
      for (let turn = 1; turn <= mostTurns; turn++) {
        // A change of the event: nothing that was read before can be the answer.
        await database.writer.updateTable("guest").set({ company_name: `${name} ${turn}` })
          .where("event_id", "=", event).execute()
        await setTimeout(settled)
        const executed = await filesExecutedDuring(async () =>
          void t.equal(await count(query()), records)
        )
        files = turn === 1 ? executed : files.filter((file) => executed.includes(file))
        t.comment(`${executed.length} files, of which ${files.length} were in all turns`)
        if (turn >= fewestTurns && files.length <= most[name]) break
      }
      t.comment(files.join("\n"))
      t.ok(files.length > 10, "they are counted at all")
      t.ok(files.length <= most[name], `${files.length} files`)
    })
  }
}
