import type { ExpressionBuilder } from "kysely"
import type { Access } from "../access/grants.ts"
import { integer, nullable, searched, text, uuid } from "./fields.ts"
import { isAfter, matches, selections } from "./newest.ts"
import { cutPage, type PositionedRow } from "./page.ts"
import { listRecords, type Projection, recordType } from "./projection.ts"
import type { Resource } from "./resource.ts"
import type { Schema } from "../data/schema.ts"

/** An event; `externalId` is the customer's own. */
export const event = recordType("Event", {
  id: uuid("record.id"),
  name: searched(text("record.name")),
  status: text("record.status"),
  currency: text("record.currency"),
  timezone: text("record.timezone"),
  starts: integer("record.starts"),
  ends: integer("record.ends"),
  created: integer("record.created"),
  updated: integer("record.updated"),
  externalId: searched(nullable(text("record.external_id"))),
})

/** The events that an account may read, as a JSON array. */
export const events: Resource<Projection<"Event">> = {
  name: "events",
  summary: "The events that the caller may read in this family, newest first.",
  scope: "account",
  parameters: ["q", "since", "offset", "limit", "cursor"],
  async list(snapshot, { access, organizations }, page, projection) {
    if (organizations?.length === 0) return { body: [], next: {} }
    const position = page.after?.["events"]
    const { db, dialect } = snapshot
    const found = await snapshot.run(
      db
        .selectFrom("event as record")
        .innerJoin("organization", "organization.id", "record.organization_id")
        .select(selections(new Set(["record.id", "record.updated", ...projection.columns])))
        .where((eb) => granted(eb, access))
        .$if(
          organizations !== undefined,
          (query) => query.where("organization.slug", "in", organizations ?? []),
        )
        .where("record.updated", ">=", page.since)
        .where((eb) => eb.and(matches(eb, dialect, page.terms, projection.searched)))
        .orderBy("record.updated", "desc")
        .orderBy("record.id", "desc")
        .$if(
          position !== undefined,
          (query) => query.where(isAfter("record.updated", "record.id", position ?? [0, ""])),
        )
        .limit(page.limit + 1)
        .offset(page.offset)
        .$castTo<PositionedRow>(),
    )
    const { rows, next } = cutPage(found, page.limit)
    return {
      body: listRecords(projection, rows.map((record) => ({ record }))),
      next: next ? { events: next } : {},
    }
  },
}

/** Without any grant, nothing. */
function granted(
  eb: ExpressionBuilder<{ record: Schema["event"] }, "record">,
  { organizationIds, eventIds }: Access,
) {
  return eb.or([
    ...(organizationIds.length > 0 ? [eb("record.organization_id", "in", organizationIds)] : []),
    ...(eventIds.length > 0 ? [eb("record.id", "in", eventIds)] : []),
  ])
}
