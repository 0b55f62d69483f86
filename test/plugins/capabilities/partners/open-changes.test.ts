import t from "tap"
import type { Database } from "../../../../core/data/database.ts"
import { Builder } from "../../../support/builder.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { playAll } from "../../../support/scenarios/play.ts"
import type { Row } from "../../../support/scenarios/rows.ts"

await onEveryEngine(t, async (t, engine) => {
  // The embedded database has one writer at a time.
  if (engine !== "mysql") return
  await t.test("partners says that those are in sync who poll while a change is open for eight minutes", async (t) => {
    const ended = Promise.withResolvers<void>()
    let change: Promise<void> | undefined
    const act: Row["act"] = ({ program, events }) => program.poll(events)
    const shows: Row["shows"] = [["in sync"], ["in sync"], ["in sync"]]
    const well = { may: ["busy"], act, shows, isWell: true } as const
    const rows: readonly Row[] = [
      {
        ...well,
        name: "reads guests",
        operate: {
          1: async ({ service: { database, now }, stage }) => {
            const begun = Promise.withResolvers<void>()
            change = database.writer.transaction().execute(async (writer) => {
              const build = new Builder({ writer } as unknown as Database)
              await build.guest(stage.ids.closed, { created: now, updated: now })
              begun.resolve()
              await ended.promise
            })
            await begun.promise
          },
          9: async () => {
            ended.resolve()
            await change
          },
        },
      },
      { ...well, name: "reads guests and items", family: "connector-b" },
    ]
    const failures = await playAll(t, engine, rows)
    t.strictSame([...failures.values()].flat(), [])
  })
})
