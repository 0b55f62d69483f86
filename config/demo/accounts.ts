import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import type { Role } from "../../core/data/service-tables.ts"
import { acme, borealis } from "./organizations.ts"
import { Random } from "./random.ts"

/** The password of every account. */
export const password = "demo"

interface Person {
  readonly id: string
  readonly username: string
  readonly role: Exclude<Role, "viewer">
  /** Organizations that the account may read. */
  readonly granted: readonly { uuid: string }[]
}

const ids = new Random(6)

const people: readonly Person[] = [
  person("acme-export", "service", [acme]),
  person("borealis-export", "service", [borealis]),
  person("partner-a", "partner", [acme, borealis]),
  person("partner-b", "partner", [acme, borealis]),
  person("outsider", "partner", []),
  person("operator", "operator", []),
]

function person(
  username: string,
  role: Person["role"],
  granted: readonly { uuid: string }[],
): Person {
  return { id: ids.uuid(), username, role, granted }
}

/** Creates the six accounts, now, marked as demonstration accounts. Hashes their passwords concurrently. */
export function accounts(
  hashPassword: (password: string) => Promise<string>,
): Promise<Insertable<Schema["account"]>[]> {
  return Promise.all(people.map(async ({ id, username, role }) => ({
    id,
    username,
    password: await hashPassword(password),
    role,
    demonstration: 1,
  })))
}

/** Creates the grants of all accounts. */
export function grants(): Insertable<Schema["access_grant"]>[] {
  const random = new Random(7)
  return people.flatMap(({ id, granted }) =>
    granted.map((organization) => ({
      id: random.uuid(),
      account_id: id,
      organization_id: organization.uuid,
      event_id: null,
    }))
  )
}
