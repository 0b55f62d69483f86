import { readFileSync, statSync } from "node:fs"
import { connect, isIP, isIPv6, type Socket } from "node:net"
import type mysql from "mysql2"

/** A server to connect to. */
export interface Target {
  /** Its host and port. */
  readonly name: string
  /** False if it never becomes the primary. */
  readonly mayBePrimary: boolean
  readonly options: mysql.ConnectionOptions & Address
}

interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Parses a MySQL database URL, which may name several hosts: `mysql://user:password@one:3306,other:3306/name`.
 * `replicas` are hosts that never become the primary. Everything else is the same for all hosts.
 *
 * @throws {Error} if it is malformed, names a server twice, or names a file that cannot be read. Shows no password.
 */
export function readTargets(
  text: string,
  replicas: readonly string[] = [],
): readonly [Target, ...Target[]] {
  // Split after the last @: a password may contain commas.
  const [, before = "", hosts = "", rest = ""] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  const targetOf = (mayBePrimary: boolean) => (host: string): Target => {
    const options = readConnectionOptions(`${before}${host}${rest}`)
    return { name: nameOf(options), mayBePrimary, options }
  }
  const targets = [
    ...hosts.split(",").map(targetOf(true)),
    ...replicas.map(targetOf(false)),
  ]
  const [first, ...others] = targets
  if (!first || new Set(targets.map(({ name }) => name)).size < targets.length) {
    throw new Error(
      "Cannot read the database URL: the hosts in it and in database.replicas must differ",
    )
  }
  return [first, ...others]
}

/** Parses the URL of one server. */
function readConnectionOptions(text: string): Target["options"] {
  const { url, user, password, database } = partsOf(text)
  const address = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 3306) }
  return {
    ...address,
    user,
    password,
    database,
    ...encryption(url.searchParams, address),
    charset: "utf8mb4",
    connectTimeout: 5000,
    decimalNumbers: true,
    // Keep JSON as text, so that projections get the same from all databases.
    jsonStrings: true,
  }
}

function nameOf({ host, port }: Address): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

/** Returns the parts of a URL, decoded. @throws {Error} without any part of the URL. */
function partsOf(text: string) {
  const url = URL.parse(text)
  try {
    // An unencoded special character ends the password early: the rest must not become the name of a host or a
    // database, which errors show.
    if (url?.hostname && !url.hash && /^\/[^/@:]+$/.test(url.pathname)) {
      const [user = "", password = "", database = ""] = [
        url.username,
        url.password,
        url.pathname.slice(1),
      ].map(decodeURIComponent)
      return { url, user, password, database }
    }
  } catch {
    // A percent sign that does not begin a code.
  }
  throw new Error(
    "Cannot read the database URL: write mysql://user:password@host:3306/name, with the special characters of the password percent-encoded",
  )
}

/**
 * Parses the encryption options. `ssl=required` encrypts. `ssl=verify` also checks that the server's certificate is for
 * this host or address, and signed by the authority in the file `ca`, or by one that the system trusts.
 */
function encryption(parameters: URLSearchParams, address: Address): mysql.ConnectionOptions {
  const { ssl, ca, ...unknown } = Object.fromEntries(parameters)
  const wrong = Object.keys(unknown)[0]
  if (wrong !== undefined || !["verify", "required", undefined].includes(ssl) || (ca && !ssl)) {
    throw new Error(
      "Cannot read the database URL: after the name, only ?ssl=required or ?ssl=verify is allowed, then &ca=/path/of/a.pem",
    )
  }
  if (ssl === undefined) return {}
  return {
    ...ssl === "verify" && isIP(address.host) !== 0 && { stream: () => connectTo(address) },
    ssl: {
      rejectUnauthorized: ssl === "verify",
      verifyIdentity: ssl === "verify",
      ...(ca === undefined ? {} : { ca: readAuthority(ca) }),
    },
  }
}

/**
 * Connects to an IP address. TLS compares the certificate with the socket's `_host`, which Node only sets for names:
 * without it, TLS would accept only a certificate for "localhost".
 */
export function connectTo({ host, port }: Address): Socket {
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
