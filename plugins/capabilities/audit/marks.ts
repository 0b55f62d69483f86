import type { Mark } from "../../design/design.ts"
import type { Visit } from "../../service/console/page.ts"

/** The most moments, the latest. */
const most = 100

/** Finds when the service changed of its own accord: its reloads, and failovers of its database. */
export async function findMarks({ inside }: Visit, since: number): Promise<readonly Mark[]> {
  const rows = await inside.readable.snapshot(({ db, run }) =>
    run(
      db
        .selectFrom("audit_log")
        .select(["at", "action", "detail", "address"])
        // Only changes have this status: the index by status and time has few of them.
        .where("status", "=", 0)
        .where("at", ">=", since)
        .where("actor", "=", "service")
        .where("account", "is", null)
        .orderBy("at", "desc")
        .limit(most),
    )
  )
  return rows.map(({ at, action, detail, address }) => {
    return { at, word: action, detail: `${firstLine(detail ?? "")} (${address})` }
  })
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n")
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
