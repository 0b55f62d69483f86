import type { Kysely } from "kysely"
import type { Schema } from "../../../core/data/schema.ts"
import type { Scene } from "../scene.ts"

/** What a change needs: a database, and the event with the random source that decides. */
export interface Work {
  readonly db: Kysely<Schema>
  readonly scene: Scene
}
