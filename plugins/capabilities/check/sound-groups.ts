import { randomBytes } from "node:crypto"
import { parseDocument } from "yaml"
import {
  type Capability,
  type Config,
  type ConfigError,
  draftConfig,
} from "../../../core/capability.ts"

/** What stands in for groups that no configuration goes without, so that the others can be read. Nothing uses it. */
const standIns: Readonly<Record<string, string>> = {
  server: "{ host: 127.0.0.1, port: 0 }",
  session: `{ secrets: [${randomBytes(33).toString("base64")}] }`,
  plugins: "[{ use: none }]",
}

/**
 * Reads of a file with mistakes the groups without one, and returns the names of the others. Whoever uses one of those
 * gets the error that `draftConfig` found. So a command that needs only `database` works while somebody edits the rest.
 *
 * @throws {ConfigError} that error, if a mistake is in `database` or in `capabilities`, which say what a change is
 *   recorded by, or if it cannot be told in which group it is.
 */
export const readSoundGroups: NonNullable<Capability["readSound"]> = async (
  path,
  environment,
  error,
) => {
  const broken = new Set<string>()
  for (;;) {
    let groups: readonly Group[] = []
    const draft = await draftConfig(path, environment, (text) => {
      groups = groupsIn(text) ?? []
      for (const { name, lines } of groups) {
        if (parseDocument(lines.join("\n")).errors.length > 0) broken.add(name)
      }
      const missing = Object.keys(standIns).filter((name) =>
        !groups.some((own) => own.name === name)
      )
      for (const name of missing) broken.add(name)
      const kept = groups.map(({ name, lines }) =>
        broken.has(name) ? [lineOf(name), ...lines.slice(1).fill("")] : lines
      )
      return [...kept.flat(), ...missing.map(lineOf)].join("\n")
    })
    const { problems } = draft.source
    const places = problems.map(({ line }) =>
      groups.findLast(({ first }) => first <= line)?.name ?? ""
    )
    const isNew = places.some((name) => !broken.has(name))
    for (const name of places) broken.add(name)
    const isDoubtful = ["database", "capabilities", ""].some((name) => broken.has(name)) ||
      mayHideCapabilities(groups, broken) ||
      error.problems.some(({ message }) => message.endsWith("did you mean capabilities?"))
    if (groups.length === 0 || isDoubtful) throw error
    if (problems.length === 0) {
      const inOrder = [...new Set([...groups.map(({ name }) => name), ...broken])]
      const faulty = inOrder.filter((name) => broken.has(name))
      return { config: refusing(draft.accept(), broken, error), broken: faulty }
    }
    if (!isNew) throw error
  }
}

/** True if the list of capabilities may be in what is broken: indented, or by a misspelt name. */
function mayHideCapabilities(groups: readonly Group[], broken: ReadonlySet<string>): boolean {
  if (groups.some(({ name }) => name === "capabilities")) return false
  return groups.some(({ name, lines }) =>
    broken.has(name) && lines.some((line) => /^[\s"']*capab\w*["']?\s*:/i.test(line))
  )
}

interface Group {
  readonly name: string
  readonly lines: string[]
  /** The number of its first line. */
  readonly first: number
}

/**
 * Splits a file where groups begin: in YAML, nothing else of a file that is one group of groups begins at the margin.
 * Returns undefined if something does: then it cannot be told what is meant.
 */
function groupsIn(text: string): readonly Group[] | undefined {
  const groups: Group[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, name] = /^([\w-]+):(?:\s|$)/.exec(line) ?? []
    if (name !== undefined || groups.length === 0) {
      groups.push({ name: name ?? "#", lines: [], first: index + 1 })
    }
    if (name === undefined && !/^(\s|#|-(\s|$)|$)/.test(line)) return undefined
    groups.at(-1)?.lines.push(line)
  }
  return groups
}

function lineOf(name: string): string {
  const standIn = standIns[name]
  return standIn === undefined ? "" : `${name}: ${standIn}`
}

/** Makes all that depends on broken groups throw an error when it is used. */
function refusing(config: Config, broken: ReadonlySet<string>, error: ConfigError): Config {
  const refuse = (part: object, name: string) =>
    Object.defineProperty(part, name, {
      get() {
        throw error
      },
    })
  for (const each of config.capabilities) {
    if (broken.has(each.capability.settings?.group ?? "")) refuse(each, "settings")
  }
  if (broken.has("server")) {
    for (const name of ["cookie", "secure"]) refuse(config.session, name)
    refuse(config, "limits")
  }
  for (const name of [...broken, "settings"]) if (Object.hasOwn(config, name)) refuse(config, name)
  return config
}
