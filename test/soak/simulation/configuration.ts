import { createHash } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { type Document, parseDocument } from "yaml"
import type { FilterName } from "../../support/filters/passes.ts"

const source = readFileSync(new URL("../../../config/event-export.yaml", import.meta.url), "utf8")

/** Settings of every world that differ from those of the configuration in `config/`, by path. */
const settings: readonly (readonly [path: string, value: unknown])[] = [
  ["server.public_url", "http://export.test"],
  ["polling.retention", 1],
  ["audit.retention", 2],
  ["disclosures.retention", 3],
  ["cache.megabytes", 8],
  // In the folder of the world.
  ["connect.mapping", "source.yaml"],
]

/** The plugin of the family whose guests are chosen by a filter. */
const chosenPlugin = join(import.meta.dirname, "../../support/filters/family.ts")

/** A family as a file describes it. */
export interface ConfiguredFamily {
  /** The organizations whose events it serves. */
  readonly organizations: readonly string[]
  /** The only account that may use it; undefined if all may. */
  readonly account: string | undefined
}

/** What a service may have in force: the settings of a file that is good. */
export interface Version {
  readonly capabilities: readonly string[]
  /** By their paths, such as `/connector-a/v1`. */
  readonly families: ReadonlyMap<string, ConfiguredFamily>
  /** That of the family with a filter. */
  readonly filter: FilterName | undefined
  /** What seals cookies, newest first; undefined for that of the environment. */
  readonly secrets: readonly string[]
  /** Seconds without a request until a session ends; 0 is no limit. */
  readonly idle: number
  /** True if services look for changes of the file themselves. */
  readonly watch: boolean
}

/** The configuration file of a world, which operators edit. */
export class Configuration {
  readonly file: string
  #document: Document = parseDocument(source)
  /** What the document says, until it changes: it is asked for all the time. */
  #known: { text?: string; value?: Content } = {}
  readonly #versions = new Map<string, Version>()

  constructor(file: string) {
    this.file = file
    this.reset()
  }

  /** The names of the capabilities that are on. */
  get capabilities(): readonly string[] {
    return this.#value.capabilities
  }

  /** The hash of the file as it should be. */
  get hash(): string {
    return hashOf(this.#text)
  }

  get #value(): Content {
    return this.#known.value ??= this.#document.toJS()
  }

  get #text(): string {
    return this.#known.text ??= String(this.#document)
  }

  /** Returns what a good file with a hash said; undefined if there was none. */
  version(hash: string): Version | undefined {
    return this.#versions.get(hash)
  }

  /** Returns a setting, as it should be in the file. */
  get(path: string): unknown {
    return path.split(".").reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      this.#value,
    )
  }

  /** Changes a setting, and writes the file. `undefined` removes it. */
  set(path: string, value: unknown): void {
    const keys = path.split(".")
    this.#known = {}
    if (value === undefined) this.#document.deleteIn(keys)
    else this.#document.setIn(keys, value)
    this.write()
  }

  /** Turns a capability on or off, and writes the file. */
  turn(capability: string, isOn: boolean): void {
    const others = this.capabilities.filter((each) => each !== capability)
    this.set("capabilities", isOn ? [...others, capability] : others)
  }

  /** Writes the file as it was in the beginning. */
  reset(): void {
    this.#known = {}
    this.#document = parseDocument(source)
    // It would listen on a real port.
    this.#document.deleteIn(["admin"])
    for (const [path, value] of settings) this.#document.setIn(path.split("."), value)
    this.#document.addIn(["plugins"], {
      use: relative(dirname(this.file), chosenPlugin),
      with: { segment: "chosen", organizations: ["acme", "borealis"], guests: "email" },
    })
    this.write()
  }

  /** Writes the file as it should be. */
  write(): void {
    const text = this.#text
    this.#versions.set(hashOf(text), versionOf(this.#value))
    rmSync(this.file, { force: true, recursive: true })
    writeFileSync(this.file, text)
  }

  /** Writes something that no service takes: `change` makes it of what should be there. */
  spoil(change: (text: string) => string): void {
    writeFileSync(this.file, change(this.#text))
  }
}

interface Content {
  readonly watch: boolean
  readonly capabilities: readonly string[]
  readonly session: { readonly secrets: readonly string[]; readonly idle: number }
  readonly plugins: readonly { readonly use: string; readonly with?: PluginSettings }[]
}

interface PluginSettings {
  readonly segment?: string
  readonly organizations?: readonly string[]
  readonly guests?: FilterName
  readonly customers?: readonly {
    readonly namespace: string
    readonly organization: string
    readonly service_user: string
  }[]
}

function versionOf({ watch, capabilities, session, plugins }: Content): Version {
  const { secrets, idle } = session
  const families = new Map<string, ConfiguredFamily>()
  for (const { with: own = {} } of plugins) {
    const { segment, organizations = [], customers = [] } = own
    if (segment !== undefined) {
      families.set(`/${segment}/v1`, { organizations, account: undefined })
    }
    for (const { namespace, organization, service_user: account } of customers) {
      families.set(`/${namespace}/v1`, { organizations: [organization], account })
    }
  }
  const filter = plugins.find(({ with: own }) => own?.guests)?.with?.guests
  return { capabilities, families, filter, secrets, idle, watch }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}
