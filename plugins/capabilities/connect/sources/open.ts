import { resolve } from "node:path"
import { UserError } from "../../../../core/capability.ts"
import { readPrivateFile } from "../../../../core/commands.ts"
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

/** Returns the URL in a file, or one of SQLite as it is; paths start at `folder`. @throws {UserError} for another URL. */
export function readUrl(where: string, folder = "."): string {
  const isUrl = where.startsWith("sqlite:")
  if (!isUrl && where.includes("://")) {
    throw new UserError(
      "Write the URL into a file that only you may read, and name that: others see command lines.",
    )
  }
  const url = isUrl ? where : readPrivateFile(resolve(folder, where)).trim()
  return url.startsWith("sqlite:") ? `sqlite:${resolve(folder, url.slice("sqlite:".length))}` : url
}
