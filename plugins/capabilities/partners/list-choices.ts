import type { Database } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"

/** The choices that spare an operator from typing an id or a slug. */
export interface Choices {
  /** Open events first, then the latest. */
  readonly events: readonly Choice[]
  readonly organizations: readonly Choice[]
}

/** A value for a field, with a label for people. */
export interface Choice {
  readonly value: string
  readonly label: string
}

/** The most events to offer: among all, and among those that one account has a grant for. */
const most = { all: 500, ofAccount: 50 }

/** Returns the events and organizations to choose from; for one account, only events that it has a grant for now. */
export async function listChoices(database: Database, username?: string): Promise<Choices> {
  return await database.snapshot(async ({ db, dialect, run }) => {
    const ofAccount = username !== undefined
    const events = await run(
      db.selectFrom("event")
        .innerJoin("organization", "organization.id", "event.organization_id")
        .select(["event.id", "event.name", "event.starts", "organization.slug"])
        .$if(ofAccount, (query) =>
          query.where(({ exists, selectFrom }) =>
            exists(
              selectFrom("access_grant as g")
                .innerJoin("account", "account.id", "g.account_id")
                .select("g.id")
                .where("account.username", "=", username ?? "")
                .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", dialect.now)]))
                .where((eb) =>
                  eb.or([
                    eb("g.event_id", "=", eb.ref("event.id")),
                    eb("g.organization_id", "=", eb.ref("event.organization_id")),
                  ])
                ),
            )
          ))
        .orderBy((eb) => eb.case().when("event.status", "=", "closed").then(1).else(0).end())
        .orderBy("event.starts", "desc")
        .orderBy("event.id")
        .limit(ofAccount ? most.ofAccount : most.all),
    )
    const organizations = ofAccount ? [] : await run(
      db.selectFrom("organization").select(["slug", "name"]).orderBy("slug").limit(most.all),
    )
    return {
      events: events.map(({ id, name, starts, slug }) => ({
        value: id,
        label: `${name} · ${slug} · ${formatMoment(starts).replace(/T.*/, "")}`,
      })),
      organizations: organizations.map(({ slug, name }) => ({ value: slug, label: name })),
    }
  })
}
