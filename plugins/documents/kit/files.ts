import { airbyteManifest } from "./airbyte.ts"
import type { Family, Kit } from "./model.ts"
import { postmanCollection } from "./postman.ts"
import { dltSource, duckdbOverHttp, googleSheets, powerQuery } from "./snippets.ts"
import { dialects } from "./sql-dialects.ts"
import { sqlFile } from "./sql.ts"

/** A file that is generated for an account. */
export interface KitFile {
  readonly name: string
  /** One sentence for people. */
  readonly about: string
  /** What of the account the tool needs, for people. */
  readonly credential: string
  /** True if the file is about all families. */
  readonly isCommon?: true
  /** What the service must have on. */
  readonly needs?: "rows" | "feed"
  /** Returns its text; `family` is the one that it is about. */
  text(family: Family, kit: Kit): string
}

/** All files. */
export const kitFiles: readonly KitFile[] = [
  {
    name: "postman.json",
    about: "A Postman collection that logs in, reads each list and logs out.",
    credential: "your password",
    isCommon: true,
    text: (_family, kit) => `${JSON.stringify(postmanCollection(kit), null, 2)}\n`,
  },
  {
    name: "airbyte.yaml",
    about: "An Airbyte source that reads all events and their records with each sync.",
    credential: "a token",
    needs: "rows",
    text: airbyteManifest,
  },
  {
    name: "dlt.py",
    about: "A dlt pipeline that reads changes and deletions of all events.",
    credential: "a token",
    needs: "feed",
    text: dltSource,
  },
  ...dialects.map((dialect): KitFile => ({
    name: `${dialect.name}.sql`,
    about: `Tables for a copy in ${dialect.title}, and statements that apply a page of changes.`,
    credential: "nothing",
    needs: "feed",
    text: (family: Family, kit: Kit) => sqlFile(dialect, family, kit),
  })),
  {
    name: "power-query.m",
    about: "A query for Power BI and Excel that reads all guests of an event.",
    credential: "a token",
    needs: "rows",
    text: powerQuery,
  },
  {
    name: "google-sheets.gs",
    about: "A script that fills a sheet of Google Sheets with all guests of an event.",
    credential: "a token",
    needs: "rows",
    text: googleSheets,
  },
  {
    name: "duckdb-http.sql",
    about: "Statements with which DuckDB reads all guests of an event over HTTP.",
    credential: "a token",
    needs: "rows",
    text: duckdbOverHttp,
  },
]

/** Returns the files about a family that work with the service. */
export function filesOf({ hasRows }: Kit, { feed }: Family): readonly KitFile[] {
  const has = { rows: hasRows, feed: feed !== undefined }
  return kitFiles.filter(({ needs }) => needs === undefined || has[needs])
}
