import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from "yaml"
import type { ConfigPath, SettingIssue } from "./issues.ts"
import type { ConfigProblem } from "./problem.ts"

/** Variables of the environment, by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A parsed configuration file: its value, its problems so far, and the place of each part. */
export class ConfigSource {
  /** False if the text is not YAML. Then there is no value. */
  readonly parsed: boolean
  readonly value: unknown
  readonly problems: ConfigProblem[] = []
  readonly #file: string
  readonly #text: string
  readonly #lines = new LineCounter()
  readonly #document
  readonly #references: VariableReference[] = []
  /** True if a name is there twice, or if an alias has no anchor. */
  #isAmbiguous = false
  /** Offsets of references that could not be replaced. Further problems there are not reported. */
  readonly #unreadable = new Set<number>()

  /**
   * Parses YAML. Replaces `${NAME}` and `${NAME:-default}` from `environment`. An unquoted text that
   * then looks like a number, true or false becomes one.
   */
  constructor(file: string, text: string, environment: Environment) {
    this.#file = file
    this.#text = text
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // It compares each key with all others: ten thousand keys take a second.
      uniqueKeys: false,
      // Its warnings go to standard error, and repeat text of the file.
      logLevel: "error",
    })
    for (const error of this.#document.errors) {
      const isOpen = openQuote.test(error.message)
      this.#report(isOpen ? this.#lastQuoteBefore(error.pos[0]) : error.pos[0], describe(error))
    }
    if (this.#document.errors.length > 0) this.#reportSpaces()
    visit(this.#document, {
      Map: (_, node) => this.#checkNames(node),
      Scalar: (key, node, path) => {
        if (key !== "key") this.#substitute(node, environment, settingOf(path))
      },
    })
    this.#checkAliases()
    for (const { name, offset } of misplacedSecrets(this.#references)) {
      this.#report(
        offset,
        `${name} is a secret, but the value of this setting is shown: name another variable`,
      )
      this.#unreadable.add(offset)
    }
    this.parsed = this.#document.errors.length === 0 && !this.#isAmbiguous
    this.value = this.parsed ? this.#toValue() : undefined
  }

  /** Reports a problem with the value or the name at a path; if that is missing, with its parent. */
  report({ path, message, at }: SettingIssue): void {
    const offset = this.#offsetOf(path, at)
    if (!this.#unreadable.has(offset)) this.#report(offset, message)
  }

  /** Returns the place of the value or the name at a path; if that is missing, of its parent. */
  placeOf(path: ConfigPath, at: SettingIssue["at"] = "value"): {
    readonly file: string
    readonly line: number
    readonly column: number
  } {
    return { file: this.#file, ...this.#placeAt(this.#offsetOf(path, at)) }
  }

  /** Replaces values from the environment in a text by the references that stand for them in the file. */
  #hide(text: string): string {
    const known = this.#references.filter(({ value = "" }) => value.length >= shortestSecret)
    // The longest first: one value may be a part of another.
    const longest = known.toSorted((a, b) => (b.value?.length ?? 0) - (a.value?.length ?? 0))
    return longest.reduce(
      (shown, { name, value = "" }) => shown.replaceAll(value, `\${${name}}`),
      text,
    )
  }

  #placeAt(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }

  /** Reports spaces that YAML does not accept: they are invisible, and may cause the error. */
  #reportSpaces(): void {
    for (const { index } of this.#text.matchAll(/[^\S\n\r\t ]+/g)) {
      this.#report(
        index,
        "this is not an ordinary space (it may be copied from a page): type it again",
      )
    }
  }

  /** Returns where the last quoted text begins. The parser reports its missing end at the end of the file. */
  #lastQuoteBefore(end: number): number {
    let last = end
    visit(this.#document, {
      Scalar: (_, { type = "", range }) => {
        if (type.startsWith("QUOTE") && range && range[0] < end) last = range[0]
      },
    })
    return last
  }

  #checkNames({ items }: YAMLMap): void {
    const names = new Set<unknown>()
    for (const pair of items) {
      const key = isAlias(pair.key) ? pair.key.resolve(this.#document) : pair.key
      if (!isScalar(key)) continue
      if (typeof key.value === "string" && lostNames.has(key.value)) {
        this.#report(
          key.range?.[0] ?? 0,
          `${key.value} cannot be a name in a configuration: choose another`,
        )
      }
      if (names.has(key.value)) {
        this.#isAmbiguous = true
        this.#report(key.range?.[0] ?? 0, "this name is there twice: keep one")
      }
      names.add(key.value)
    }
  }

  /** Otherwise, the parser would report an alias without its place. */
  #checkAliases(): void {
    const anchors = new Set<string>()
    visit(this.#document, {
      Value: (_, { anchor }) => {
        if (anchor !== undefined) anchors.add(anchor)
      },
      Alias: (_, { source, range }) => {
        if (anchors.has(source)) return
        this.#isAmbiguous = true
        this.#report(
          range?.[0] ?? 0,
          "* refers to an anchor, but no such & is above: quote the text",
        )
      },
    })
  }

  #report(offset: number, message: string): void {
    const place = this.#placeAt(offset)
    this.problems.push({ file: this.#file, ...place, message: this.#hide(message) })
  }

  #substitute(node: Scalar, environment: Environment, setting: string): void {
    if (typeof node.value !== "string" || !node.value.includes("${")) return
    const offset = node.range?.[0] ?? 0
    if (/^\$\{[^}]*$/.test(node.value)) {
      this.#unreadable.add(offset)
      return this.#report(offset, "this reference has no end: write ${NAME} or ${NAME:-default}")
    }
    // Behind the last closing brace is no reference: looking for the end of each would take quadratic time.
    const end = node.value.lastIndexOf("}") + 1
    const text = node.value.slice(0, end).replace(
      /\$\{([^}]*)\}/g,
      (_, inside: string) => {
        const parts = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside)
        if (!parts) {
          this.#unreadable.add(offset)
          this.#report(offset, "this reference is malformed: write ${NAME} or ${NAME:-default}")
          return ""
        }
        const [, name = "", fallback] = parts
        const value = Object.hasOwn(environment, name) ? environment[name] : undefined
        this.#references.push({ name, value, setting, offset })
        const found = value || fallback
        if (found === undefined) {
          this.#unreadable.add(offset)
          this.#report(
            offset,
            `the environment variable ${name} is not set and has no default here`,
          )
        }
        return found ?? ""
      },
    ) + node.value.slice(end)
    node.value = node.type === Scalar.PLAIN ? retype(text) : text
  }

  #toValue(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 })
    } catch (error) {
      this.#report(0, describe(error))
      return undefined
    }
  }

  #offsetOf(path: ConfigPath, at: SettingIssue["at"]): number {
    let node: unknown = this.#document.contents
    let offset = (node as Node | null)?.range?.[0] ?? 0
    for (const step of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
        if (!pair) return offset
        offset = (pair.key as Scalar).range?.[0] ?? offset
        node = pair.value
      } else {
        node = isSeq(node) ? node.items[Number(step)] : undefined
        offset = (node as Node | undefined)?.range?.[0] ?? offset
      }
    }
    return at === "value" && isScalar(node) ? node.range?.[0] ?? offset : offset
  }
}

/** Names that all objects have in JavaScript: the check of the settings would silently drop them. */
const lostNames = new Set(["__proto__", "constructor", "prototype"])

/** A reference to an environment variable. */
interface VariableReference {
  readonly name: string
  readonly value: string | undefined
  readonly setting: string
  /** Its place in the file. */
  readonly offset: number
}

/** In characters. Shorter values, such as ports and words, are shown. */
const shortestSecret = 8

/** Settings whose values the service prints. Those of plugins and capabilities may be secrets. */
const shownSettings =
  /^(server|admin|polling|log|limits|accounts|cache|watch|capabilities)\b|^plugins\.use$/

/** Returns the references in these settings to variables that look like secrets. */
function misplacedSecrets(references: readonly VariableReference[]): readonly VariableReference[] {
  const inSecrets = references.filter(({ setting }) => setting === "session.secrets")
  const secrets = new Set(inSecrets.map(({ name }) => name))
  return references.filter(({ name, value = "", setting }) =>
    shownSettings.test(setting) &&
    (secrets.has(name) || /(secret|passw(or)?d|token)s?$/i.test(name) ||
      /:\/\/[^/]*:[^/]*@/.test(value))
  )
}

/** Returns the names of the settings around a node, from the top: `session.secrets`. */
function settingOf(path: readonly unknown[]): string {
  return path.flatMap((each) => isPair(each) && isScalar(each.key) ? [String(each.key.value)] : [])
    .join(".")
}

/** Replace messages of the parser that repeat text of the file: it may be a password. */
const sentences: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: "Invalid escape sequence between double quotes",
  BAD_DIRECTIVE: "Invalid directive",
  TAG_RESOLVE_FAILED: "Unknown tag",
  MULTIPLE_DOCS: "A line of --- begins a second document here: a configuration is one",
}

const openQuote = /^Missing closing .quote/

/** Replace messages of the parser that require knowledge of YAML. */
const plain: readonly [RegExp, string][] = [
  [openQuote, "This text in quotes has no end"],
  [
    /^All mapping items/,
    "This line begins further left or right than others of its group, or a line above has no space after its colon",
  ],
  [/^Implicit map keys need/, "A name needs a colon after it, and a space"],
  [
    /^Nested mappings/,
    "A value has a second colon, or lines below it: check the quotes and spaces",
  ],
]

/** Describes an error of the parser without repeating text of the file. */
function describe(error: unknown): string {
  const { code = "", message } = error as { code?: string; message: string }
  const [, sentence = sentences[code]] = plain.find(([words]) => words.test(message)) ?? []
  return sentence ?? message.replace(/(?<=\S): .*$/s, "")
}

/** Turns an unquoted text that looks like a number, true or false into one. */
function retype(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true"
  return text !== "" && String(Number(text)) === text ? Number(text) : text
}
