/** A kind of server. The tests run on either. */
export type Kind = "mysql" | "mariadb"

const shared = [
  // Not the usual default: the service must not rely on any.
  "--default-time-zone=+05:45",
  "--character-set-server=utf8mb4",
  "--innodb-flush-method=nosync",
  "--innodb-use-native-aio=OFF",
  "--innodb-buffer-pool-size=64M",
  "--performance-schema=OFF",
]

const own = { mysql: ["--mysqlx=OFF", "--secure-file-priv=NULL"], mariadb: [] }

/** Returns server flags for temporary data: fast to start and to write, but not durable. */
export function throwAwayFlags(kind: Kind): string[] {
  const log = kind === "mysql" ? "--innodb-redo-log-capacity=16M" : "--innodb-log-file-size=16M"
  const careless = [
    "--skip-log-bin",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-doublewrite=OFF",
  ]
  return [...shared, ...careless, log, ...own[kind]]
}

/**
 * Returns server flags for data that survive the death of the server, though not of the machine. The
 * log of commits is as in production: without it, others see a commit before it is safe.
 */
export function durableFlags(kind: Kind): string[] {
  const careful = ["--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=ON"]
  return [...shared, ...careful, "--log-bin=binlog", "--sync-binlog=0", ...own[kind]]
}
