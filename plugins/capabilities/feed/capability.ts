import type { Capability } from "../../../core/capability.ts"
import type { AnswerOwn } from "../../../core/lists.ts"
import { Feed } from "./feed.ts"
import { FeedKey } from "./feed-key.ts"
import { answerRecords } from "./record.ts"
import { deriveLists } from "./routes.ts"
import { feedTables } from "./tables.ts"

/** One feed of all changes per event, and single records. */
const feed: Capability = {
  name: "feed",
  summary: "Sends the changes of an event, oldest first, and single records",
  storage: { name: "feed", tables: feedTables },
  additions: { docs: () => Promise.resolve(["GET …/events/{eventId}/changes"]) },
  derives: deriveLists,
  open(host) {
    const { answer } = new Feed(host, new FeedKey(host.database))
    const answerRecord = answerRecords(host)
    const answers: AnswerOwn = (request) => answer(request) ?? answerRecord(request)
    return { answers }
  },
}

export default feed
