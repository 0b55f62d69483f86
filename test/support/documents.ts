import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { Readable } from "node:stream"
import type { Command } from "commander"
import { loadAllCapabilities } from "../../core/config/capabilities.ts"
import { unshownSettings } from "../../plugins/capabilities/check/json-schema.ts"
import type { Capability } from "../../core/kernel/capability.ts"
import { settingsWith } from "../../core/config/settings.ts"
import { createProgram } from "../../core/cli/program.ts"

const capabilities = await loadAllCapabilities<Capability>()

/** The command line with the commands of all capabilities, to look at and not to run. */
export const program: Command = createProgram({
  env: {},
  stdin: Readable.from([]),
  print: () => {},
  write: () => Promise.resolve(0),
  warn: () => {},
  notify: () => {},
  shutdown: AbortSignal.abort(),
  isInteractive: false,
  onHangUp: () => {},
}, capabilities)

/** The schema of all settings. */
export const settingsSchema = settingsWith(capabilities)

/** The names of all settings that are shown. */
export const settings: readonly string[] = namesOf(settingsSchema).filter((name) =>
  !unshownSettings(capabilities).includes(name)
)

/** Returns the names of the settings of a schema, such as `server.port`. */
function namesOf(schema: unknown, prefix = ""): string[] {
  const { entries, wrapped, type } = schema as {
    entries?: Record<string, unknown>
    wrapped?: unknown
    type?: string
  }
  if (type === "optional") return namesOf(wrapped, prefix)
  if (!entries) return [prefix]
  return Object.entries(entries).flatMap(([name, inner]) =>
    namesOf(inner, prefix ? `${prefix}.${name}` : name)
  )
}

/** Returns the blocks of code in one of the languages, without their indentation. */
export function blocksOf(markdown: string, ...languages: string[]): string[] {
  const blocks = [...markdown.matchAll(/^( *)```(\w+)\n(.*?)^\1```/gms)]
  return blocks.filter(([, , language = ""]) => languages.includes(language))
    .map(([, indent = "", , code = ""]) => code.replaceAll(new RegExp(`^${indent}`, "gm"), ""))
}

/** Returns the text without blocks of code. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(/^( *)```\w*\n.*?^\1```/gms, "")
}

/** Returns the anchors that GitHub gives to the headings of a text. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = [...proseOf(markdown).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text)
  return new Set(
    headings.map((text) =>
      text.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-")
    ),
  )
}

/** True if a link of a file leads nowhere. Folders, and files that are no Markdown, have no headings. */
export function isBroken(file: string, link: string): boolean {
  const [path = "", anchor] = link.split("#")
  const target = path === "" ? file : normalize(join(dirname(file), path))
  if (!existsSync(target)) return true
  return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).has(anchor)
}

/** Returns the targets of links that are no addresses, such as `../README.md#health`. */
export function linksOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target)
    .filter((target) => !/^(https?:|\/)/.test(target))
}

/**
 * Returns what is wrong with a command line, without the program's name. Words in capitals and `…` stand for any value.
 * A mention in a sentence, such as `account revoke`, may leave out the arguments.
 */
export function wrongIn(line: string, { isMention }: { readonly isMention: boolean }): string[] {
  const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  let command = program
  const given: string[] = []
  const wrong: string[] = []
  while (words.length > 0) {
    const [word = ""] = words.splice(0, 1)
    const named = command.commands.find((each) => each.name() === word)
    if (named && given.length === 0) command = named
    else if (word.startsWith("-")) {
      const options = [...command.options, ...program.options]
      const option = options.find(({ long, short }) => [long, short].includes(word))
      if (!option && !["--help", "-h"].includes(word)) {
        wrong.push(`${command.name()} has no option ${word}`)
      }
      if (option?.required || option?.optional) words.splice(0, 1)
    } else if (word !== "…" && !(isMention && word === "COMMAND")) given.push(word)
  }
  const wanted = command.registeredArguments
  if (command.commands.length > 0 && !isMention) wrong.push(`${line} names no command`)
  if (given.length > wanted.length) wrong.push(`${command.name()} takes no ${given.join(" ")}`)
  const needed = wanted.filter(({ required }) => required)
  if (!isMention && given.length < needed.length) wrong.push(`${line} lacks an argument`)
  return wrong
}
