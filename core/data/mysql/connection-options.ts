import { readFileSync, statSync } from "node:fs"
import { connect, isIP, type Socket } from "node:net"
import type mysql from "mysql2"

/** Reads a MySQL database URL. @throws {Error} if it is malformed, or names a file that cannot be read. */
export function readConnectionOptions(text: string): mysql.ConnectionOptions {
  const { url, user, password, database } = partsOf(text)
  const target = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 3306) }
  return {
    ...target,
    user,
    password,
    database,
    ...encryption(url.searchParams, target),
    charset: "utf8mb4",
    connectTimeout: 5000,
    decimalNumbers: true,
    // JSON stays text, so that projections get the same from all databases.
    jsonStrings: true,
  }
}

/** Returns the parts of a URL, decoded. @throws {Error} that shows nothing of it. */
function partsOf(text: string) {
  const url = URL.parse(text)
  try {
    // Special characters that are not encoded end the password early: the rest must not become the name
    // of a host or a database, which errors show.
    if (url?.hostname && !url.hash && /^\/[^/@:]+$/.test(url.pathname)) {
      const [user = "", password = "", database = ""] = [
        url.username,
        url.password,
        url.pathname.slice(1),
      ].map(decodeURIComponent)
      return { url, user, password, database }
    }
  } catch {
    // A percent sign that begins no code.
  }
  throw new Error(
    "Cannot read the database URL: write mysql://user:password@host:3306/name, with the special characters of the password percent-encoded",
  )
}

interface Target {
  readonly host: string
  readonly port: number
}

/**
 * `ssl=required` encrypts. `ssl=verify` also checks that the server's certificate is for this host or
 * address, and signed by the authority in the file `ca`, or by one that the system trusts.
 */
function encryption(parameters: URLSearchParams, target: Target): mysql.ConnectionOptions {
  const { ssl, ca, ...unknown } = Object.fromEntries(parameters)
  const wrong = Object.keys(unknown)[0]
  if (wrong !== undefined || !["verify", "required", undefined].includes(ssl) || (ca && !ssl)) {
    throw new Error(
      "Cannot read the database URL: after the name, only ?ssl=required or ?ssl=verify is allowed, then &ca=/path/of/a.pem",
    )
  }
  if (ssl === undefined) return {}
  return {
    ...ssl === "verify" && isIP(target.host) !== 0 && { stream: () => connectTo(target) },
    ssl: {
      rejectUnauthorized: ssl === "verify",
      verifyIdentity: ssl === "verify",
      ...(ca === undefined ? {} : { ca: readAuthority(ca) }),
    },
  }
}

/**
 * Connects to an IP address. TLS compares the certificate with the socket's `_host`, which Node sets
 * for names only: without it, TLS would accept a certificate for "localhost", and no other.
 */
function connectTo({ host, port }: Target): Socket {
  return Object.assign(connect({ host, port, noDelay: true, keepAlive: true }), { _host: host })
}

function readAuthority(path: string): string {
  try {
    // Reading a pipe would wait for its writer.
    if (!statSync(path).isFile()) throw Object.assign(new Error(), { code: "it is not a file" })
    return readFileSync(path, "utf8")
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`Cannot read the file of the database URL's ca (${code}): check its path`)
  }
}
