import { capabilityNames } from "./installed.ts"

/** The groups whose lines may be shown, besides those of capabilities. `database` never is. */
const publicGroups = new Set([
  "server",
  "admin",
  "polling",
  "log",
  "limits",
  "accounts",
  "cache",
  "watch",
  "capabilities",
  "plugins",
])

/** The lines of `session` that may be shown. */
const publicInSession = /^\s+(lifetime|idle|cookie):/

/** What a line begins with that has a setting or an entry of a list. */
const setting = /^\s*(- +)*([\w-]+:( |$)|- )/

/** What may be a secret in any group: a URL with credentials, and the values of such settings. */
const sensitive = /@|(?<!\bhttps?):\/\/|secret|passw|token|credential|key/i

/**
 * Returns a line of a text with a caret under a column; both count from 1. Returns undefined if there is
 * nothing to show, or if the line could reveal a secret.
 *
 * Shows only lines that look like settings of a group without secrets. In a broken file, parts of a
 * password may be anywhere: on lines of their own, in comments, in names.
 */
export function excerptOf(text: string, line: number, column: number): string | undefined {
  const lines = text.split(/\r?\n/)
  const found = lines[line - 1]
  if (!found?.trim() || found.length > 200 || !isPublic(lines, line - 1)) return undefined
  const word = /^[^\s:#,[\]{}]+/.exec(found.slice(column - 1))?.[0] ?? " "
  const number = String(line).padStart(4)
  const indent = found.slice(0, column - 1).replace(/[^\t]/g, " ")
  return `${number} | ${found}\n     | ${indent}${"^".repeat(word.length)}`
}

function isPublic(lines: readonly string[], index: number): boolean {
  const found = lines[index] ?? ""
  if (!setting.test(found) || sensitive.test(found)) return false
  if (/^[\w-]+:\s*$/.test(found)) return true
  // The line that the group begins with: the last one that is not indented, no comment and no list.
  const header = lines.slice(0, index + 1).findLast((line) => /^(?!- )[^\s#]/.test(line)) ?? ""
  const group = /^(\w+):( |$)/.exec(header)?.[1] ?? ""
  if (group === "session") return publicInSession.test(found)
  return publicGroups.has(group) || capabilityNames().includes(group)
}
