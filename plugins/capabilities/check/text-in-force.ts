import { readFile } from "node:fs/promises"
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from "yaml"
import { type Plan, sha256 } from "../../../core/capability.ts"

/** The text of a configuration file, for people who may read it but not the secrets. */
export interface FileText {
  /** Without secrets: `${HIDDEN}` is in their place. */
  readonly text: string
  readonly isInForce: boolean
  readonly hidesSomething: boolean
}

/** What is in the place of a secret: a draft with it can be checked, since its secrets are not used. */
export const hidden = "${HIDDEN}"

/** The longest file in characters that a form is filled with. */
const longest = 64 * 1024

/**
 * Reads the file of the configuration in force as it is now. Undefined if that cannot be, or is no valid YAML: then
 * nobody knows what in it is secret.
 */
export async function readFileText(plan: Plan): Promise<FileText | undefined> {
  const whole = await readFile(plan.file, "utf8").catch(() => undefined)
  if (whole === undefined || whole.length > longest) return undefined
  const text = withoutSecrets(whole, secretsOf(plan))
  if (text === undefined) return undefined
  return {
    text,
    isInForce: sha256(whole).startsWith(plan.hash),
    hidesSomething: text.includes(hidden),
  }
}

/** Returns the secrets in force, which comments may have as well. Short ones could be any word. */
function secretsOf({ session, database: { url } }: Plan): string[] {
  const password = URL.parse(url)?.password ?? ""
  const all = [...session.secrets, password, decoded(password)]
  return all.filter((secret) => secret.length >= 8)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Replaces what is secret in a configuration: `session.secrets`, `database.url` unless it is of an embedded database, and
 * settings of plugins by their names, and passwords in URLs. References to environment variables stay, unless they have a value of their own.
 * Undefined if the text is no valid YAML.
 */
export function withoutSecrets(text: string, known: readonly string[] = []): string | undefined {
  const document = parseDocument(text)
  if (document.errors.length > 0) return undefined
  const ranges = new Map<number, number>()
  let steps = 0
  const walk = (node: unknown, path: string, depth = 0): boolean => {
    if (++steps > 20_000 || depth > 20) return false
    const found = isAlias(node) ? node.resolve(document) : node
    if (isMap(found)) {
      return found.items.every(({ key, value }) =>
        walk(value, path === "" ? String(key) : `${path}.${String(key)}`, depth + 1)
      )
    }
    if (isSeq(found)) return found.items.every((item) => walk(item, path, depth + 1))
    if (isScalar(found) && isSecret(path, String(found.value))) {
      const [start, end] = (found as Node).range ?? []
      if (start === undefined || end === undefined) return false
      ranges.set(start, end)
    }
    return true
  }
  // One that refers to itself over and over has no end.
  if (!walk(document.contents, "")) return undefined
  let result = text
  for (const [start, end] of [...ranges].sort(([one], [other]) => other - one)) {
    const rest = result.slice(start, end).endsWith("\n") ? "\n" : ""
    result = `${result.slice(0, start)}${hidden}${rest}${result.slice(end)}`
  }
  result = result.replace(credentials, `$1${hidden}`)
  return known.reduce((all, secret) => all.replaceAll(secret, hidden), result)
}

/** Names of settings of plugins that may be secrets. */
const secretName = /secret|token|passw|credential|keys?$|^auth(orization)?$/i

/** The password of a URL, wherever it is: also in a comment, or where it does not belong. The word itself is none. */
const credentials =
  /(\b[a-z][a-z\d+.-]{1,30}:\/\/[^\s:@\/"']{0,200}:)(?!\$\{|password@)[^\s@\/"']+(?=@)/gi

function isSecret(path: string, value: string): boolean {
  if (/^\$\{\w+\}$/.test(value)) return false
  if (path === "session.secrets") return true
  if (path === "database.url") return !/^(\$\{\w+:-)?sqlite:/.test(value)
  const [first, ...rest] = path.split(".")
  return first === "plugins" && rest.some((name) => secretName.test(name))
}
