import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { type Plan, UserError } from "../../../core/capability.ts"
import { loadDriver } from "../../../core/commands.ts"
import type { Demonstration, Platform } from "./demonstration.ts"

/** The place of a demonstration's platform. */
export interface PlatformPlace {
  /** A file beside the embedded database, or the same database on MySQL. */
  readonly url: string
  /** The path of the mapping. */
  readonly mapping: string
}

/**
 * Writes a demonstration's mapping to the path in `connect.mapping`, unless the file exists, and next to it the file
 * with the platform's URL.
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

/** Opens a platform for filling and changing it. */
export async function openPlatform({ url }: Pick<PlatformPlace, "url">): Promise<Platform> {
  const { open } = await loadDriver(url)
  const { writer } = await open(url, { connections: 1, timeLimit: 10 })
  return writer as unknown as Platform
}
