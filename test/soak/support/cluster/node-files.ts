import { rm, writeFile } from "node:fs/promises"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { durableFlags } from "../../../support/mysql/flags.ts"
import type { Program } from "../../../support/mysql/programs.ts"
import { createServerFiles, type ServerFiles } from "../../../support/mysql/server-files.ts"

/** What the servers of a cluster have in common. */
export interface ClusterOptions {
  readonly program: Program
  readonly signal: AbortSignal
  /** How many ways lead to each server, for as many services (1). */
  readonly ways?: number
}

/** Passwords of root, who may connect from 127.0.0.1, and of `repl`, who replicates. The same on all servers. */
export interface Passwords {
  readonly root: string
  readonly repl: string
}

/** Makes passwords up. */
export function makePasswords(): Passwords {
  const password = () => randomBytes(16).toString("hex")
  return { root: password(), repl: password() }
}

/** Creates the files of a server that has no data yet. */
export async function blankFiles(
  { program, signal }: ClusterOptions,
  { port, passwords }: { readonly port: number; readonly passwords: Passwords },
): Promise<ServerFiles> {
  const files = await createServerFiles(program, { port, signal })
  // Each server gets a name of its own.
  await rm(join(files.folder, "data", "auto.cnf"), { force: true })
  const accounts = join(files.folder, "accounts.sql")
  await writeFile(accounts, accountStatements(passwords), { mode: 0o600 })
  return { ...files, url: `mysql://root:${passwords.root}@127.0.0.1:${port}` }
}

/** Accounts are no transactions: each server makes its own. */
function accountStatements({ root, repl }: Passwords): string {
  const rights = "replication slave, replication_applier, connection_admin, backup_admin"
  return [
    "set sql_log_bin = 0;",
    `create user root@'%' identified by '${root}';`,
    "grant all on *.* to root@'%' with grant option;",
    `alter user root@localhost identified by '${root}';`,
    `create user repl@'%' identified by '${repl}';`,
    `grant ${rights}, group_replication_stream on *.* to repl@'%';`,
    "",
  ].join("\n")
}

/** Returns what each server of a cluster is started with. */
export function commonFlags({ port }: ServerFiles): string[] {
  return [
    ...durableFlags("mysql"),
    "--innodb-redo-log-capacity=16M",
    // It says how a server replicates; the rest costs time.
    "--performance-schema=ON",
    "--performance-schema-instrument=%=OFF",
    "--report-host=127.0.0.1",
    `--report-port=${port}`,
    "--gtid-mode=ON",
    "--enforce-gtid-consistency=ON",
    "--log-bin-trust-function-creators=ON",
    // Without it, `replace` leaves rows of other tables at the primary of MySQL 9.7 that replicas delete.
    "--loose-innodb-native-foreign-keys=ON",
  ]
}
