import { readFileSync } from "node:fs"
import type mysql from "mysql2"

/** Reads a MySQL database URL. @throws {Error} if it is malformed, or names a file that cannot be read. */
export function readConnectionOptions(text: string): mysql.ConnectionOptions {
  const url = URL.parse(text)
  const database = url ? decodeURIComponent(url.pathname.slice(1)) : ""
  if (!url?.hostname || !database || url.hash) {
    throw new Error(
      "Cannot read the database URL: write mysql://user:password@host:3306/name, with the special characters of the password percent-encoded",
    )
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ...encryption(url.searchParams),
    charset: "utf8mb4",
    connectTimeout: 5000,
    decimalNumbers: true,
    // JSON stays text, so that projections get the same from all databases.
    jsonStrings: true,
  }
}

/**
 * `ssl=required` encrypts. `ssl=verify` also checks that the server's certificate is for this host and
 * signed by the authority in the file `ca`, or by one that the system trusts.
 */
function encryption(parameters: URLSearchParams): mysql.ConnectionOptions {
  const { ssl, ca, ...unknown } = Object.fromEntries(parameters)
  const wrong = Object.keys(unknown)[0]
  if (wrong !== undefined || !["verify", "required", undefined].includes(ssl) || (ca && !ssl)) {
    throw new Error(
      "Cannot read the database URL: after the name, only ?ssl=required or ?ssl=verify is allowed, then &ca=/path/of/a.pem",
    )
  }
  if (ssl === undefined) return {}
  return {
    ssl: {
      minVersion: "TLSv1.2",
      rejectUnauthorized: ssl === "verify",
      verifyIdentity: ssl === "verify",
      ...(ca === undefined ? {} : { ca: readAuthority(ca) }),
    },
  }
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new Error(`Cannot read the file of the database URL's ca: ${(error as Error).message}`)
  }
}
