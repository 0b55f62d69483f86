import * as crypto from "node:crypto"
import * as v from "valibot"
import type { CapabilityDeclaration } from "./capabilities.ts"
import { logLevels } from "../log.ts"
import { shortestSecret, weakness } from "./secrets.ts"
import { networkMeant } from "../networks.ts"

/** Text that is not empty. */
export const text = v.pipe(v.string("must be text"), v.nonEmpty("must not be empty"))

/** Returns the schema of a whole number within bounds. */
export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}

/** Returns the schema of a group that may be left out, because all its settings have defaults. */
export function groupOf<const Entries extends Defaults>(entries: Entries) {
  return v.optional(
    v.strictObject(entries),
    {} as v.InferInput<v.StrictObjectSchema<Entries, undefined>>,
  )
}

type Defaults = Readonly<Record<string, v.OptionalSchema<v.GenericSchema, unknown>>>

const secret = v.pipe(v.string("must be text"), v.minLength(shortestSecret, weakness("") ?? ""))

const hostName = textLike(
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i,
  "must be a name such as export.example.org",
)

const noHost = "must be an IP address or a name, such as 127.0.0.1"
/** The address to listen on. */
export const address = v.pipe(textLike(/^[\w.:-]+$/, noHost), v.check(isHost, noHost))

const network = v.pipe(
  v.string("must be text"),
  v.check((text) => !!networkMeant(text), "must be a network such as 10.0.0.0/8 or 2001:db8::/32"),
)

const server = textLike(
  /^(\[[\da-f:.]+\]|[a-z\d_]([\w.-]*[a-z\d_])?)(:\d{1,5})?$/i,
  "must be a host, such as db4 or db4:3306",
)

const noContact = "must be an e-mail address or an https URL, such as export@example.org"
/** ASCII without spaces, so that it can stand in a URL, in a header and in `security.txt`. */
const contact = v.pipe(
  textLike(/^([\w.+-]+@[a-z\d-]+(\.[a-z\d-]+)+|https:\/\/[\w.-]+[!#-;=?-Z_a-z~]*)$/i, noContact),
  v.check((text) => !text.includes("://") || isPlainUrl(text), noContact),
)

/** Returns true for a URL without a user name or a password: everyone is shown it. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  return url?.username === "" && url.password === ""
}

/** Only the first of these is reported: what is no URL has no host either. */
const publicUrl = v.config(
  v.pipe(
    v.string("must be text"),
    v.url("must be a URL such as https://export.example.org"),
    v.regex(
      /^https?:\/\/[^/?#]+$/,
      "must have only a scheme, a host and a port, without a path or a slash at the end",
    ),
    v.check(isPlainUrl, "must have no user name and no password: everyone is shown it"),
  ),
  { abortPipeEarly: true },
)

const passwordKinds = ["scrypt", "argon2id"] as const

/** How passwords are hashed. */
export type PasswordKind = (typeof passwordKinds)[number]

/** All processes share the configuration: one that cannot verify the others' hashes must not start. */
const passwordKind = v.pipe(
  oneOf(passwordKinds),
  v.check(
    (kind) => kind !== "argon2id" || "argon2" in crypto,
    "must be scrypt unless all processes and commands run on Node.js 24.7 or later: this one does not",
  ),
)

/** The settings of the service: the whole configuration file except `with` of plugins. */
export const settingsSchema = v.strictObject({
  server: v.strictObject({
    host: address,
    port: wholeNumber(0, 65535),
    time_limit: v.optional(wholeNumber(1, 300), 30),
    trust_proxy: v.optional(v.array(network, "must be a list of networks"), []),
    host_names: v.optional(v.array(hostName, "must be a list of names"), []),
    connections: v.optional(wholeNumber(1, 1_000_000), 1000),
    reuse_port: v.optional(v.boolean("must be true or false"), false),
    drain: v.optional(wholeNumber(0, 600), 0),
    public_url: v.optional(publicUrl),
    contact: v.optional(contact),
  }),
  database: v.strictObject({
    url: v.union(
      [text, v.strictObject({ file: text })],
      "must be mysql://… or sqlite:…, or `file:` with the path of a file that contains the URL",
    ),
    connections: v.optional(wholeNumber(1, 1000), 10),
    time_limit: v.optional(wholeNumber(1, 300), 10),
    replicas: v.optional(
      v.strictObject({
        staleness: v.optional(wholeNumber(3, 3600), 10),
        hosts: v.optional(v.array(server, "must be a list of hosts"), []),
      }),
    ),
  }),
  session: v.strictObject({
    secrets: v.pipe(
      v.array(
        v.union(
          [secret, v.strictObject({ file: text })],
          "must be text of at least 32 characters (`openssl rand -base64 33` generates one), or `file:` with a path",
        ),
        "must be a list, newest first",
      ),
      v.minLength(1, "must have at least one secret"),
    ),
    lifetime: v.optional(wholeNumber(60, 31_536_000), 43_200),
    idle: v.optional(wholeNumber(0, 31_536_000), 604_800),
    passwords: v.optional(passwordKind, "scrypt"),
  }),
  polling: groupOf({
    retention: v.optional(wholeNumber(1, 36_500), 90),
    wait: v.optional(wholeNumber(0, 3600), 50),
    interval: v.optional(wholeNumber(1, 31_536_000), 60),
  }),
  log: groupOf({
    level: v.optional(oneOf(logLevels), "info"),
  }),
  limits: groupOf({
    burst: v.optional(wholeNumber(1, 1_000_000), 50),
    quota: v.optional(wholeNumber(1, 1_000_000_000), 36_000),
    concurrent: v.optional(wholeNumber(1, 1000), 4),
  }),
  accounts: v.optional(
    v.record(
      v.string(),
      v.strictObject({
        burst: v.exactOptional(wholeNumber(1, 1_000_000)),
        quota: v.exactOptional(wholeNumber(1, 1_000_000_000)),
        concurrent: v.exactOptional(wholeNumber(1, 1000)),
        poll_interval: v.exactOptional(wholeNumber(1, 31_536_000)),
      }),
    ),
    {},
  ),
  cache: groupOf({
    megabytes: v.optional(wholeNumber(0, 24_000), 192),
  }),
  watch: v.optional(v.boolean("must be true or false"), false),
  capabilities: v.optional(v.array(text, "must be a list of names")),
  plugins: v.pipe(
    v.array(
      v.strictObject({
        use: text,
        with: v.optional(v.unknown()),
      }),
      "must be a list of plugins",
    ),
    v.minLength(1, "must name at least one plugin"),
  ),
})

/** Returns the settings with the groups of capabilities. */
export function settingsWith(capabilities: readonly CapabilityDeclaration[]) {
  const groups = capabilities.flatMap(({ settings }) =>
    settings ? [[settings.group, settings.schema] as const] : []
  )
  return v.strictObject({ ...settingsSchema.entries, ...Object.fromEntries(groups) })
}

/** The checked settings of the service, with their defaults. */
export type Settings = v.InferOutput<typeof settingsSchema>

function textLike(pattern: RegExp, message: string) {
  return v.pipe(v.string("must be text"), v.regex(pattern, message))
}

function oneOf<const Names extends readonly string[]>(names: Names) {
  return v.picklist(names, `must be one of ${names.join(", ")}`)
}

/** Returns true for what a URL can have as its host. */
function isHost(text: string): boolean {
  return URL.canParse(`http://${text.includes(":") ? `[${text}]` : text}`)
}
