import { Command } from "commander"
import { UserError } from "../../../core/capability.ts"
import {
  databaseAccessOf,
  listStorages,
  loadDriver,
  readSettings,
  type Terminal,
} from "../../../core/commands.ts"
import { tablesOf } from "../../../core/tables.ts"

interface GrantsFlags {
  readonly user?: string
  readonly host: string
  readonly accounts?: true
}

/** `grants`: prints SQL that gives the serving MySQL user exactly the privileges it needs. */
export function grantsCommand(terminal: Terminal): Command {
  return new Command("grants")
    .description("print the GRANT statements of a MySQL user that only serves")
    .option("--user <name>", "the MySQL user (default: the one of database.url)")
    .option("--host <pattern>", "the host it connects from, as in MySQL account names", "%")
    .option("--accounts", "let it change accounts and grants as well, as the console does")
    .action(async ({ user, host, accounts }: GrantsFlags) => {
      const config = await readSettings(terminal)
      const { url } = config.database
      const { grants } = await loadDriver(url)
      if (!grants) {
        throw new UserError("The embedded database has no users: database.url must be mysql://…")
      }
      const tablesOfServers = databaseAccessOf(config).tablesOfServers(config.database)
      const tables = tablesOf(listStorages(config))
      const granted = accounts ? withAccountChanges(tables) : tables
      terminal.print(grants(url, { name: user, host, tablesOfServers }, granted).join("\n"))
    })
}

/** Returns tables with the privileges for serving and for changing accounts and grants. */
export function withAccountChanges(tables: Tables): Tables {
  const { account, access_grant: grant } = tables
  return {
    ...tables,
    ...account && { account: { ...account, privileges: ["select", "insert", "update", "delete"] } },
    ...grant && { access_grant: { ...grant, privileges: ["select", "insert", "delete"] } },
  }
}

type Tables = ReturnType<typeof tablesOf>
