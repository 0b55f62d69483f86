import type { FeedStep } from "./feed-model.ts"
import type { ListName } from "./world.ts"

/** The service looks at open changes. */
export const look: FeedStep = { do: "look", process: 0 }
export const wait = (seconds: number): FeedStep => ({ do: "wait", seconds })
export const setBack = (seconds: number): FeedStep => ({ do: "set back", seconds })
export const forget = (seconds: number): FeedStep => ({ do: "forget", seconds })
export const replicate = (server: number, commits: number): FeedStep => ({
  do: "replicate",
  server,
  commits,
})
/** A record is inserted or changed, in an open transaction or at once. */
export const put = (list: ListName, id: number, open?: number): FeedStep => ({
  do: "write",
  list,
  id,
  isDeletion: false,
  open,
})
/** A record is deleted. */
export const gone = (list: ListName, id: number, open?: number): FeedStep => ({
  do: "write",
  list,
  id,
  isDeletion: true,
  open,
})
/** The client reads a page of a server; if it loses the cursor, it has only stored the page. */
export const read = (server: number, limit: number, loses = false): FeedStep => ({
  do: "read",
  process: 0,
  server,
  limit,
  loses,
})
export const serve = (hasItems: boolean): FeedStep => ({
  do: "configure",
  process: 0,
  fields: 0,
  hasItems,
})
