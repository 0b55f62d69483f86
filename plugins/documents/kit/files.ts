import { airbyteManifest } from "./airbyte.ts"
import type { Family, Kit } from "./model.ts"
import { postmanCollection } from "./postman.ts"
import { dltSource, duckdbOverHttp, powerQuery } from "./snippets.ts"
import { dialects } from "./sql-dialects.ts"
import { sqlFile } from "./sql.ts"

/** A file that is generated for an account. */
export interface KitFile {
  readonly name: string
  /** One line for people. */
  readonly about: string
  /** True if the file is about all families. */
  readonly isCommon?: true
  /** True if the tool reads lists as rows. */
  readonly needsRows?: true
  /** Returns its text; `family` is the one that it is about. */
  text(family: Family, kit: Kit): string
}

/** All files. */
export const kitFiles: readonly KitFile[] = [
  {
    name: "postman.json",
    about: "Postman collection: logs in, and reads each list",
    isCommon: true,
    text: (_family, kit) => `${JSON.stringify(postmanCollection(kit), null, 2)}\n`,
  },
  {
    name: "airbyte.yaml",
    about: "Airbyte low-code manifest: a stream per list, incremental",
    text: airbyteManifest,
  },
  ...dialects.map((dialect) => ({
    name: `${dialect.name}.sql`,
    about: `Tables and statements for a copy, ${dialect.title}`,
    text: (family: Family, kit: Kit) => sqlFile(dialect, family, kit),
  })),
  {
    name: "dlt.py",
    about: "Source for dlt: events and guests, incremental",
    text: dltSource,
  },
  {
    name: "power-query.m",
    about: "Query for Power BI and Excel, as CSV",
    needsRows: true,
    text: powerQuery,
  },
  {
    name: "duckdb-http.sql",
    about: "Statements that read a list over HTTP with DuckDB",
    needsRows: true,
    text: duckdbOverHttp,
  },
]

/** Returns the files that work with the service. */
export function filesOf({ hasRows }: Kit): readonly KitFile[] {
  return kitFiles.filter(({ needsRows }) => hasRows || !needsRows)
}
