import type { Driver } from "../../../core/driver.ts"
import { readTargets } from "./connection-options.ts"
import { openMysql } from "./open-mysql.ts"
import { grantStatements } from "./privileges.ts"

/** MySQL and MariaDB: `mysql://user:password@host:3306/name`, with one or several hosts. */
const mysql: Driver = {
  open: openMysql,
  location: (url) => {
    const targets = readTargets(url)
    return `${targets.map(({ name }) => name).join(",")}/${targets[0].options.database}`
  },
  grants: (url, { name, ...user }, tables) => {
    const { user: connecting = "", database = "" } = readTargets(url)[0].options
    return grantStatements({ ...user, name: name ?? connecting, database }, tables)
  },
}
export default mysql
