/** A kind of server. The tests run on either. */
export type Kind = "mysql" | "mariadb"

const shared = [
  "--skip-log-bin",
  "--character-set-server=utf8mb4",
  "--innodb-flush-log-at-trx-commit=0",
  "--innodb-doublewrite=OFF",
  "--innodb-flush-method=nosync",
  "--innodb-use-native-aio=OFF",
  "--innodb-buffer-pool-size=64M",
  "--performance-schema=OFF",
]

/** Returns server flags for temporary data: fast to start and to write, but not durable. */
export function throwAwayFlags(kind: Kind): string[] {
  return kind === "mysql"
    ? [...shared, "--innodb-redo-log-capacity=16M", "--mysqlx=OFF", "--secure-file-priv=NULL"]
    : [...shared, "--innodb-log-file-size=16M"]
}
