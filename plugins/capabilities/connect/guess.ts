import { findPerson, type Steps, stepsTo, type TableChoice } from "./choose-tables.ts"
import { columnsOf, type KindColumn, ownerOf, plainName, type SourceKind } from "./kinds.ts"
import { columnOf, columnsNamed, isFlag, isLetter, isLike, isTime, rankOf } from "./names.ts"
import type { SourceColumn, SourceTable } from "./schema.ts"
import { allRows, quoteName, type SourceName, type SourceReader } from "./sources/source.ts"
import { plainText } from "./values.ts"
import {
  cancelledValues,
  channelWords,
  columnWords,
  deletedPattern,
  firstValues,
  firstWords,
  labelWords,
  relatedWords,
  sortWords,
} from "./words.ts"

/** A SELECT that was guessed, with a line for each guess that the operator should look at. */
export interface Proposal {
  readonly kind: SourceKind
  readonly sql: string
  readonly notes: readonly string[]
  /** Lines of the mapping: tables whose changes lead to these records. */
  readonly keys: readonly string[]
}

/** What SELECTs are guessed from. */
export interface Findings {
  readonly tables: readonly SourceTable[]
  readonly choices: ReadonlyMap<SourceKind, TableChoice>
  readonly source: SourceName
  readonly reader: SourceReader
}

/** A table that a SELECT reads; the first has no column by which it is joined. */
interface Joined {
  readonly table: SourceTable
  readonly by?: { readonly column: string; readonly other: Joined; readonly to: string }
  /**
   * `path` only leads on, and `label` says what a value is called; `first` takes one of several rows, and `apart` all of them,
   * in a subquery.
   */
  readonly form: "inner" | "path" | "left" | "label" | "first" | "apart"
  /** Of the rows that `first` chooses from. */
  readonly order?: string
  /** Which of the rows of `left`. */
  readonly and?: string | undefined
  /** False for lists of currencies and the like, which hardly ever change. */
  readonly isWatched?: boolean
}

/** Guesses the SELECT of one kind. */
export async function guess(
  kind: SourceKind,
  choice: TableChoice,
  findings: Findings,
): Promise<Proposal> {
  return await new Guess(kind, choice, findings).propose()
}

class Guess {
  readonly #kind: SourceKind
  readonly #choice: TableChoice
  readonly #findings: Findings
  readonly #own: Joined
  readonly #joined: Joined[]
  readonly #notes: string[] = []
  readonly #used = new Set<string>()

  constructor(kind: SourceKind, choice: TableChoice, findings: Findings) {
    this.#kind = kind
    this.#choice = choice
    this.#findings = findings
    this.#own = { table: choice.table, form: "inner" }
    this.#joined = [this.#own]
  }

  async propose(): Promise<Proposal> {
    const select = [`${this.#place(this.#own, this.#key)} as id`, ...this.#selectOwner()]
    if (this.#kind === "guest") await this.#joinBelongings()
    const notFound: string[] = []
    this.#used.add(`${this.#own.table.name}.${this.#key}`)
    const consent = await this.#guessConsent()
    for (const field of columnsOf(this.#kind)) {
      const expression = consent.get(field.name) ?? await this.#expressionOf(field)
      if (expression !== undefined) select.push(`${expression} as ${field.name}`)
      else if (field.part === "record" || field.part === "consent") notFound.push(field.name)
    }
    if (notFound.length > 0) this.#notes.push(`no column was found for ${notFound.join(", ")}`)
    const conditions = [...this.#leaveOutDeleted(), ...await this.#leaveOutOthers()]
    const sql = [
      `select ${select.join(",\n  ")}`,
      ...this.#joined.flatMap((joined) => this.#joinOf(joined)),
      ...conditions.length > 0 ? [`where ${conditions.join(" and ")}`] : [],
    ].join("\n")
    const keys = this.#joined.filter(({ isWatched = true, table, by }) =>
      // Comparisons find what changes in tables of other names.
      isWatched && /^[\w$]+$/.test(`${table.name}${by?.column ?? this.#key}`)
    )
      .map((joined) => this.#keyLine(joined))
    return { kind: this.#kind, sql, notes: this.#notes, keys }
  }

  get #key(): string {
    return this.#own.table.key[0] ?? "id"
  }

  #quote(name: string): string {
    return quoteName(this.#findings.source, name)
  }

  #place({ table }: Joined, column: string): string {
    return `${this.#quote(table.name)}.${this.#quote(column)}`
  }

  async #read(sql: string): Promise<readonly string[][]> {
    return (await allRows(this.#findings.reader, sql)).map((row) => row.map(plainText))
  }

  /** Finds what leads to the owner: a reference, or one by way of another table. */
  #selectOwner(): readonly string[] {
    const owner = ownerOf(this.#kind)
    if (owner === undefined) return []
    const goal = this.#findings.choices.get(owner)?.table
    if (owner === "organization" && !goal) return ["1 as organization"]
    const steps = goal ? stepsTo(this.#own.table, goal, this.#findings.tables) : []
    const last = steps.reduce<Joined>(
      (joined, step, index) => index === 0 ? joined : this.#step(joined, steps[index - 1], step),
      this.#own,
    )
    const column = steps.at(-1)?.reference.column
    if (column !== undefined) return [`${this.#place(last, column)} as ${owner}`]
    this.#notes.push(`${owner}: no column leads to it; write the one that does`)
    return [`null as ${owner}`]
  }

  #step(joined: Joined, from: Steps | undefined, { table }: Steps): Joined {
    const { column = "id", to = "id" } = from?.reference ?? {}
    return this.#join({ table, by: { column: to, other: joined, to: column }, form: "path" })
  }

  #join(joined: Joined): Joined {
    const { table, by } = joined
    const known = this.#joined.find((each) => each.table === table)
    if (known) return known
    this.#joined.push(joined)
    if (by) this.#used.add(`${by.other.table.name}.${by.to}`)
    return joined
  }

  /** Joins the tables that belong to a guest: the person behind it, consents, addresses. */
  async #joinBelongings(): Promise<void> {
    const { tables } = this.#findings
    const person = findPerson(this.#own.table, tables)
    if (person) {
      const { column, to } = person.reference
      const by = { column: to, other: this.#own, to: column }
      this.#join({ table: person.table, by, form: "inner" })
      this.#notes.push(`${person.table.name} is joined as the person behind a guest`)
    }
    const hasOwn = (field: string) => this.#joined.some(({ table }) => columnOf(table, field))
    await this.#joinRelated(relatedWords.consent)
    if (!hasOwn("line1")) await this.#joinRelated(relatedWords.address)
    await this.#joinRelated(relatedWords.giftAid)
    if (!hasOwn("email")) await this.#joinRelated(relatedWords.email)
    if (!hasOwn("mobile")) await this.#joinRelated(relatedWords.phone)
  }

  /** Joins the likeliest table with one of these names that refers to the guest or the person, or to which these refer. */
  async #joinRelated(words: readonly string[]): Promise<void> {
    const known = this.#joined
    const found = this.#findings.tables.flatMap((table) => {
      if (
        known.some((joined) => joined.table === table) || rankOf(table.name, words) === Infinity
      ) {
        return []
      }
      return known.flatMap((other) => {
        const inward = table.references.find((each) => each.table === other.table.name)
        if (inward) return [{ table, by: { column: inward.column, other, to: inward.to } }]
        const outward = other.table.references.find((each) => each.table === table.name)
        return outward ? [{ table, by: { column: outward.to, other, to: outward.column } }] : []
      })
    }).toSorted((a, b) => rankOf(a.table.name, words) - rankOf(b.table.name, words))
    if (!found[0]) return
    const { table, by } = found[0]
    const [name, column] = [table.name, by.column].map((name) => this.#quote(name))
    const isUnique = by.column === table.key[0] && table.key.length === 1
    const several = isUnique ? [] : await this.#read(
      `select 1 from ${name} group by ${column} having count(*) > 1 limit 1`,
    )
    const isChannel = words === relatedWords.consent && columnOf(table, "channel")
    if (isChannel) return void this.#join({ table, by, form: "apart" })
    if (several.length === 0) {
      this.#join({ table, by, form: "left" })
      this.#notes.push(`${table.name} is joined; a guest has one row of it at most`)
      return
    }
    const condition = await this.#firstOf(table)
    const [key] = table.key
    if (key === undefined || table.key.length > 1) {
      this.#join({ table, by, form: "left", and: condition })
      this.#notes.push(
        `${table.name} has several rows of some guests: ${
          condition ? `those with ${condition} are taken` : "say which of them is the one to take"
        }`,
      )
      return
    }
    const order = condition ? `case when ${condition} then 0 else 1 end, ` : ""
    this.#join({ table, by, form: "first", order: `${order}${this.#quote(key)}` })
    this.#notes.push(
      `${table.name} has several rows of some guests: the first is taken` +
        (condition ? `, that with ${condition} if there is one` : ""),
    )
  }

  /** Says which of several rows comes first, if something tells. */
  async #firstOf(table: SourceTable): Promise<string | undefined> {
    const [flag] = columnsNamed(table, firstWords)
    if (flag) return this.#condition(this.#quote(flag.name), flag)
    const [sort] = columnsNamed(table, sortWords)
    if (!sort || !/char|text|enum/.test(sort.type)) return undefined
    const column = this.#quote(sort.name)
    const rows = await this.#read(
      `select distinct ${column} from ${this.#quote(table.name)} limit 50`,
    )
    const [value] = firstValues.flatMap((word) =>
      rows.flat().filter((value) => value.toLowerCase() === word)
    )
    return value === undefined ? undefined : `${column} = '${value}'`
  }

  #joinOf(joined: Joined): readonly string[] {
    const { by, form, and, order = "", table: { name, key } } = joined
    const table = this.#quote(name)
    if (!by) return [`from ${table}`]
    const match = `${this.#place(joined, by.column)} = ${this.#place(by.other, by.to)}`
    if (form === "apart") return []
    if (form !== "first") {
      const condition = and === undefined ? "" : ` and ${table}.${and}`
      return [
        `${
          form === "left" || form === "label" ? "left " : ""
        }join ${table} on ${match}${condition}`,
      ]
    }
    const own = this.#quote(key[0] ?? "id")
    const one = `select ${own} from ${table} one where one.${this.#quote(by.column)} = ` +
      `${this.#place(by.other, by.to)} order by ${order} limit 1`
    return [`left join ${table} on ${table}.${own} = (${one})`]
  }

  /** Guesses what says whether and how a guest wants to be contacted. */
  async #guessConsent(): Promise<ReadonlyMap<string, string>> {
    const guessed = new Map<string, string>()
    if (this.#kind !== "guest" || this.#findColumn("consentStatus", "consent")) return guessed
    const apart = this.#joined.find(({ form }) => form === "apart")
    const list = this.#findColumn("consentChannels", "consent")
    const flags = apart || list ? [] : this.#findChannelFlags()
    let isGiven: string | undefined
    if (apart) {
      const channels = this.#channelsApart(apart)
      guessed.set("consentChannels", channels)
      isGiven = `${channels} is not null`
    } else if (list) {
      const place = this.#place(list.joined, list.column.name)
      isGiven = /json|array/.test(list.column.type) ? undefined : `coalesce(${place}, '') <> ''`
    } else if (flags.length > 0) {
      const parts = flags.map(({ channel, condition }) =>
        `case when ${condition} then '${channel}' end`
      )
      guessed.set("consentChannels", `concat_ws(',', ${parts.join(", ")})`)
      isGiven = flags.map(({ condition }) => condition).join(" or ")
    }
    if (isGiven === undefined) return guessed
    guessed.set("consentStatus", `case when ${isGiven} then 'active' else 'inactive' end`)
    this.#notes.push("consentStatus: active if there is a channel, which is a guess")
    if (this.#findColumn("consentAsked", "consent") ?? this.#findLike("consentAsked", "consent")) {
      return guessed
    }
    guessed.set("consentAsked", `case when ${isGiven} then 1 else 0 end`)
    this.#notes.push("consentAsked: true if there is a channel, which is a guess")
    return guessed
  }

  /**
   * Finds columns such as `email_opt_in`; in tables of consents also `email`. One such as `do_not_email` takes the channel
   * away, and never makes one: who has not refused has not agreed.
   */
  #findChannelFlags(): readonly { readonly channel: string; readonly condition: string }[] {
    const flags = this.#joined.flatMap((joined) => {
      const isConsent = rankOf(joined.table.name, relatedWords.consent) < Infinity
      return joined.table.columns.filter((column) => isFlag(column) || isTime(column)).flatMap(
        (column) => {
          const name = plainName(column.name)
          const channel = Object.keys(channelWords).find((channel) =>
            channelWords[channel]?.some((word) => name.includes(word))
          )
          const isRefusal = /^(do)?not?(?!tif|te)|optout|unsub/.test(name)
          const isAbout = isConsent || agreement.test(name)
          if (!channel || !isAbout && !isRefusal || /id$/.test(name)) return []
          return [{
            channel,
            isRefusal,
            condition: this.#condition(this.#place(joined, column.name), column),
          }]
        },
      )
    })
    return [...Map.groupBy(flags, ({ channel }) => channel)].flatMap(([channel, same]) => {
      const [given = [], refused = []] = [false, true].map((isRefusal) =>
        same.filter((each) => each.isRefusal === isRefusal).map(({ condition }) => condition)
      )
      const condition = [`(${given.join(" or ")})`, ...refused.map((each) => `not (${each})`)].join(
        " and ",
      )
      return given.length === 0 ? [] : [{ channel, condition }]
    })
  }

  #condition(place: string, column: SourceColumn): string {
    if (isTime(column)) return `${place} > '1000-01-01'`
    if (isLetter(column)) return `coalesce(${place}, 'N') in ('Y', 'y', '1')`
    return column.type.includes("bool") ? `${place} is true` : `coalesce(${place}, 0) = 1`
  }

  /** Reads a table with a row for each channel. */
  #channelsApart(joined: Joined): string {
    const { table, by } = joined
    const channel = this.#place(joined, columnOf(table, "channel")?.name ?? "channel")
    const given = columnOf(table, "consentStatus")
    const withdrawn = columnsNamed(table, ["withdrawnat", "revokedat", "optedoutat", "endedat"])[0]
    const conditions = [
      `${this.#place(joined, by?.column ?? "")} = ${by ? this.#place(by.other, by.to) : ""}`,
      ...given && isFlag(given) ? [this.#condition(this.#place(joined, given.name), given)] : [],
      ...withdrawn ? [`${this.#place(joined, withdrawn.name)} is null`] : [],
    ]
    const list = this.#findings.source === "postgres"
      ? `string_agg(${channel}::text, ',')`
      : `group_concat(${channel})`
    this.#notes.push(`consentChannels: the rows of ${table.name}`)
    return `(select ${list} from ${this.#quote(table.name)} where ${conditions.join(" and ")})`
  }

  async #expressionOf(field: KindColumn): Promise<string | undefined> {
    const { name, part, column } = field
    const isAddress = part === "main" || part === "gift_aid"
    const word = isAddress ? column === "name" ? "addressName" : column : name
    if (part === "tax_receipt") return undefined
    const found = this.#findColumn(word, part)
    if (found) return await this.#valueOf(field, found)
    const looked = part === "record" || word === "country" ? this.#lookUp(field) : undefined
    if (looked !== undefined) return looked
    const like = this.#findLike(word, part)
    if (like) {
      this.#notes.push(`${name}: ${like.column.name} is a guess`)
      return await this.#valueOf(field, like)
    }
    if (name === "lastName") {
      const whole = this.#findColumn("wholeName", part)
      if (!whole) return undefined
      this.#notes.push(`lastName: ${whole.column.name} has the whole name`)
      return this.#place(whole.joined, whole.column.name)
    }
    return field.isRequired ? this.#usualValue(field) : undefined
  }

  async #valueOf(
    { name, meaning }: KindColumn,
    { joined, column }: { readonly joined: Joined; readonly column: SourceColumn },
  ): Promise<string> {
    this.#used.add(`${joined.table.name}.${column.name}`)
    const place = this.#place(joined, column.name)
    if (name === "status" && isFlag(column) && !/(status|state|phase|stage)$/i.test(column.name)) {
      return `case when ${this.#condition(place, column)} then 'active' else 'inactive' end`
    }
    if (meaning === "flag" && isTime(column)) {
      return `case when ${this.#condition(place, column)} then 1 else 0 end`
    }
    if (meaning !== "email") return place
    const [own, table] = [column.name, joined.table.name].map((name) => this.#quote(name))
    const wrong = await this.#read(
      `select 1 from ${table} where trim(${own}) <> '' and ${own} not like '%_@_%' limit 1`,
    )
    if (wrong.length === 0) return place
    this.#notes.push(`email: some rows have another text than an address; they are taken as empty`)
    return `case when ${place} like '%_@_%' then ${place} else '' end`
  }

  /** Finds the column of a field in the tables of the SELECT, by its names, the likeliest first. */
  #findColumn(field: string, part: KindColumn["part"]) {
    const own = field === "email" || field === "mobile" ? ["address", "number", "value"] : []
    return [plainName(field), ...columnWords[field] ?? [], ...own].flatMap((word) =>
      this.#columns(field, part).filter(({ column, joined }) =>
        columnsNamed(joined.table, [word]).includes(column) &&
        (!own.includes(word) || isContact(joined.table, field))
      )
    )[0]
  }

  #findLike(field: string, part: KindColumn["part"]) {
    return this.#columns(field, part).find(({ column }) => isLike(column, field))
  }

  #columns(field: string, part: KindColumn["part"]) {
    return this.#joined.filter(({ form, table }) =>
      /inner|left|first/.test(form) && mayHold(table, field, part)
    )
      .flatMap((joined) => joined.table.columns.map((column) => ({ joined, column })))
      .filter(({ joined, column }) => !this.#used.has(`${joined.table.name}.${column.name}`))
  }

  /** Finds a column that refers to a table of such values: `currency_id`. */
  #lookUp({ name, column, meaning, part }: KindColumn): string | undefined {
    const field = part === "main" ? column : name
    const words = [plainName(field), ...columnWords[field] ?? []]
    for (const joined of this.#joined) {
      for (const { column, table, to } of joined.table.references) {
        const word = plainName(column).replace(/id$/, "")
        const isIt = words.includes(word) || meaning === "list" && /category$/.test(word)
        const other = this.#findings.tables.find((each) => each.name === table)
        const label = other &&
          columnsNamed(other, meaning === "list" ? ["name", "title", "label"] : labelWords)[0]
        const isTaken = this.#joined.some((each) => each.table === other)
        if (!isIt || !other || !label || isTaken || word === "") continue
        const looked = this.#join({
          ...{ table: other, by: { column: to, other: joined, to: column }, form: "label" },
          isWatched: meaning === "list",
        })
        const place = this.#place(looked, label.name)
        if (meaning !== "list") return place
        const array = this.#findings.source === "postgres" ? "json_build_array" : "json_array"
        return `case when ${place} is not null then ${array}(${place}) end`
      }
    }
    return undefined
  }

  /** Returns what stands in the place of a column that was not found. */
  #usualValue({ name, meaning }: KindColumn): string {
    if (name === "slug") {
      this.#notes.push("slug: made of the key")
      return `concat('${this.#kind}-', ${this.#place(this.#own, this.#key)})`
    }
    const usual = {
      currency: "'GBP'",
      timezone: "'Europe/London'",
      status: "'active'",
      admits: "1",
    }
    const value = usual[name as keyof typeof usual] ?? (meaning === "text" ? "''" : "0")
    this.#notes.push(
      value === "''"
        ? `${name}: no column looks like it, and rows without it are refused; write a column or a text`
        : `${name}: no column looks like it, so this is a guess`,
    )
    return value
  }

  #leaveOutDeleted(): readonly string[] {
    return this.#joined.filter(({ form }) => form === "inner" || form === "path").flatMap((
      joined,
    ) =>
      joined.table.columns.filter(({ name }) => deletedPattern.test(plainName(name))).map(
        (column) => {
          const place = this.#place(joined, column.name)
          this.#notes.push(`rows with ${joined.table.name}.${column.name} are left out, as deleted`)
          // Old applications of MySQL write 0000-00-00 for "never".
          if (isTime(column)) {
            return column.isNullable ? `${place} is null` : `${place} < '1000-01-01'`
          }
          if (isLetter(column)) return `not (${this.#condition(place, column)})`
          return column.type.includes("bool") ? `${place} is not true` : `coalesce(${place}, 0) = 0`
        },
      )
    )
  }

  /** Leaves out rows of other kinds, and guests who do not come. */
  async #leaveOutOthers(): Promise<readonly string[]> {
    const { only } = this.#choice
    const list = (values: readonly string[]) =>
      values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")
    if (only) {
      if (only.names.length > 0) {
        this.#notes.push(`${only.column}: ${only.values.join(", ")} is ${only.names.join(", ")}`)
      }
      if (only.values.length === 0) {
        const all = only.others.join(", ")
        this.#notes.push(`${only.column} has ${all}: write in place of null which of them it is`)
      }
      return [`${this.#place(this.#own, only.column)} in (${list(only.values) || "null"})`]
    }
    const status = this.#kind === "guest"
      ? columnsNamed(this.#own.table, ["status", "state", "rsvp"])[0]
      : undefined
    if (!status || !/char|text|enum|user-defined/.test(status.type)) return []
    const place = this.#place(this.#own, status.name)
    const rows = await this.#read(
      `select distinct ${place} from ${this.#quote(this.#own.table.name)} limit 20`,
    )
    const values = rows.flat().filter((value) => value !== "")
    const left = values.filter((value) => cancelledValues.includes(value.toLowerCase()))
    const rest = values.filter((value) => !left.includes(value))
    if (values.length === 0) return []
    this.#notes.push(
      `${status.name}: rows with ${rest.join(", ")} are taken${
        left.length > 0 ? `, those with ${left.join(", ")} left out` : ""
      }`,
    )
    return left.length > 0 ? [`(${place} is null or ${place} not in (${list(left)}))`] : []
  }

  /** Says which column of a table leads to these records; with a SELECT if that is not their key. */
  #keyLine({ table, by }: Joined): string {
    if (!by) return `${table.name}: ${this.#key}`
    let { other, to } = by
    while (other.by && other.by.column === to) ({ other, to } = other.by)
    if (other === this.#own && to === this.#key) return `${table.name}: ${by.column}`
    const joins: string[] = []
    for (let each: Joined = other; each.by; each = each.by.other) {
      joins.unshift(...this.#joinOf({ ...each, form: "inner" }))
    }
    const of = [
      `select ${joins.length > 0 ? this.#place(this.#own, this.#key) : this.#quote(this.#key)}`,
      `from ${this.#quote(this.#own.table.name)}`,
      ...joins,
      `where ${joins.length > 0 ? this.#place(other, to) : this.#quote(to)} = ?`,
    ].join(" ")
    return `${table.name}: { column: ${by.column}, of: ${JSON.stringify(of)} }`
  }
}

/** In names of columns that say that a guest agrees to be contacted in some way. */
const agreement =
  /opt(ed)?in|allow|consent|permi|may|can|subscrib|agree|market|newsletter|contactby|contactvia|ok$/

/** True for a table of e-mail addresses, or of telephone numbers, if that is the field. */
function isContact({ name }: Pick<SourceTable, "name">, field: string): boolean {
  const words = field === "email"
    ? relatedWords.email
    : field === "mobile"
    ? relatedWords.phone
    : []
  return rankOf(name, words) < Infinity
}

/** True if a table may hold a field: consents and addresses are in theirs, if they have some. */
function mayHold({ name }: SourceTable, field: string, part: KindColumn["part"]): boolean {
  const is = (words: readonly string[]) => rankOf(name, words) < Infinity
  const isConsent = is(relatedWords.consent)
  const isGiftAid = is(relatedWords.giftAid)
  if (is(relatedWords.email) || is(relatedWords.phone)) return isContact({ name }, field)
  const isAddress = is(relatedWords.address)
  if (part === "gift_aid" || isGiftAid) return part === "gift_aid" && isGiftAid
  if (part === "consent") return isConsent || field !== "consentStatus"
  if (part === "main") return field === "addressName" ? isAddress : !isConsent
  return !isConsent && !isAddress
}
