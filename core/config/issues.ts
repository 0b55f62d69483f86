import * as v from "valibot"
import { suggest } from "../nearest.ts"

/** The path to a value: names and indexes, from the top of the document. */
export type ConfigPath = readonly (string | number)[]

/** A problem with one setting, in its name or in its value. */
export interface SettingIssue {
  readonly path: ConfigPath
  readonly message: string
  readonly at: "name" | "value"
}

/** A checked value, or what is wrong with it. */
type CheckResult<T> =
  | { readonly value: T; readonly issues: readonly [] }
  | { readonly value: undefined; readonly issues: readonly SettingIssue[] }

/** Checks part of a configuration; `at` is its path. Returns its value, or everything that is wrong. */
export function check<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  at: ConfigPath,
): CheckResult<T> {
  const result = v.safeParse(schema, value)
  if (result.success) return { value: result.output, issues: [] }
  const issues = result.issues.flatMap((issue): SettingIssue[] => {
    const path = (issue.path ?? []).map((item) => item.key as string | number)
    if (!isUnknown(issue)) {
      return [{ path: [...at, ...path], message: describe(issue, path), at: "value" }]
    }
    const { unknown, known } = namesOf(issue, path, schema)
    return unknown.map((name) => {
      const group = [...at, ...path.slice(0, -1)]
      const hint = suggest(name, known, Math.max(2, name.length / 3))
      const isNear = hint.startsWith(": did you mean")
      const shown = mayShow(name, group[0], isNear) ? ` ${name}` : ""
      return { path: [...group, name], message: `unknown setting${shown}${hint}`, at: "name" }
    })
  })
  return { value: undefined, issues }
}

/**
 * Returns true if an unknown name in a group may be shown. In a broken file it may be a part of the
 * database's password, except if it resembles a known name.
 */
function mayShow(name: string, top: ConfigPath[number] | undefined, isNear: boolean): boolean {
  return top === "plugins" ? /^[\w-]{1,40}$/.test(name) : top !== "database" && isNear
}

function isUnknown({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type === "strict_object" && expected === "never"
}

/** Returns the names that a group may have, and its unknown ones: valibot reports only the first of those. */
function namesOf(issue: v.BaseIssue<unknown>, path: ConfigPath, schema: v.GenericSchema<unknown>) {
  const reported = String(path.at(-1))
  const known = namesAt(schema, path.slice(0, -1))
  const others = Object.keys(issue.path?.at(-1)?.input ?? {}).filter((name) =>
    name !== reported && !known.includes(name)
  )
  return { known, unknown: known.length > 0 ? [reported, ...others] : [reported] }
}

function describe(issue: v.BaseIssue<unknown>, path: ConfigPath): string {
  const name = path.at(-1) ?? "the value"
  if (issue.type === "strict_object" && issue.received === "undefined") {
    return `the setting ${name} is missing`
  }
  if (issue.type === "strict_object") return `${name} must be a group of settings`
  if (issue.type === "array" && issue.message.startsWith("Invalid ")) {
    const [, word] = /^"([\w-]{1,40})"$/.exec(issue.received) ?? []
    return `${name} must be a list${word === undefined ? "" : `, such as [${word}]`}`
  }
  return `${typeof name === "number" ? `entry ${name + 1}` : name} ${
    issue.message.startsWith("Invalid ") ? `must be ${issue.expected}${not(issue)}` : issue.message
  }`
}

/** Returns what was found instead of what is expected, unless it is text that may be a secret. */
function not({ received }: v.BaseIssue<unknown>): string {
  return /^"(?![\w -]{0,40}"$)/.test(received) ? "" : `, not ${received}`
}

/** Returns the names of the settings that a schema has at a path. */
function namesAt(schema: unknown, path: ConfigPath): string[] {
  const { entries, item, wrapped, pipe } = schema as {
    entries?: Record<string, unknown>
    item?: unknown
    wrapped?: unknown
    pipe?: readonly unknown[]
  }
  if (wrapped) return namesAt(wrapped, path)
  if (!entries && !item && pipe) return pipe.slice(1).flatMap((part) => namesAt(part, path))
  const [step, ...rest] = path
  if (step === undefined) return Object.keys(entries ?? {})
  const inner = typeof step === "number" ? item : entries?.[step]
  return inner ? namesAt(inner, rest) : []
}
