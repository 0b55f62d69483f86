import type { TableMetadata } from "kysely"

/** Columns that hold whole numbers or decimals; all others hold text. */
const numbers = new Set([
  ...[
    "created",
    "updated",
    "starts",
    "ends",
    "asked",
    "sms_opt_in",
    "price",
    "quantity",
    "tax_rate",
  ],
  ...["estimate", "lot_number", "start_price", "closes", "amount", "ticket_price", "max_tickets"],
  ...["draws", "capacity", "admits", "seq", "at", "epoch", "disabled", "demonstration", "expires"],
  ...["used", "last_log_in", "last_poll", "points", "since", "first", "search_length", "sent"],
  ...["milliseconds", "complete_since", "blocked_until"],
])

/** Numbers in one table, and text in all others. */
const numbersOf: Readonly<Record<string, string>> = {
  audit_log: "status",
  change_log_horizon: "id",
}

const isNumber = (table: string, column: string) =>
  numbers.has(column) || numbersOf[table] === column

const numeric = /^(tiny|small|medium|big)?int(eger)?$|^decimal$|^numeric$|^real$|^double$|^float$/i
const textual = /^(var)?char$|^(tiny|medium|long)?text$|^json$|^enum$|^set$/i

/**
 * The columns whose type cannot be read as what is meant, in words: a `datetime` where Unix seconds
 * belong, say. What a view computes has no type on SQLite, and `null` is binary on MySQL: both pass.
 */
export function wrongTypes(
  tables: readonly TableMetadata[],
  needed: Readonly<Record<string, readonly string[]>>,
): string[] {
  return tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, dataType }) => {
      if (!needed[table]?.includes(name) || passes(table, name, dataType)) return []
      const wanted = isNumber(table, name) ? "a number" : "text"
      return [`${table}.${name} is ${dataType}, and must be ${wanted}`]
    })
  )
}

function passes(table: string, column: string, type: string): boolean {
  if (type === "") return true
  const isKey = /^(id|(event|guest|organization|account)_id)$/.test(column)
  if (/^(var)?binary$/.test(type) && !isKey) return true
  return (isNumber(table, column) ? numeric : textual).test(type.replace(/\(.*$/, ""))
}
