import type { Kysely } from "kysely"
import type { Platform } from "../platform.ts"
import type { Scene } from "../scene.ts"

/** What a change needs: the platform, and the event with the random source that decides. */
export interface Work {
  readonly db: Kysely<Platform>
  readonly scene: Scene
}
