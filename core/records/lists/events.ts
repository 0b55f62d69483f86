import { isGranted } from "../../access/organizations.ts"
import { latestChangesOf } from "./latest-changes.ts"
import { isAfter } from "./newest-first.ts"
import type { Position, PositionedRow } from "./page.ts"
import type { Projection } from "../kinds/projection.ts"
import { readPages } from "./read-pages.ts"
import { columnsOf, selections } from "./rows-by-id.ts"
import type { Resource } from "./resource.ts"
import { findRows, mayMatch } from "./search.ts"

/** The events that an account may read, as a JSON array. */
export const events: Resource<Projection<"Event">> = {
  name: "events",
  summary: "The events that the caller may read in this family, newest first.",
  scope: "account",
  parameters: ["q", "since", "offset", "limit", "cursor"],
  records: "Event",
  async list(snapshot, { access, organizations }, page, projection) {
    const position = page.after?.["events"]
    if (organizations?.length === 0 || (page.after && !position)) return { body: [], next: {} }
    const { db, dialect } = snapshot
    const { terms, since, offset, limit } = page
    const { searched } = projection
    const after = (position: Position | undefined) =>
      db
        .selectFrom("event as record")
        .innerJoin("organization", "organization.id", "record.organization_id")
        .select(
          selections(new Set(["record.id", "record.updated", ...columnsOf(projection, "record")])),
        )
        .where((eb) => isGranted(eb, access))
        .$if(
          organizations !== undefined,
          (query) => query.where("organization.slug", "in", organizations ?? []),
        )
        .where("record.updated", ">=", since)
        .where((eb) => mayMatch(eb, dialect, { terms, searched }))
        .orderBy("record.updated", "desc")
        .orderBy("record.id", "desc")
        .where(isAfter(position))
        .$castTo<PositionedRow>()
    const query = findRows(after, { terms, searched, position, offset, limit: limit + 1 })
    return await readPages(snapshot, "list", {
      events: {
        projection,
        limit,
        query,
        companions: latestChangesOf(projection, snapshot),
        isWhole: true,
      },
    })
  },
}
