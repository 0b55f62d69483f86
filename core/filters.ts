/**
 * THE IN-HOUSE CONTRACT of what follows the filters of families, besides `capability.ts`. May change with any version.
 */
export { filterNamed, isChosen, nameOfFilter, wasChosen } from "./change-log/departures.ts"
export type { Follow } from "./kernel/capability.ts"
