import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../../../support/random.ts"
import type { Fault } from "../play.ts"
import type { SingleStage } from "../single.ts"
import { reader, type Source } from "../source.ts"

/** Longer than it takes until the services look at the source again. */
const untilSeen = (random: Random) => sleep(random.between(1000, 7000))

/** What an organizer does to their own database, or what happens to it. */
export const sourceFaults: readonly Fault<SingleStage>[] = [
  {
    name: "source-away",
    summary: "lets nobody read the source for some seconds",
    async inject({ source, random }) {
      await source.run(`alter user ${reader} account lock`)
      const open = await source.run(
        `select id from information_schema.processlist where user = '${reader}'`,
      )
      for (const { ["id"]: id } of open) await source.run(`kill ${id}`).catch(() => {})
      await untilSeen(random)
      await source.run(`alter user ${reader} account unlock`)
    },
  },
  {
    name: "source-truncate",
    summary: "empties a table of the source, and fills it again",
    async inject({ source, random }) {
      await refill(source, random, { emptied: (table) => [`truncate ${table}`] })
    },
  },
  {
    name: "source-restore",
    summary: "restores a table of the source from a dump, part by part",
    async inject({ source, random }) {
      await refill(source, random, {
        emptied: (table) => [`drop table ${table}`, `create table ${table} like dump`],
      })
    },
  },
  {
    name: "source-schema",
    summary: "renames a column of the source for some seconds",
    async inject({ source, random }) {
      await quietly(source, async () => {
        await source.run("alter table person rename column surname to family")
        await untilSeen(random)
        await source.run("alter table person rename column family to surname")
      })
    },
  },
  {
    name: "source-bulk",
    summary: "loads many attendees at once, of whom no trigger tells",
    async inject({ source, random }) {
      if (source.isTold) await source.tell(false)
      const first = 1000 * random.between(1, 1000)
      const ids = Array.from({ length: random.between(50, 150) }, (_, index) => first + index)
      const rows = (write: (id: number) => string) => ids.map(write).join(", ")
      await source.run(
        `insert ignore into person values ${rows((id) => `(${id}, 'B', 'Bulk', '', '')`)}`,
        `insert ignore into attendee values ${rows((id) => `(${id}, 2, ${id}, 0, null, null)`)}`,
      )
    },
  },
  {
    name: "source-zone",
    summary: "moves the server to another time zone for some seconds",
    async inject({ source, random }) {
      await source.run("set global time_zone = '+05:00'")
      await untilSeen(random)
      await source.run("set global time_zone = 'SYSTEM'")
    },
  },
  {
    name: "source-triggers",
    summary: "makes the triggers of the source, or takes them away",
    inject: ({ source }) => source.tell(!source.isTold),
  },
  {
    name: "source-mapping",
    summary: "edits the mapping, and puts it in force later",
    async inject({ source, random }) {
      source.writeMapping(`and ${random.between(1, 1e6)} > 0`)
      await untilSeen(random)
      await source.command("run")
    },
  },
  {
    name: "source-late",
    summary: "commits changes of the source many seconds late",
    inject: ({ source, random }) => source.change(random, 9000).catch(() => {}),
  },
  {
    name: "source-compare",
    summary: "pauses the source, and compares what partners have with it",
    async inject({ source }) {
      await source.settle()
      await source.check()
      await source.resume()
    },
  },
]

/** Empties a table, and fills it again part by part, while nobody else changes it. */
async function refill(
  source: Source,
  random: Random,
  { emptied }: { readonly emptied: (table: string) => readonly string[] },
): Promise<void> {
  const table = random.pick(["attendee", "person", "permission", "place"])
  const key = table === "permission" ? "attendee_id" : table === "place" ? "person_id" : "id"
  await quietly(source, async () => {
    await source.run(
      `drop table if exists dump`,
      `create table dump like ${table}`,
      `insert into dump select * from ${table}`,
    )
    await source.run(...emptied(table))
    for (const part of [0, 1, 2]) {
      await untilSeen(random)
      await source.run(`insert into ${table} select * from dump where ${key} % 3 = ${part}`)
    }
    await source.run("drop table dump")
  })
  // The triggers are gone with the table, or do not tell what `truncate` does.
  source.hasUntold = true
}

async function quietly(source: Source, work: () => Promise<void>): Promise<void> {
  await source.pause()
  try {
    await work()
  } finally {
    await source.resume()
  }
}
