import { lstatSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs"
import { UserError } from "../../../core/capability.ts"

/** A cookie and its host. */
interface JarCookie {
  /** The value of a `Set-Cookie` header. */
  readonly header: string
  readonly host: string
  /** Unix seconds. */
  readonly expires: number
}

/**
 * Writes a cookie file in the Netscape format, which curl reads. Only its owner can read it. The
 * file appears complete or not at all.
 *
 * @throws {UserError} if the path is a file that others may read, or something other than a file.
 */
export function writeCookieJar(path: string, cookie: JarCookie): void {
  refuseUnsafe(path)
  const temporary = `${path}.${crypto.randomUUID()}`
  try {
    writeFileSync(temporary, cookieFile(cookie), { mode: 0o600, flag: "wx" })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new UserError(`Cannot write the cookie file: ${(error as Error).message}.`)
  }
}

/** Checks a path for a cookie file. @throws {UserError} as `writeCookieJar`. */
export function refuseUnsafe(path: string): void {
  const found: Stats | undefined = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isFile()) throw new UserError(`${path} is not a file. Nothing was changed.`)
  if ((found.mode & 0o077) !== 0) {
    throw new UserError(
      `Others may read ${path}: "chmod 600" it, or remove it. Nothing was changed.`,
    )
  }
}

/** Returns the text of a cookie file. Writes no `#HttpOnly_`, as curl does: other clients skip such lines as comments. */
export function cookieFile({ header, host, expires }: JarCookie): string {
  const [pair = "", ...attributes] = header.split("; ")
  const equals = pair.indexOf("=")
  const secure = attributes.includes("Secure") ? "TRUE" : "FALSE"
  const fields = [
    host,
    "FALSE",
    "/",
    secure,
    String(expires),
    pair.slice(0, equals),
    pair.slice(equals + 1),
  ]
  return `# Netscape HTTP Cookie File\n${fields.join("\t")}\n`
}
