import { chooseTables, type TableChoice, withReferences } from "./choose-tables.ts"
import { guess, type Proposal } from "./guess.ts"
import { kinds, plainName } from "./kinds.ts"
import { readSchema, type SourceTable } from "./schema.ts"
import type { Source } from "./sources/source.ts"

/** What was found out about a source. */
interface Inspection {
  readonly tables: number
  readonly proposals: readonly Proposal[]
  readonly money: "major" | "minor"
  readonly timeZone: string
  /** Lines about the whole of it. */
  readonly notes: readonly string[]
}

/** Reads the tables, keys and some rows of a source, and guesses a SELECT for each kind. Changes nothing. */
export async function inspect(source: Source): Promise<Inspection> {
  return await source.snapshot(async (reader) => {
    const tables = withReferences(await readSchema(source.name, reader))
    const choices = await chooseTables(tables, reader, source.name)
    const proposals: Proposal[] = []
    for (const kind of kinds) {
      const choice = choices.get(kind)
      const findings = { tables, choices, reader, source: source.name }
      if (choice) proposals.push(await guess(kind, choice, findings))
      else if (choices.size > 0) {
        proposals.push(...placeholders.filter((each) => each.kind === kind))
      }
    }
    const chosen = [...choices.values()]
    const framework = tables.find(({ name }) => frameworks.test(name))?.name
    return {
      ...{ tables: tables.length, proposals },
      money: chosen.some(({ table }) => hasMinorMoney(table)) ? "minor" : "major",
      timeZone: framework === undefined ? "Europe/London" : "UTC",
      notes: [
        ...framework === undefined ? [] : [
          `${framework}: the framework that has it writes times in UTC, if nobody has changed that`,
        ],
        ...missingNotes(chosen, proposals),
      ],
    }
  })
}

/** Tables in which frameworks note what they have done to the schema. */
const frameworks =
  /^(django_migrations|schema_migrations|migrations|__efmigrationshistory|_prisma_migrations)$/i

/** What a mapping has that no table looks like, as it must have something. */
const placeholders: readonly Proposal[] = [
  {
    kind: "organization",
    sql: "select 1 as id, 'main' as slug, 'Our organization' as name",
    notes: ["no table looks like one of organizations: this is the only one"],
    keys: [],
  },
  {
    kind: "event",
    sql: `select 1 as id, 1 as organization, '' as name, 'active' as status, 'GBP' as currency,
  'Europe/London' as time_zone, null as starts, null as ends limit 0`,
    notes: ["no table looks like one of events: write what they are, instead of limit 0"],
    keys: [],
  },
]

function hasMinorMoney({ columns }: SourceTable): boolean {
  return columns.some(({ name, type }) =>
    /pence|cents|minor/.test(plainName(name)) && type.includes("int")
  )
}

/** Says for which kinds nothing was found, and which values of a column that tells them apart no kind takes. */
function missingNotes(
  choices: readonly TableChoice[],
  proposals: readonly Proposal[],
): readonly string[] {
  const missing = kinds.filter((kind) => proposals.every((each) => each.kind !== kind))
  const shared = choices.find(({ only }) => only && only.values.length > 0)
  const { column, others = [] } = shared?.only ?? {}
  return [
    ...missing.length > 0
      ? [
        `No table was found for ${
          missing.join(", ")
        }; those with a key of several columns are not tried`,
      ]
      : [],
    ...others.length > 0
      ? [`${shared?.table.name}.${column}: nothing takes ${others.join(", ")}`]
      : [],
  ]
}

/** Writes the mapping file of an inspection. */
export function writeMapping(
  { proposals, money, tables, timeZone, notes }: Inspection,
  url: string | { readonly file: string },
): string {
  const select = proposals.map(({ kind, sql, notes }) =>
    [
      ...notes.map((note) => `  # ${kind}: ${note}.`),
      `  ${kind}: |`,
      ...sql.split("\n").map((line) => `    ${line}`),
    ].join("\n")
  )
  const keys = proposals.filter(({ keys }) => keys.length > 0)
    .map(({ kind, keys }) => `  ${kind}:\n    ${keys.join("\n    ")}`)
  return `# What the records of event-export are made of. Written by "event-export connect inspect" from ${tables} tables: read
# each SELECT, mend what is wrong, and look at the result with "event-export connect preview".
source:
  # The file has the URL, and only you may read it.
  url: ${JSON.stringify(url)}
  # The zone of times that name none.
  time_zone: ${timeZone}
  # major: 19.99 is 19 pounds and 99 pence; minor: 1999 is.
  money: ${money}
  # Seconds from one comparison to the next.
  every: 300

# The names of columns are those of the fields that partners get. What no SELECT returns is not served.
${notes.map((note) => `# ${note}.\n`).join("")}select:
${select.join("\n")}

# Which rows lead to which records: for "event-export connect plan".
keys:${keys.length > 0 ? `\n${keys.join("\n")}` : " {}"}
`
}
