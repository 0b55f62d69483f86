import { sql } from "kysely"
import { type Database, errorStatuses, type Snapshot } from "../../../core/capability.ts"

/** The statuses of all requests in the audit log: pages, log-ins by program and by browser, and errors. */
const requestStatuses: readonly number[] = [200, 204, 303, 304, ...errorStatuses]

/** The most changes that are counted. */
const mostChanges = 20_000

/**
 * Returns what happened in each of the last minutes, over all instances, oldest first; the last one is not over:
 * requests for lists, log-ins and log-outs, how many of them failed, and changes of records, the latest 20,000 at most.
 *
 * @throws {Unavailable}
 */
export async function loadTraffic(database: Database, minutes: number) {
  return await database.snapshot((snapshot) => readTraffic(snapshot, minutes))
}

async function readTraffic({ db, dialect, run }: Snapshot, minutes: number) {
  const [clock] = await run(db.selectNoFrom(dialect.now.as("now")))
  const now = clock?.now ?? 0
  const from = now - now % 60 - (minutes - 1) * 60
  const minuteOf = (column: string) =>
    sql<number>`${sql.ref(column)} - ${sql.ref(column)} % 60`.as("minute")
  const requests = await run(
    db
      .selectFrom("audit_log")
      .select(minuteOf("at"))
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .select(sql<number>`sum(case when status >= 400 then 1 else 0 end)`.as("errors"))
      // Only requests have these: so the index by status and time has all that is needed.
      .where("status", "in", requestStatuses)
      .where("at", ">=", from)
      .groupBy("minute"),
  )
  const latest = db.selectFrom("event_change").select("at").orderBy("seq", "desc").limit(
    mostChanges,
  )
  const changes = await run(
    db
      .selectFrom(latest.as("latest"))
      .select(minuteOf("at"))
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("at", ">=", from)
      .groupBy("minute"),
  )
  return Array.from({ length: minutes }, (_, index) => {
    const minute = from + index * 60
    const requested = requests.find((each) => each.minute === minute)
    return {
      /** Its beginning in Unix seconds. */
      minute,
      requests: requested?.count ?? 0,
      errors: requested?.errors ?? 0,
      changes: changes.find((each) => each.minute === minute)?.count ?? 0,
    }
  })
}
