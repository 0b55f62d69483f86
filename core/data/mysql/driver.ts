import type { Driver } from "../driver.ts"
import { readTargets } from "./connection-options.ts"
import { openMysql } from "./open-mysql.ts"

/** MySQL and MariaDB: `mysql://user:password@host:3306/name`, with one host or several. */
const mysql: Driver = {
  open: openMysql,
  target: (url) => readTargets(url),
  location: (url) => {
    const targets = readTargets(url)
    return `${targets.map(({ name }) => name).join(",")}/${targets[0].options.database}`
  },
}
export default mysql
