import type { Driver } from "../../../core/driver.ts"
import { openSqlite } from "./open-sqlite.ts"

/** The embedded database: `sqlite:` and the path of its file, which is created if missing. */
const sqlite: Driver = {
  open: openSqlite,
  // Without the path, which might mistakenly be the URL of another database, with a password.
  location: () => "the embedded database",
}
export default sqlite
