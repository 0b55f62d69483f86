/** The two servers that can stand in for each other here. */
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

/** Server flags for data that no one will miss: fast to start and to write, not safe. */
export function throwAwayFlags(kind: Kind): string[] {
  return kind === "mysql"
    ? [...shared, "--innodb-redo-log-capacity=16M", "--mysqlx=OFF", "--secure-file-priv=NULL"]
    : [...shared, "--innodb-log-file-size=16M"]
}
