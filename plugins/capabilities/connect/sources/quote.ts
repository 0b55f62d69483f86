import type { SourceName } from "./source.ts"

/** Words that some database does not take for a name unless they are quoted. */
const reserved = [
  /^(accessible|add|all|alter|analyse|analyze|and|any|array|as|asc|asensitive|asymmetric|authorization)$/,
  /^(autoincrement|before|between|bigint|binary|both|by|call|cascade|case|cast|change|char|character|check)$/,
  /^(collate|collation|column|commit|concurrently|condition|constraint|continue|convert|create|cross|cube)$/,
  /^(cume_dist|current_catalog|current_date|current_role|current_schema|current_time|current_timestamp)$/,
  /^(current_user|cursor|database|databases|dec|decimal|declare|default|deferrable|delayed|delete|dense_rank)$/,
  /^(desc|describe|deterministic|distinct|distinctrow|div|do|double|drop|dual|each|else|elseif|empty|enclosed)$/,
  /^(end|escape|escaped|except|exists|exit|explain|external|false|fetch|first_value|float|for|force|foreign)$/,
  /^(freeze|from|full|fulltext|function|general|generated|get|grant|group|grouping|groups|having|if|ignore)$/,
  /^(ilike|in|index|infile|initially|inner|inout|insensitive|insert|int|integer|intersect|interval|into|is)$/,
  /^(isnull|iterate|join|json_table|key|keys|kill|lag|last_value|lateral|lead|leading|leave|left|library|like)$/,
  /^(limit|linear|lines|load|localtime|localtimestamp|lock|loop|match|maxvalue|middleint|mod|modifies|natural)$/,
  /^(not|nothing|notnull|nth_value|ntile|null|numeric|of|offset|on|only|optimize|option|optionally|or|order)$/,
  /^(out|outer|outfile|over|overlaps|partition|percent_rank|placing|precision|primary|procedure|purge|qualify)$/,
  /^(range|rank|read|read_write|reads|real|recursive|references|regexp|release|rename|repeat|replace|require)$/,
  /^(resignal|restrict|return|returning|revoke|right|rlike|row|row_number|rows|schema|schemas|select|sensitive)$/,
  /^(separator|session_user|set|show|signal|similar|slow|smallint|some|spatial|specific|sql|sqlexception)$/,
  /^(sqlstate|sqlwarning|ssl|starting|stored|symmetric|system|system_user|table|tablesample|terminated|then|to)$/,
  /^(trailing|transaction|trigger|true|undo|union|unique|unlock|unsigned|update|usage|use|user|using|utc_date)$/,
  /^(utc_time|utc_timestamp|values|varbinary|varchar|varcharacter|variadic|varying|verbose|virtual|when|where)$/,
  /^(while|window|with|write|xor|zerofill)$/,
]

/** Quotes a name for a database if it must be. */
export function quoteName(source: SourceName, name: string): string {
  if (/^[a-z_][a-z\d_]*$/.test(name) && !reserved.some((words) => words.test(name))) return name
  const mark = source === "mysql" ? "`" : '"'
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}

/** A name as a mapping has it: within quotation marks as in SQL, or as it is if it has no dot. */
const nameInPath = /"(?:[^"]|"")+"|`(?:[^`]|``)+`|[^."`]+/g

/** Quotes the path of a table: its name, or that of its schema before a dot. */
export function quotePath(source: SourceName, path: string): string {
  const names = path.match(nameInPath) ?? []
  return names.map((name) => {
    const [mark = ""] = /^["`]/.exec(name) ?? []
    const bare = mark ? name.slice(1, -1).replaceAll(mark + mark, mark) : name
    return quoteName(source, bare)
  }).join(".")
}
