import { UserError } from "../../../../core/capability.ts"
import type { Source } from "./source.ts"

/** Opens a source by its URL. Sends nothing yet. @throws {UserError} for a URL of an unknown kind. */
export async function openSource(url: string): Promise<Source> {
  if (url.startsWith("mysql://")) return (await import("./mysql.ts")).openMysqlSource(url)
  if (url.startsWith("sqlite:")) return (await import("./sqlite.ts")).openSqliteSource(url)
  if (/^postgres(ql)?:\/\//.test(url)) {
    return await (await import("./postgres.ts")).openPostgresSource(url)
  }
  // Without the URL: it may have a password.
  throw new UserError("The URL of the source must begin with mysql://, sqlite: or postgres://.")
}
