/** The parts of a configuration that can name an account. */
interface NamingConfig {
  readonly accounts: Readonly<Record<string, unknown>>
  /** The list of plugins, or what the file has in its place. */
  readonly plugins: unknown
}

/** Where a configuration names an account, such as `accounts.ann` and `plugins[2].with.service_user`. */
export interface AccountMentions {
  /** Its own limits. */
  readonly limits: readonly string[]
  /** Settings of plugins that are the name: those of a service user. */
  readonly plugins: readonly string[]
}

interface Entry {
  readonly with?: unknown
  /** Its place in the list, if entries are missing. */
  readonly index?: number
}

/** Finds where a configuration names an account. Looks at all texts in the settings of plugins, and loads no plugin. */
export function namedIn({ accounts, plugins }: NamingConfig, username: string): AccountMentions {
  const entries = Array.isArray(plugins) ? plugins : []
  return {
    limits: Object.hasOwn(accounts, username) ? [`accounts.${username}`] : [],
    plugins: [
      ...new Set(
        entries.flatMap((entry: Entry | null, index) =>
          textsIn(entry?.with, `plugins[${entry?.index ?? index}].with`, username)
        ),
      ),
    ],
  }
}

function textsIn(value: unknown, path: string, wanted: string): string[] {
  if (value === wanted) return [path]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    textsIn(each, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, wanted)
  )
}

/** Says what to change in the configuration after an account was renamed; undefined if nothing. */
export function describePlaces(
  { limits, plugins }: AccountMentions,
  to: string,
): string | undefined {
  const places = [...plugins, ...limits]
  if (places.length === 0) return undefined
  const until = plugins.length > 0
    ? "Until then it gets 403 there."
    : "Until then the limits of all accounts hold for it."
  return `The configuration still has the former name in ${
    places.join(" and ")
  }: write ${to} there, and reload. ${until}`
}

/** Says why an account cannot be removed, as the configuration names it as a service user; undefined if it does not. */
export function whyNeeded({ plugins }: AccountMentions, username: string): string | undefined {
  if (plugins.length === 0) return undefined
  return `The configuration names ${username} in ${
    plugins.join(" and ")
  }: change that first, and reload. ` +
    "Nothing was changed."
}
