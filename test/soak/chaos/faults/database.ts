import { setTimeout as sleep } from "node:timers/promises"
import mysql from "mysql2/promise"
import { idleUser } from "../data.ts"
import type { Fault } from "../play.ts"
import type { SingleStage } from "../single.ts"
import { killEach } from "../../../support/mysql/processes.ts"
import { trouble } from "../trouble.ts"
import type { PrivateMysql } from "../private-mysql.ts"

/** Faults of the MySQL server. */
export const databaseFaults: readonly Fault<SingleStage>[] = [
  {
    name: "kill-database",
    summary: "kills MySQL with signal 9, and starts it again",
    async inject({ server, relay, random }) {
      await server.kill()
      // Half of the times connections are refused, half of the times they are cut at once.
      const isRefused = random.below(2) === 0
      if (isRefused) relay.goAway()
      await trouble(random)
      if (isRefused) await relay.comeBack()
      await server.start()
    },
  },
  {
    name: "freeze-database",
    summary: "stops MySQL from running for some seconds (SIGSTOP)",
    async inject({ server, random }) {
      server.freeze()
      await trouble(random)
      server.thaw()
    },
  },
  {
    name: "kill-connections",
    summary: "ends all connections to MySQL, several times",
    async inject({ server, random }) {
      await server.connected(async (connection) => {
        for (let left = random.between(1, 5); left > 0; left--) {
          await killEach(connection, "connection", ({ user }) => ["service", "root"].includes(user))
          await sleep(random.between(50, 400))
        }
      })
    },
  },
  {
    name: "kill-queries",
    summary: "ends the statements that run, many times",
    async inject({ server }) {
      await server.connected(async (connection) => {
        for (let left = 60; left > 0; left--) {
          await killEach(
            connection,
            "query",
            ({ user, command }) => user === "service" && ["Query", "Execute"].includes(command),
          )
          await sleep(20)
        }
      })
    },
  },
  {
    name: "read-only",
    summary: "makes MySQL read-only for some seconds, as in a planned failover",
    async inject({ server, random }) {
      await server.run("set global super_read_only = on")
      await trouble(random)
      await server.run("set global super_read_only = off", "set global read_only = off")
    },
  },
  {
    name: "exhaust-connections",
    summary: "takes all connections that MySQL allows, and ends those of the services",
    async inject({ server, random }) {
      await server.connected(async (connection) => {
        const idle: mysql.Connection[] = []
        const takeOne = async () => idle.push(await mysql.createConnection(idleUrl(server)))
        await untilFull(takeOne)
        await killEach(connection, "connection", ({ user }) => user === "service")
        await untilFull(takeOne)
        await trouble(random)
        for (const each of idle) each.destroy()
      })
    },
  },
  {
    name: "fill-disk",
    summary: "fills the space for MySQL's data, so that writes fail as on a full disk",
    async inject({ server, data, random }) {
      await server.connected(async (connection) => {
        // Rows within pages: longer values would also take what MySQL needs to roll back, and end it.
        const filler = "chaos.filler (pad varchar(8000) character set latin1)"
        await connection.query(`create table ${filler}`)
        await connection.query("set cte_max_recursion_depth = 1000")
        for (const rows of [1000, 50, 1]) {
          await untilFull(() =>
            connection.query(
              `insert into chaos.filler with recursive numbers as
                (select 1 as number union all select number + 1 from numbers where number < ${rows})
                select repeat('x', 8000) from numbers`,
            )
          )
        }
        // The free places in the pages of sessions, so that log-ins fail as well.
        const hoarder = data.accountIds["hoarder"]
        await untilFull(() =>
          connection.query(
            `insert into chaos.session (id, account_id, created, expires) values (uuid(), ?, 0, 0)`,
            [hoarder],
          )
        )
        await trouble(random)
        await connection.query("drop table chaos.filler")
        await connection.query("delete from chaos.session where account_id = ?", [hoarder])
      })
    },
  },
]

function idleUrl({ port }: PrivateMysql): string {
  return `mysql://${idleUser.name}:${idleUser.password}@127.0.0.1:${port}`
}

/** Repeats a statement until there is no space or no connection left. */
async function untilFull(work: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await work()
  } catch (error) {
    const { code = "" } = error as { code?: string }
    if (!["ER_CON_COUNT_ERROR", "ER_RECORD_FILE_FULL"].includes(code)) throw error
  }
}
