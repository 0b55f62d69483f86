/** A compiled path pattern, such as `/events/:eventId/guests`. */
export interface PathPattern {
  readonly text: string
  readonly parameters: readonly string[]
  /** Matches a percent-encoded path. The parameters are its named groups. */
  readonly expression: RegExp
  /** Equal for patterns that match the same paths. */
  readonly shape: string
}

/** The maximum length of a pattern, in characters: the audit log has room for no more. */
const longestPath = 500

/** Compiles a path pattern. @throws {TypeError} if it is not a path, or names a parameter twice. */
export function compilePath(text: string): PathPattern {
  if (text !== "/" && !/^(\/(:[a-zA-Z]\w*|[\w.~-]+))+\/?$/.test(text)) {
    throw new TypeError(
      `Cannot route ${JSON.stringify(text)}: a path is made of /word and /:parameter`,
    )
  }
  if (text.length > longestPath) {
    throw new TypeError(`Cannot route ${text}: it has more than ${longestPath} characters`)
  }
  const parameters = [...text.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)
  if (new Set(parameters).size < parameters.length) {
    throw new TypeError(`Cannot route ${text}: it names a parameter twice`)
  }
  const pattern = text.replaceAll(".", "\\.").replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")
  const shape = text.replaceAll(/:\w+/g, ":")
  return { text, parameters, expression: new RegExp(`^${pattern}$`), shape }
}
