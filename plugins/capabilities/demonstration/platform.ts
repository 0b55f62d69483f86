import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { type Plan, UserError } from "../../../core/capability.ts"
import { loadDriver } from "../../../core/commands.ts"
import type { Demonstration, Platform } from "./demonstration.ts"

/** Where the platform of a demonstration is. */
export interface PlatformPlace {
  /** A file beside the embedded database, or the same database on MySQL. */
  readonly url: string
  /** The path of the mapping. */
  readonly mapping: string
}

/**
 * Writes the mapping of a demonstration to the path in `connect.mapping`, unless there is one, and beside it the file with
 * the URL of the platform.
 *
 * @throws {UserError} if the configuration names no mapping, or a file cannot be written.
 */
export function placePlatform(
  demonstration: Demonstration,
  { file, capabilities, database }: Pick<Plan, "file" | "capabilities" | "database">,
): PlatformPlace {
  const connect = capabilities.find(({ capability }) => capability.name === "connect")
  const { mapping: named } = connect?.settings as { readonly mapping?: string } ?? {}
  if (!named) {
    throw new UserError(
      `The records of the demonstration come by \`connect\`: set connect.mapping in ${file} to a path where the ` +
        "demonstration can write its mapping. Nothing was started.",
    )
  }
  const [, path] = /^sqlite:(.*)$/.exec(database.url) ?? []
  const url = path === undefined ? database.url : `sqlite:${join(dirname(path), "platform.db")}`
  const mapping = resolve(dirname(file), named)
  try {
    if (!existsSync(mapping)) copyFileSync(demonstration.mapping, mapping)
    const place = join(dirname(mapping), "platform-url")
    // Another process may be reading it.
    if (!existsSync(place) || readFileSync(place, "utf8") !== url) {
      writeFileSync(place, url, { mode: 0o600 })
    }
  } catch (error) {
    throw new UserError(
      `Cannot write ${mapping}: ${(error as Error).message}. Nothing was started.`,
    )
  }
  return { url, mapping }
}

/** Opens a platform to fill and change it. */
export async function openPlatform({ url }: Pick<PlatformPlace, "url">): Promise<Platform> {
  const { open } = await loadDriver(url)
  const { writer } = await open(url, { connections: 1, timeLimit: 10 })
  return writer as unknown as Platform
}
