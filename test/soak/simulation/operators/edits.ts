import { filterNames } from "../../../support/filters/passes.ts"
import type { Random } from "../../../support/random.ts"
import type { Configuration } from "../configuration.ts"

/** A change of the file that services take. */
export interface Edit {
  readonly name: string
  change(configuration: Configuration, random: Random): void
}

/** Capabilities that are turned off for a while. */
const optional = [
  ...["audit", "disclosures", "explain", "export", "feed"],
  ...["handbook", "memory", "partners", "ping", "resync", "sessions", "waiting"],
]

const partners = ["partner-a", "partner-b", "partner-c"]

/** Changes that a reload applies, and a few that it refuses. */
export const edits: readonly Edit[] = [
  {
    name: "other limits",
    change(configuration, random) {
      configuration.set("limits.burst", random.between(5, 80))
      configuration.set("limits.quota", random.between(3_000, 40_000))
      configuration.set("limits.concurrent", random.between(1, 8))
    },
  },
  {
    name: "limits of one account",
    change(configuration, random) {
      const own = {
        burst: random.between(3, 50),
        quota: random.between(2_000, 20_000),
        concurrent: random.between(1, 6),
        poll_interval: random.between(30, 900),
      }
      configuration.set("accounts", { [random.pick(partners)]: own })
    },
  },
  {
    name: "another wait",
    change: (configuration, random) =>
      configuration.set("polling.wait", random.pick([0, 1, 10, 50])),
  },
  {
    name: "another interval",
    change: (configuration, random) =>
      configuration.set("polling.interval", random.between(10, 600)),
  },
  {
    name: "another cache",
    change: (configuration, random) => configuration.set("cache.megabytes", random.pick([0, 1, 8])),
  },
  {
    name: "another end of sessions",
    change(configuration, random) {
      configuration.set("session.lifetime", random.pick([600, 7_200, 43_200]))
      configuration.set("session.idle", random.pick([0, 3_600, 604_800]))
    },
  },
  {
    name: "a new secret first",
    change(configuration) {
      const [first = ""] = configuration.get("session.secrets") as string[]
      const next = `${crypto.randomUUID()} ${crypto.randomUUID()}`
      configuration.set("session.secrets", [next, first])
    },
  },
  {
    name: "only a new secret",
    change: (configuration) =>
      configuration.set("session.secrets", [`${crypto.randomUUID()} ${crypto.randomUUID()}`]),
  },
  {
    name: "a watched file",
    change: (configuration) => configuration.set("watch", true),
  },
  {
    name: "a capability less",
    change: (configuration, random) => configuration.turn(random.pick(optional), false),
  },
  {
    name: "no organization borealis at connector-b",
    change: (configuration) => setPlugin(configuration, "connector-b", { organizations: ["acme"] }),
  },
  {
    name: "organization borealis at connector-a",
    change: (configuration) =>
      setPlugin(configuration, "connector-a", { organizations: ["acme", "borealis"] }),
  },
  {
    name: "no connector-a",
    change(configuration) {
      const plugins = configuration.get("plugins") as readonly { readonly use: string }[]
      configuration.set("plugins", plugins.filter(({ use }) => use !== "connector-a"))
    },
  },
  {
    name: "another filter",
    change: (configuration, random) =>
      setPlugin(configuration, "family.ts", { guests: random.pick(filterNames) }),
  },
  {
    name: "another filter for one organization",
    change: (configuration, random) =>
      setPlugin(configuration, "family.ts", {
        organizations: ["acme"],
        guests: random.pick(filterNames),
      }),
  },
  {
    name: "another customer",
    change(configuration) {
      const customers = [
        { namespace: "acme", organization: "acme", service_user: "acme-export" },
      ]
      setPlugin(configuration, "custom-export", { customers })
    },
  },
]

/** Ways to spoil a file, by what is wrong with it. */
export const mistakes: Readonly<Record<string, (text: string) => string>> = {
  "an unknown setting": (text) => `${text}\nunknown_setting: 1\n`,
  "no YAML": (text) => `${text}\nserver: [\n`,
  "nothing": () => "",
  "a capability that does not exist": (text) => text.replace("- resync", "- resinc"),
  "half of it": (text) => text.slice(0, text.indexOf("secrets:")),
  "a database without tables": (text) =>
    text.replace(/url: \$\{DATABASE_URL.*/, "url: sqlite:elsewhere/export.db"),
}

function setPlugin(configuration: Configuration, name: string, settings: object): void {
  const plugins = configuration.get("plugins") as readonly { use: string; with?: object }[]
  configuration.set(
    "plugins",
    plugins.map((each) =>
      each.use.endsWith(name) ? { ...each, with: { ...each.with, ...settings } } : each
    ),
  )
}
