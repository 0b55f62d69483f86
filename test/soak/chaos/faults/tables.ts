import { allStorages } from "../../../support/storages.ts"
import { setTimeout as sleep } from "node:timers/promises"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { openDatabase } from "../../../../core/data/open.ts"
import type { Fault } from "../play.ts"
import type { SingleStage } from "../single.ts"
import { trouble } from "../trouble.ts"
import type { PrivateMysql } from "../private-mysql.ts"

/** What an operator or the platform does to tables while they are in use. */
export const tableFaults: readonly Fault<SingleStage>[] = [
  {
    name: "lock-tables",
    summary: "locks the tables of guests for some seconds",
    async inject({ server, random }) {
      await server.connected(async (connection) => {
        await connection.query("set lock_wait_timeout = 10")
        const tables = ["guest", "consent", "address"].map((table) => `chaos.${table} write`)
        await connection.query(`lock tables ${tables.join(", ")}`)
        await trouble(random)
      })
    },
  },
  {
    name: "hold-metadata",
    summary: "alters a table behind a transaction that has read it, so that everybody waits",
    async inject({ server, random }) {
      const table = random.pick(["guest", "ticket", "session", "event_change"])
      await server.connected(async (reader) => {
        await reader.query("begin")
        await reader.query(`select 1 from chaos.${table} limit 1`)
        const altering = alter(server, `alter table chaos.${table} comment = 'altered'`)
        await trouble(random)
        await reader.query("commit")
        await altering
      })
    },
  },
  {
    name: "rebuild-tables",
    summary: "rebuilds tables, several times",
    async inject({ server, random }) {
      for (let left = random.between(3, 6); left > 0; left--) {
        const table = random.pick([
          "guest",
          "guest",
          "ticket",
          "session",
          "audit_log",
          "event_change",
          "deletion",
        ])
        await alter(server, `alter table chaos.${table} force`)
        await sleep(random.between(0, 300))
      }
    },
  },
  {
    name: "hide-audit-log",
    summary: "renames the audit log's table for some seconds",
    async inject({ server, random }) {
      await alter(server, "rename table chaos.audit_log to chaos.audit_log_away")
      await trouble(random)
      await alter(server, "rename table chaos.audit_log_away to chaos.audit_log")
    },
  },
  {
    name: "prune",
    summary:
      "deletes old rows of the change log, so that a partner who was away has to start again",
    async inject({ data, crowd }) {
      const oldest = crowd.oldestOffsetSince
      if (oldest === undefined) return
      const database = await openDatabase(data.url, {
        connections: 2,
        timeLimit: 10,
        storages: allStorages,
      })
      try {
        // The log is kept for an hour more than deletions, and a run does not last that long.
        const { settled } = await database.writer.selectFrom("change_state").select("settled")
          .executeTakeFirstOrThrow()
        await database.writer.updateTable("event_change").set((eb) => ({ at: eb("at", "-", 7200) }))
          .where("seq", "<=", settled).where("at", ">", oldest - 3600).where("at", "<", oldest)
          .execute()
        // Those who count by offset lose records if the log is pruned past their `since`.
        await pruneChangeLog(database, Math.floor(Date.now() / 1000) - oldest + 1)
      } finally {
        await database.close()
      }
    },
  },
]

/** Changes a table. Waits for the lock a few seconds at a time, since everybody waits behind it. */
async function alter(server: PrivateMysql, statement: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      await server.run("set lock_wait_timeout = 4", statement)
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt === 20 || !["ER_LOCK_WAIT_TIMEOUT", "ER_LOCK_DEADLOCK"].includes(code ?? "")) {
        throw error
      }
      await sleep(50)
    }
  }
}
