import { Buffer } from "node:buffer"
import type process from "node:process"
import { parseArgs } from "node:util"
import { defaults } from "./defaults.ts"
import { misconfigured, type PullError } from "./errors.ts"
import { readPrivate } from "./private-files.ts"

/** Returns the error for a wrong option. */
export function wrongOption(message: string): PullError {
  return misconfigured(`${message}; --help shows the options`)
}

/** Parses the options of the command. @throws {PullError} for an unknown option. */
function parse(args: readonly string[]) {
  const text = { type: "string" } as const
  const flag = { type: "boolean", default: false } as const
  const options = {
    ...{ to: text, base: text, family: text, events: text, cookies: text },
    ...{ every: text, limit: text, timeout: text, patience: text, listen: text, secrets: text },
    ...{ once: flag, check: flag, content: flag, insecure: flag, json: flag, spreadsheet: flag },
  }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw wrongOption((error as Error).message.split(". ")[0] as string)
  }
}

/** Reads the options of the command and its environment. @throws {PullError} for wrong ones. */
export function readSettings(args: readonly string[], environment: typeof process.env) {
  const values = parse(args)
  const { to, cookies, secrets, base = defaults.base, family = defaults.families[0] ?? "" } = values
  const number = (name: "every" | "limit" | "timeout" | "patience", least: number) => {
    const value = values[name]
    if (value === undefined) return undefined
    if (/^\d+(\.\d+)?$/.test(value) && Number(value) >= least) return Number(value)
    throw wrongOption(`--${name} must be a number of at least ${least}`)
  }
  const [, format, place] = /^(sqlite|ndjson|csv):(.+)$/.exec(to ?? "") ?? []
  if (!format || !place) throw wrongOption("--to must be sqlite:FILE, ndjson:FOLDER or csv:FOLDER")
  if (!URL.canParse(base) || !/^https?:/.test(base)) throw wrongOption("--base must be a URL")
  if (values.family !== undefined && !/^\/.+\/v\d+$/.test(family)) {
    throw wrongOption("--family must be the path of your family, such as /acme/v1")
  }
  const events = values.events?.split(",").map((id) => id.trim())
  if (events && !events.every((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))) {
    throw wrongOption("--events must be ids of events, with commas between them")
  }
  /** Seconds; undefined to run once. */
  const every = values.once ? undefined : number("every", 1)
  const [, host = "127.0.0.1", port] = /^(?:\[?(.+?)\]?:)?(\d+)$/.exec(values.listen ?? "") ?? []
  if (values.listen !== undefined && (port === undefined || every === undefined)) {
    throw wrongOption("--listen must be PORT or HOST:PORT, with --every and without --once")
  }
  return {
    ...values,
    format: format as "sqlite" | "ndjson" | "csv",
    place,
    every,
    listens: port === undefined ? undefined : { host, port, keys: keysOf(secrets, environment) },
    check: values.content ? "content" as const : values.check ? "ids" as const : undefined,
    base,
    family,
    user: environment["EXPORT_USER"] || defaults.user || undefined,
    password: environment["EXPORT_PASSWORD"],
    token: environment["EXPORT_TOKEN"],
    cookie: cookies === undefined ? undefined : readCookies(cookies, new URL(base)),
    events,
    limit: number("limit", 1),
    timeout: number("timeout", 0.1),
    patience: number("patience", 0),
  }
}

/** The settings of the command. */
export type PullSettings = ReturnType<typeof readSettings> & {
  signal: AbortSignal
  wait?: number | undefined
}

/** Returns the keys of the secrets of pings. @throws {PullError} if there are none, or if one is malformed. */
function keysOf(file: string | undefined, environment: typeof process.env): Buffer[] {
  const text = file === undefined ? environment["EXPORT_PING_SECRETS"] : readPrivate(file)
  const keys = text?.match(/\S+/g)?.map((each) => /^whsec_([\w+/]{32,}=*)$/.exec(each)?.[1])
  if (keys?.every((key) => key !== undefined)) return keys.map((key) => Buffer.from(key, "base64"))
  throw misconfigured("--listen needs EXPORT_PING_SECRETS or --secrets: the whsec_… of your pings")
}

/**
 * Returns the session for exactly this host from a cookie file of curl or Python.
 * @throws {PullError} if there is no valid one that may be sent.
 */
function readCookies(file: string, { hostname, protocol }: URL): string {
  const names = [defaults.cookie, "event_export_session", "__Host-event_export_session"]
  const lines = readPrivate(file).replaceAll(/^#HttpOnly_/gm, "").split(/\r?\n/)
  const own = lines.map((line) => line.split("\t")).filter((fields) => {
    const [host, , path, secure, expires, name = "", value] = fields
    const isSent = host === hostname && path === "/" &&
      (secure === "FALSE" || protocol === "https:")
    // A session cookie has no time: curl writes 0, and Python nothing.
    const isValid = Number(expires) === 0 || Number(expires) > Date.now() / 1000
    return isSent && isValid && names.includes(name) && value !== undefined
  })
  if (own.length === 0) {
    const wanted = `session of this service for ${protocol}//${hostname} that has not ended`
    throw misconfigured(`${file} has no ${wanted}`)
  }
  return own.map(([, , , , , name, value]) => `${name}=${value}`).join("; ")
}
