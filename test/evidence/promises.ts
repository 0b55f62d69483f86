import type { Run } from "./runs.ts"

/** A promise of a document, and what holds it. */
export interface Promised {
  readonly in: string
  /** A sentence of the document or a part of one, without its links, stars and comments. */
  readonly said: string
  /** What it promises, where the quotation is long or needs the sentences around it. */
  readonly short?: string
  /** By test files, a part of the name of a test, or of several: as the source has it. */
  readonly by: Readonly<Record<string, string | readonly string[]>>
  readonly runs?: readonly Run[]
}

const guide = "plugins/documents/docs/pages"
const handbook = "config/handbook"
const capabilities = "plugins/capabilities"
const polling = "test/journeys/polling"
const ofCapabilities = "test/plugins/capabilities"
const documents = "test/plugins/documents"

/** What is promised, by what it is about. The first is what readers ask first. */
export const promises: Readonly<Record<string, readonly Promised[]>> = {
  "No change is lost": [
    {
      in: `${guide}/sync.md`,
      said:
        "Once writing stops, the next poll makes your copy equal to the service's records, whatever the platform's transactions do, and even if the database's clock was set back.",
      by: {
        [`${polling}/walk-mysql.test.ts`]: "on MySQL",
        [`${polling}/feed-walk-mysql.test.ts`]: "on MySQL",
        [`${polling}/interleavings-model.test.ts`]:
          "no reader loses a record in any interleaving of two writers",
      },
      runs: ["walks", "interleavings", "chaos", "simulate"],
    },
    {
      in: `${handbook}/polling.md`,
      said:
        "none: transactions may take as long as they like and commit in any order, and the database's clock may be set back",
      short:
        "Transactions may take as long as they like and commit in any order, and the clock may be set back.",
      by: {
        [`${polling}/interleavings-mysql.test.ts`]:
          "no reader loses a record in a fortieth of the interleavings",
        "test/core/change-log/watermark.test.ts": [
          "the watermark stays behind an open change, however long",
          "a clock that was set back is remembered",
        ],
      },
    },
    {
      in: `${handbook}/polling.md`,
      said:
        "While one is missing or different, no page comes from the cache, nobody gets a 304, and changes may be missed.",
      short:
        "While a trigger is missing or different, no page comes from the cache, and nobody gets a 304.",
      by: {
        "test/core/change-log/change-log.test.ts": "while a trigger is missing, no page is cached",
        [`${polling}/restored-triggers.test.ts`]:
          "a change while a trigger was missing is sent once it was restored",
      },
    },
    {
      in: `${handbook}/polling.md`,
      said: "Lock the guest first, in every transaction that changes a consent or an address.",
      short: "Writers who lock the guest first meet no deadlock.",
      by: {
        "test/plugins/databases/mysql/lock-order.test.ts":
          "who locks the guest first meets no deadlock",
      },
    },
    {
      in: `${guide}/sync.md`,
      said:
        "Whatever fails, send the last `next` that you stored. It does not expire with time, and still works after you lost access to the event and got it back.",
      short:
        "The cursor of a feed does not expire, and works again after access was lost and given back.",
      by: {
        [`${ofCapabilities}/feed/feed.test.ts`]: [
          "each cursor of a walk can be used twice",
          "access that was withdrawn and is given back lets the cursor go on",
        ],
      },
    },
    {
      in: `${guide}/sync.md`,
      said: "When records get a new field, the feed sends all of them again.",
      by: {
        [`${ofCapabilities}/feed/configured.test.ts`]: "a field that is added brings all records",
      },
    },
    {
      in: `${guide}/sync.md`,
      said: "You can stop them at any moment.",
      short: "The guide's programs can be stopped at any moment.",
      by: {
        [`${documents}/docs-programs.test.ts`]:
          "keeps its copy if it is killed, gets half a page or an error, or has no room",
      },
      runs: ["chaos"],
    },
    {
      in: `${guide}/sync.md`,
      said: "So one request watches all quiet events",
      short: "One request tells which events have changed.",
      by: {
        "test/core/records/latest-changes.test.ts": [
          "returns when ${category} last changed, or were deleted",
          "lists an event that moves to the front during a walk",
        ],
      },
    },
    {
      in: `${guide}/sync.md`,
      said: "`Poll-Interval` is 60 seconds for an event that is running",
      by: { [`${polling}/headers.test.ts`]: "returns Poll-Interval" },
    },
    {
      in: `${guide}/sync.md`,
      said: "The response comes as soon as something changes, or after this many seconds",
      short: "A request that waits is answered as soon as something changes.",
      by: {
        [`${ofCapabilities}/waiting/waiting.test.ts`]: [
          "gets the records of a change as soon as it is committed",
          "a request that waits gets 304 if nothing changes",
        ],
      },
    },
    {
      in: `${guide}/start.md`,
      said:
        "Read the guests and items of fundraising events over HTTP, and keep a copy that follows every change and every deletion.",
      short: "A copy follows every change and every deletion, whatever goes wrong.",
      by: {
        "test/journeys/new-partner.test.ts":
          "a new partner's copy is equal to the tables, also after everything went wrong",
      },
    },
    {
      in: `${guide}/start.md`,
      said:
        "The feed of an event sends all its guests and items, and then whatever changes or is deleted",
      short: "The feed sends all records, and then whatever changes or is deleted.",
      by: {
        [`${ofCapabilities}/feed/feed.test.ts`]: [
          "a first walk brings all records, oldest first",
          "a change and a deletion come with the next poll",
        ],
        [`${polling}/interleavings-feed.test.ts`]: "no client of the feed loses a record",
      },
    },
    {
      in: `${guide}/lists.md`,
      said: "`Next-Since` stays behind all unfinished changes, by at least two seconds.",
      by: {
        "test/core/change-log/watermark.test.ts": "the watermark is the clock, less a margin",
      },
      runs: ["interleavings"],
    },
    {
      in: `${guide}/lists.md`,
      said: "Guests and items are lists, each with its own deletions and state.",
      short: "Guests and items have lists of deletions.",
      by: {
        [`${polling}/deletions.test.ts`]: [
          "GET …/guests/deletions returns only deleted guests",
          "GET …/items/deletions returns one list with categories",
        ],
      },
    },
    {
      in: `${guide}/lists.md`,
      said: "A record that came back is not listed.",
      short: "A record that came back is in no list of deletions.",
      by: { [`${polling}/deletions.test.ts`]: "leaves out a guest that exists again" },
    },
    {
      in: `${guide}/lists.md`,
      said: "If nothing was changed or deleted since, the response is 304.",
      short: "A poll with a tag gets 304 only if nothing was changed or deleted.",
      by: {
        [`${polling}/unchanged.test.ts`]: [
          "returns 200 if the first page is the same and a later one has changed",
          "returns 304 for an empty page until something is deleted",
        ],
        [`${polling}/interleavings-versions.test.ts`]:
          "equal versions have equal records in any interleaving",
      },
    },
    {
      in: `${guide}/lists.md`,
      said: "`Complete-Since` says from when on they are complete.",
      short: "Deletions are complete from `Complete-Since` on; an earlier `since` is a 410.",
      by: {
        [`${polling}/deletions.test.ts`]: "returns 410 for a since before the pruned log",
        "test/core/change-log/horizon.test.ts":
          "pruneChangeLog moves the horizon of the lists of which it forgets something",
      },
    },
    {
      in: `${guide}/lists.md`,
      said: "A new field does not change `updated`. It changes the header `Fields`",
      short: "A new field of records changes the header `Fields`.",
      by: {
        "test/core/records/fields-of-lists.test.ts": "lists, exports and digests say Fields",
      },
    },
    {
      in: `${guide}/digests.md`,
      said: "Find out whether your copy has the right records, without reading them again.",
      short: "Digests show whether a copy has the right records.",
      by: { [`${polling}/digest.test.ts`]: "returns the digest of ids and updated" },
    },
    {
      in: `${guide}/digests.md`,
      said: "If a digest differs, drop your records of that bucket, and read them again",
      short: "A digest that differs leads to the records to read again.",
      by: {
        [`${polling}/digest.test.ts`]: "finds the buckets to repair in a copy",
        [`${ofCapabilities}/export/content-digest.test.ts`]: "shows where a copy was edited",
      },
    },
    {
      in: `${guide}/digests.md`,
      said: "The names of the buckets show how many digits to take.",
      short: "Digests by hash do the same for ids that begin alike.",
      by: {
        [`${polling}/hash-buckets.test.ts`]: "spreads ids that begin alike over buckets",
      },
    },
    {
      in: `${guide}/pull.md`,
      said:
        "You can stop it at any moment: it continues where it was, and never leaves a wrong copy.",
      short: "The client `pull` can be stopped at any moment, and never leaves a wrong copy.",
      by: {
        [`${documents}/pull/torture.test.ts`]:
          "copies equal the tables after kills and broken responses",
      },
      runs: ["torture"],
    },
    {
      in: `${capabilities}/feed/README.md`,
      said: "A partner keeps one text per event, the cursor, and cannot forget deletions.",
      short: "A copy by the feed cannot forget deletions.",
      by: {
        [`${ofCapabilities}/feed/walk.test.ts`]: "a copy by the feed of ${name} is equal",
      },
    },
    {
      in: `${capabilities}/waiting/README.md`,
      said: "with `If-None-Match` or `since` learns of a change within a second.",
      short: "With requests that wait, a change arrives within a second.",
      by: {
        [`${ofCapabilities}/waiting/recent-changes.test.ts`]:
          "the first look that begins after a commit finds it",
      },
    },
    {
      in: `${capabilities}/resync/README.md`,
      said: "The command `resync` makes every partner read everything again.",
      by: {
        "test/config/handbook/restore.test.ts": "after resync, the client has an equal copy",
        [`${ofCapabilities}/feed/feed.test.ts`]: "after resync, everybody begins again",
      },
    },
    {
      in: `${handbook}/backup.md`,
      said: "every event has a new version, so nobody gets a 304",
      short: "After a restore and `resync`, nobody gets a 304, and everybody reads all again.",
      by: {
        "test/config/handbook/restore.test.ts":
          "after resync, every poll from before returns all records",
      },
    },
    {
      in: `${handbook}/tables.md`,
      said:
        "With triggers on your tables, everything works as with the service's: deletions, an exact `Next-Since`, 304 and the cache.",
      by: {
        "test/core/records/own-triggers.test.ts": [
          "stamp with the real time, so that a poll with Next-Since misses nothing",
          "a deleted attendee is listed",
        ],
      },
    },
    {
      in: "core/README.md",
      said: "All data of a response is from the same moment.",
      by: {
        "test/core/data/snapshot.test.ts": "a snapshot does not see changes that are committed",
        [`${polling}/live-races.test.ts`]: "is one of a moment while it was read",
      },
    },
    {
      in: "core/README.md",
      said:
        "A page is served from the cache, or as 304, only if the event still has the version with which it was read.",
      by: {
        "test/core/change-log/versions.test.ts": "versionOf changes with every change",
        [`${polling}/evicted-records.test.ts`]: "pages are those that are read without caches",
      },
    },
    {
      in: "core/README.md",
      said: "A look that meets them folds anew, with new marks.",
      short: "If the log was emptied, every event gets a new version.",
      by: {
        "test/core/change-log/watermark.test.ts":
          "a log whose numbers begin again gives every event a new version",
      },
    },
    {
      in: "core/README.md",
      said: "What no trigger sees ends an epoch",
      short:
        "Changes past the triggers give every event a new version; a table there has the exceptions.",
      by: { [`${polling}/unlogged-changes.test.ts`]: "truncate of any table begins another epoch" },
    },
    {
      in: "README.md",
      said: "Triggers advance `updated` and append every change to a log.",
      by: {
        "test/core/data/triggers.test.ts": [
          "guest.updated rises with",
          "every insert, update and deletion of ${category} is logged",
        ],
      },
    },
    {
      in: "core/README.md",
      said: "a `since` in the future would return nothing, silently",
      short: "A `since` more than a minute ahead is refused.",
      by: {
        [`${polling}/future-since.test.ts`]:
          "since more than a minute ahead of the database's clock is a 400",
      },
    },
    {
      in: "core/README.md",
      said: "during a walk, rows are seen twice at worst, never skipped",
      short: "During a walk, records may be seen twice, and none is skipped.",
      by: {
        [`${polling}/interleavings-model.test.ts`]:
          "no reader loses a record in any interleaving: ${scenario}",
      },
      runs: ["interleavings", "walks"],
    },
    {
      in: "core/README.md",
      said: "clients that advance `offset` by their limit would skip rows",
      short: "A `limit` or `offset` out of range is refused, and never changed.",
      by: {
        "test/core/request/bad-input.test.ts": "is ${bad.length > 0",
        "test/openapi/parameters.test.ts": "accepts the same values as parseListQuery",
      },
    },
    {
      in: "core/README.md",
      said: "one cursor of the feed, signed, for one account, route and event",
      short: "A cursor of another account, route or event is refused.",
      by: {
        [`${ofCapabilities}/feed/feed.test.ts`]:
          "a cursor of another account, event, family or list, or an altered one, is refused",
        [`${polling}/cursors.test.ts`]:
          "Cursors opens a cursor only for its account, route and event",
      },
    },
    {
      in: "core/README.md",
      said: "it would need a position per event, and access that comes back would leave gaps",
      short: "One request tells which events to poll, in place of a feed of all events.",
      by: {
        "test/core/records/latest-changes.test.ts":
          "returns 304 until a record of an event changes",
      },
    },
    {
      in: "core/README.md",
      said:
        "the newest `updated` or time of a deletion of all its records, also of one that has been forgotten",
      short: "The `changed` of an event knows deletions, forgotten ones as well.",
      by: {
        "test/core/records/latest-changes.test.ts":
          "returns when a record was deleted also after that is forgotten",
      },
    },
    {
      in: "core/README.md",
      said: "use it as the `since` of an event that has not changed",
      short: "The `Next-Since` of the list of events is one for each event that has not changed.",
      by: {
        [`${polling}/walk-embedded.test.ts`]: "on the embedded database",
      },
      runs: ["walks"],
    },
    {
      in: "core/README.md",
      said: "if one is reused while somebody pages, a record is skipped",
      short: "Positions of deleted records are kept for a day, for readers by `offset`.",
      by: {
        [`${polling}/deletions.test.ts`]: "by offset over deleted records returns all others",
        "test/core/change-log/prune.test.ts":
          "releases the positions of deleted records after a day",
      },
    },
    {
      in: "core/README.md",
      said: "`offset` is a 400, and the others if they differ from the walk's",
      short: "A cursor continues its own walk, and no other query.",
      by: {
        [`${polling}/cursors.test.ts`]: [
          "a request by a cursor ${name} returns 400",
          "may repeat the parameters of its walk",
        ],
      },
    },
    {
      in: "core/README.md",
      said: "covers the event's version, also if the page is empty",
      short: "A tag is about the whole list, and not only its page.",
      by: {
        [`${polling}/unchanged.test.ts`]:
          "if the first page is the same and a later one has changed",
      },
    },
    {
      in: "core/README.md",
      said: "a `since` from between the two times is read as the earlier one",
      short: "After the clock was set back, a `since` counts from the earlier time.",
      by: {
        "test/core/change-log/clock-steps.test.ts": "sinceBefore takes a since from between back",
      },
    },
  ],
  "Several database servers": [
    {
      in: `${capabilities}/servers/README.md`,
      said:
        "Polls go on while a server is away or another becomes the primary, and no poll loses a record, whatever server answers",
      by: {
        "test/cluster/cluster.test.ts": "partners lose nothing while servers are disturbed",
        "test/model/replication.test.ts": "the service loses nothing, and answers, with ${name}",
      },
      runs: ["model"],
    },
    {
      in: `${capabilities}/servers/lossless.md`,
      said:
        "A record may come in an older state, or once more after its deletion, until the next polls",
      short:
        "With `replicas`, a record may come in an older state until the next polls, and none is lost.",
      by: { "test/model/replication.test.ts": "the service loses nothing, and answers" },
      runs: ["model"],
    },
    {
      in: `${guide}/sync.md`,
      said:
        "If the operator reads from several servers, you may get an old version of a record, or a record that was deleted. Apply it: the right version follows.",
      short: "An old version of a record is followed by the right one.",
      by: { "test/model/replication.test.ts": "the service loses nothing, and answers" },
    },
    {
      in: `${handbook}/replication.md`,
      said:
        "A revocation takes effect within `staleness` seconds (10), as do ended sessions, new passwords and withdrawn grants",
      short: "A revocation takes effect within `staleness` seconds on every server.",
      by: {
        [`${ofCapabilities}/servers/nodes.test.ts`]: [
          "a replica that is too far behind is not asked",
          "a node is in use while its heartbeat is young enough",
        ],
      },
    },
    {
      in: `${handbook}/replication.md`,
      said: "After a failover, polls get the records of the last minutes again",
      by: {
        "test/core/change-log/watermark.test.ts":
          "a look on another server counts as a clock that was set back",
      },
    },
    {
      in: `${handbook}/replication.md`,
      said:
        "the start and each reload refuse servers with which partners would miss records, and say which",
      short: "Servers with which partners would miss records are refused.",
      by: {
        [`${ofCapabilities}/servers/replication-obstacles.test.ts`]: "is refused",
        [`${ofCapabilities}/servers/replication-faults.test.ts`]:
          "is a fault, alone and beside others",
      },
    },
    {
      in: `${handbook}/failover.md`,
      said: "`Next-Since`, tags, cursors and sessions stay valid.",
      short:
        "After a failover without lost commits, `Next-Since`, tags, cursors and sessions stay valid.",
      by: {
        [`${ofCapabilities}/servers/servers.test.ts`]:
          "after a crash, they go on at the next primary",
        [`${polling}/interleavings-mysql.test.ts`]:
          "a page from before a failover is not sent after it",
      },
    },
  ],
  "Nobody reads what is not theirs": [
    {
      in: "README.md",
      said:
        "Projections list what they let through, never what they drop. `q` searches these fields and no others.",
      short: "A family returns the fields that it lists; `q` searches no others.",
      by: {
        "test/journeys/access-matrix.test.ts": "returns each caller's status, and no hidden record",
        "test/journeys/search.test.ts":
          "searches the fields that the family returns, and no others",
      },
    },
    {
      in: "README.md",
      said: "One statement authenticates, authorizes and checks for changes",
      short: "One statement authenticates, authorizes and checks for changes.",
      by: {
        "test/core/request/statements.test.ts": "a poll that finds nothing new takes one statement",
        "test/core/access/admission.test.ts": "answers each of the questions that come together",
      },
    },
    {
      in: "README.md",
      said:
        "The kernel authorizes, parses, reads and projects; a list never touches a request or a response.",
      short: "The kernel checks every request; no plugin can forget to.",
      by: {
        "test/journeys/access-matrix.test.ts": "returns each caller's status",
        [`${ofCapabilities}/conformance/contract.test.ts`]: "conforms with the settings",
      },
    },
    {
      in: "core/README.md",
      said: "the order of checks reveals nothing to a stranger",
      short: "The order of 401, 403, 400 and 404 reveals nothing to a stranger.",
      by: {
        "test/hostile/strangers.test.ts":
          "without a live session, no response tells whether there is a namespace",
        "test/core/http/problems.test.ts": "are told the same, to the byte",
      },
    },
    {
      in: `${guide}/errors.md`,
      said: "there is no such event, or you may not read it (any more): the response is the same",
      short: "Unknown and forbidden events get the same response, to the byte.",
      by: {
        "test/journeys/access-matrix.test.ts":
          "routes return the same bytes with the same statements for unknown and forbidden events",
      },
    },
    {
      in: `${guide}/endpoints.md`,
      said: "All of them need access to the event. A namespace belongs to one customer.",
      short: "Every family needs access to the event; a namespace belongs to one customer.",
      by: {
        "test/plugins/families/custom-export.test.ts": [
          "for the role of a service user, not only for its name",
          "returns only events of the namespace's organization",
        ],
        "test/plugins/families/connector-a.test.ts":
          "only events of organizations that turned it on",
      },
    },
    {
      in: `${guide}/endpoints.md`,
      said: "You only read: apart from requests below `/session`, every request is a `GET`.",
      short: "Partners only read.",
      by: {
        "test/plugins/databases/mysql/least-privilege.test.ts":
          "the service runs with exactly the privileges of grantStatements",
        "test/core/http/problems.test.ts": "answers 405 with what is allowed",
      },
    },
    {
      in: `${guide}/endpoints.md`,
      said: "returns the OpenAPI 3.1 document of the endpoints that you may call",
      short: "The OpenAPI document has what the caller may call, and it is true.",
      by: {
        [`${documents}/openapi.test.ts`]: "shows a service user only its own namespace",
        "test/openapi/answers.test.ts": "is as described, and its example is real",
      },
    },
    {
      in: `${handbook}/install.md`,
      said: "The service never writes guests, items or events: your platform does.",
      short: "The service never writes guests, items or events.",
      by: {
        "test/core/data/snapshot.test.ts": "a snapshot cannot write",
        "test/plugins/databases/mysql/least-privilege.test.ts": "exactly the privileges",
      },
    },
    {
      in: "plugins/service/console/README.md",
      said: "Viewers see every page; each POST is 403.",
      short: "Viewers of the console change nothing.",
      by: {
        "test/hostile/viewer.test.ts": [
          "every POST of a viewer is 403",
          "a viewer searches for no person",
        ],
      },
    },
    {
      in: `${capabilities}/conformance/README.md`,
      said:
        "a line checks the declaration, the projections on records of every shape, and the policies against strangers, outsiders and callers of another organization",
      short: "One line in a test checks a plugin's fields and policies.",
      by: { [`${ofCapabilities}/conformance/conformance.test.ts`]: "conformanceProblems finds" },
    },
    {
      in: `${capabilities}/explain/README.md`,
      said: "says what an account would get from the routes of an event",
      short: "`access explain` says what an account would get from an event.",
      by: {
        [`${ofCapabilities}/explain/explain-access.test.ts`]:
          "says what requests get, whatever the account, session, grants, event and address",
      },
    },
    {
      in: "core/README.md",
      said: "a filter on a hidden field would reveal it; collations differ between databases",
      short: "A search finds nothing by a field that the family hides.",
      by: {
        "test/core/records/listings.test.ts":
          "guests.list searches only the fields of the projection",
      },
    },
    {
      in: "core/README.md",
      said: "names of customers are in paths",
      short: "Without a session, no path tells whether a customer exists.",
      by: {
        "test/hostile/strangers.test.ts": "no response tells whether there is a namespace",
      },
    },
    {
      in: "core/README.md",
      said: "a walk goes on where it began; a token never goes out without TLS",
      short: "A `Link` has the host that was asked, and no other's.",
      by: {
        [`${polling}/headers.test.ts`]:
          "returns a Link with the host that was asked, and no host that is not allowed",
        "test/core/http/hosts.test.ts": "originOf returns ${origin}",
      },
    },
  ],
  "Sessions, tokens and passwords": [
    {
      in: `${guide}/log-in-and-tokens.md`,
      said: "Programs get a token, which lasts longer and can be revoked alone.",
      short: "A token can be revoked alone, and is kept as a hash.",
      by: {
        [`${ofCapabilities}/sessions/tokens.test.ts`]: [
          "kept as a hash only",
          "ends a token from its next request on, and nobody else's",
        ],
      },
    },
    {
      in: `${guide}/log-in-and-tokens.md`,
      said: "A new password revokes all.",
      short: "A new password revokes all tokens.",
      by: { [`${ofCapabilities}/sessions/tokens.test.ts`]: "ends tokens, and counts them" },
    },
    {
      in: `${guide}/log-in-and-tokens.md`,
      said: "After its end, every request is a 401 `unauthenticated`",
      short: "After its end, a session is refused at once.",
      by: {
        "test/plugins/service/session.test.ts": [
          "returns 401 after the end of the session",
          "although the cookie was valid before",
        ],
      },
    },
    {
      in: `${guide}/start.md`,
      said: "It keeps your session in `cookies.txt`.",
      short: "The guide's first lines log in and keep the session, whatever the password is.",
      by: {
        "test/journeys/new-partner.test.ts":
          "the first lines take any password, and ask again after a wrong one",
      },
    },
    {
      in: "core/README.md",
      said: "The session's row and the account's epoch decide, on every request",
      short: "Session and account are looked up on every request.",
      by: {
        "test/core/access/access.test.ts": "a session from before a revocation is refused",
        "test/core/access/sessions.test.ts": "a cookie without a row does not count",
      },
    },
    {
      in: "core/README.md",
      said: "scrypt N=2^14 r=8 p=5, in up to four threads",
      short: "Passwords are kept as scrypt, N=2^14 r=8 p=5.",
      by: { "test/core/access/passwords.test.ts": "returns a salted hash with its cost" },
    },
    {
      in: "core/README.md",
      said: "the same for unknown names, in the same time",
      short: "A failed log-in says the same for unknown names, in the same time.",
      by: {
        "test/core/access/passwords.test.ts": "does the full work if there is no account",
        "test/core/access/log-in.test.ts":
          "sends the same statements for known, unknown and disabled names",
      },
    },
    {
      in: "config/README.md",
      said: "Failed log-ins are counted for all processes together.",
      by: {
        "test/hostile/log-in.test.ts":
          "guesses at the same time do not get past the free failures, in two processes",
      },
    },
    {
      in: `${handbook}/incidents.md`,
      said: "From then on every cookie and token of a session gets 401",
      short: "A replaced session secret ends every session; tokens that partners made go on.",
      by: {
        "test/config/handbook/leaks.test.ts": "a secret that is replaced ends all sessions",
        [`${ofCapabilities}/sessions/operate-tokens.test.ts`]:
          "a token survives the secrets of sessions",
      },
    },
    {
      in: `${handbook}/recipes.md`,
      said: "The old cookies count for another day",
      short: "Cookies can be renewed with a day of overlap.",
      by: { "test/config/handbook/recipes.test.ts": "Renew all cookies" },
    },
    {
      in: `${capabilities}/sessions/README.md`,
      said: "what ends an account's sessions ends its tokens",
      short: "Ending an account's sessions ends its tokens.",
      by: {
        [`${ofCapabilities}/sessions/operate-tokens.test.ts`]:
          "account revoke, passwd and disable say how many sessions and tokens have ended",
      },
    },
    {
      in: `${capabilities}/former-names/README.md`,
      said: "Nobody else gets a former name",
      short: "Nobody else gets a former name of an account.",
      by: {
        [`${ofCapabilities}/former-names/former-names.test.ts`]:
          "no account gets a name that another has or had",
      },
    },
    {
      in: `${capabilities}/accounts/README.md`,
      said: "somebody must add the first account, and lock one while no console can be reached",
      short: "Accounts can be added and locked without the console.",
      by: {
        "test/core/cli/program.test.ts": [
          "account add takes the password from standard input, and stores only its hash",
          "account disable --undo lets an account log in again",
        ],
      },
    },
    {
      in: `${capabilities}/waiting/README.md`,
      said: "Session and grants are checked again before the answer.",
      short: "After a wait, session and grants are checked again.",
      by: {
        [`${ofCapabilities}/waiting/waiting.test.ts`]:
          "a session that ends while its request waits gets 401, a grant that is taken 404",
      },
    },
    {
      in: "core/README.md",
      said:
        "guesses at the same time must not get past the limit; many right log-ins at midnight are no failures",
      short: "Guesses at the same time do not get past the limit; many right log-ins do.",
      by: {
        "test/core/access/log-in.test.ts": "verifies no more of many guesses at once than are free",
        "test/hostile/log-in.test.ts": "100 log-ins to one account at the same time all succeed",
      },
    },
  ],
  "Personal data": [
    {
      in: `${handbook}/disclosures.md`,
      said: "It names too many rather than too few.",
      short: "The ledger of who received a guest names too many rather than too few.",
      by: {
        "test/journeys/disclosures.test.ts":
          "the ledger names everyone who received a guest, and few others",
      },
      runs: ["disclosures"],
    },
    {
      in: `${capabilities}/disclosures/README.md`,
      said: "to name everyone who got a guest's data, and who has not yet applied its deletion",
      short: "The ledger names who has not yet applied a deletion.",
      by: {
        [`${ofCapabilities}/disclosures/erasures.test.ts`]:
          "listOverdue names who received a guest and has not acknowledged its deletion",
      },
    },
    {
      in: `${guide}/digests.md`,
      said:
        "If your copy is right, say so: that shows the operator that deleted people are not in it.",
      short: "A digest shows that deleted people are not in a copy.",
      by: {
        [`${ofCapabilities}/disclosures/attested.test.ts`]: "a right one is attested",
        "test/core/records/fields-of-lists.test.ts": "is not noted as right",
      },
    },
    {
      in: "config/README.md",
      said: "No entry contains names, e-mail addresses, search words, cookies or passwords.",
      short: "No log has names, e-mail addresses, search words, cookies or passwords.",
      by: {
        "test/hostile/input.test.ts": "log and audit entries contain no name, e-mail",
        "test/chaos/instruments.test.ts": "reports what no service may print",
      },
      runs: ["chaos"],
    },
    {
      in: "config/README.md",
      said: "The audit log has every change to accounts, grants and sessions",
      short: "The audit log has every change to accounts, grants and sessions.",
      by: {
        [`${ofCapabilities}/sessions/account-sessions.test.ts`]:
          "every command that changes accounts, grants or sessions says so in the audit log",
        "test/plugins/service/console/console.test.ts":
          "a change in the console is in the audit log with its operator",
      },
    },
    {
      in: `${capabilities}/audit/README.md`,
      said: "No record, no `q` and no cookie.",
      short: "The audit log has every read, and no record, no `q` and no cookie.",
      by: {
        [`${ofCapabilities}/audit/audit.test.ts`]: [
          "every listing of an account and every log-in is there",
          "neither has what people typed",
        ],
      },
      runs: ["chaos", "simulate"],
    },
    {
      in: `${capabilities}/contacts/README.md`,
      said: "Its texts are in no log.",
      short: "Notes about partners are in no log.",
      by: {
        [`${ofCapabilities}/contacts/contacts.test.ts`]:
          "leave no text in the log or the audit log",
      },
    },
    {
      in: `${handbook}/proxies.md`,
      said: "Logs have no query. A search may be the name of a guest.",
      short: "The proxies' logs have no query.",
      by: { "test/config/deploy/proxies.test.ts": "no log has a query" },
    },
    {
      in: `${guide}/records.md`,
      said: "A guest without a consent record has `false`, `inactive` and an empty string.",
      short: "A guest without a consent record has not agreed.",
      by: {
        "test/plugins/families/custom-export.test.ts": [
          "returns nulls and defaults for a guest without details",
          "returns the consent record",
        ],
      },
    },
    {
      in: `${guide}/records.md`,
      said: "A withdrawal arrives with the next poll.",
      short: "A withdrawn consent arrives with the next poll.",
      by: { "test/core/data/triggers.test.ts": "guest.updated rises with ${name}" },
    },
    {
      in: `${guide}/pings.md`,
      said: "It carries no data.",
      short: "A ping carries no data.",
      by: {
        [`${ofCapabilities}/ping/sender.test.ts`]: "a change is pinged once, signed",
        [`${ofCapabilities}/ping/rights.test.ts`]:
          "each receiver is told of what its account may read",
      },
    },
  ],
  "It goes on": [
    {
      in: `${handbook}/incidents.md`,
      said: "503 with `Retry-After`. Nothing is lost: neither sessions nor `Next-Since`.",
      short: "While the database is away, partners get 503, and nothing is lost.",
      by: {
        "test/core/http/problems.test.ts":
          "a database that goes away is 503 with Retry-After, and the service recovers by itself",
        "test/chaos/chaos.test.ts": "services recover from each fault, and partners lose nothing",
      },
      runs: ["chaos"],
    },
    {
      in: "config/README.md",
      said: "No request fails. If anything is wrong, the old configuration stays in force",
      short:
        "A reload fails no request; if the file is wrong, the old configuration stays in force.",
      by: {
        "test/core/kernel/service.test.ts": [
          "no request fails under load during 200 reloads",
          "reload refuses a bad configuration with the reason, and the old one stays in force",
        ],
      },
    },
    {
      in: "config/README.md",
      said: "No request waits for the log.",
      by: { "test/hostile/logs.test.ts": "serves, counts what it drops, and ends" },
    },
    {
      in: "config/README.md",
      said: "`GET /livez` returns 200 as long as the process lives",
      short: "`/livez` is 200 as long as the process lives.",
      by: {
        "test/plugins/service/health.test.ts":
          "GET /readyz returns 503 without a database, and /livez 200",
      },
    },
    {
      in: `${handbook}/install.md`,
      said: "`serve` waits for it; a file that is corrected meanwhile counts at once.",
      short: "The start waits for a database that is away.",
      by: {
        "test/hostile/database-away.test.ts": [
          "start waits for a database that is away",
          "start that waits takes over a corrected file",
        ],
      },
    },
    {
      in: `${handbook}/proxies.md`,
      said:
        "No request fails while the two processes restart one after the other, and no poll when a process is killed.",
      short: "Restarts behind a proxy fail no request, and a killed process fails no poll.",
      by: {
        "test/config/deploy/proxies.test.ts": [
          "a rolling restart under load fails no request",
          "a killed process fails no poll",
        ],
      },
    },
    {
      in: `${guide}/parameters.md`,
      said: "A 304 counts as a tenth of a request, an export as one per 1,000 records.",
      short: "A 304 costs a tenth of a request, an export one per 1,000 records.",
      by: {
        "test/core/request/limits.test.ts": "an unchanged answer, 304, costs a tenth",
        "test/journeys/pairs.test.ts": "an export costs as much of the quota as its pages",
      },
    },
    {
      in: `${capabilities}/export/README.md`,
      said:
        "an export of an account that has none ends the oldest one of the account that has the most",
      short: "No account can keep others from exports.",
      by: {
        [`${ofCapabilities}/export/export.test.ts`]:
          "ends the oldest of an account that has all slots",
      },
    },
    {
      in: `${guide}/pings.md`,
      said: "Nothing is lost: your next poll has it.",
      short: "While a receiver of pings is down, nothing is lost.",
      by: {
        [`${ofCapabilities}/ping/silence.test.ts`]: "no list that has changed is silent",
        [`${ofCapabilities}/ping/sender.test.ts`]: "pauses grow for a day, then it is tried daily",
      },
    },
    {
      in: `${capabilities}/presence/README.md`,
      said: "marks one as gone that was not seen for half a minute",
      short: "A process that is gone is shown as gone.",
      by: {
        [`${ofCapabilities}/presence/presence.test.ts`]:
          "shows a process that was not seen as gone",
      },
    },
    {
      in: `${capabilities}/partners/README.md`,
      said: "operators learn who misses data before the partner does, and what to tell it",
      short: "Operators learn which partner misses data, and why.",
      by: {
        [`${ofCapabilities}/partners/scenarios.test.ts`]:
          "partners says of a partner that ${name} what is true",
      },
    },
    {
      in: `${capabilities}/metrics/README.md`,
      said: "Every capability that is on adds its own metrics; `config/README.md` lists them all.",
      short: "Every metric and alert is documented, and right.",
      by: {
        "test/readme.test.ts": "${file} ${rule}",
        "test/config/monitoring.test.ts": "promtool accepts prometheus-alerts.yaml",
      },
    },
    {
      in: `${capabilities}/tracing/README.md`,
      said: "one per request, under the caller's span if `traceparent` names one",
      short: "Each request has a span under the caller's.",
      by: {
        [`${ofCapabilities}/tracing/tracing.test.ts`]: "sends spans of requests to the collector",
      },
    },
    {
      in: "core/README.md",
      said: "a flood costs little, and refused requests count",
      short: "Requests that are wrong or refused count as well.",
      by: {
        "test/core/request/limits.test.ts":
          "requests for no route, and with a wrong parameter, count too",
      },
    },
    {
      in: "core/README.md",
      said: "a flood costs hardly a query or log line, and stops nobody else",
      short: "A flood without a session costs little, and stops nobody else.",
      by: {
        "test/hostile/strangers.test.ts": [
          "a session that has ended costs a statement per second",
          "a flood is a few lines in the log",
        ],
      },
    },
  ],
  "What partners have built keeps working": [
    {
      in: `${guide}/changes.md`,
      said: "Within a version, what you have built keeps working.",
      short: "Programs of partners keep working within `/v1`.",
      by: {
        "test/releases/document.test.ts":
          "the OpenAPI document still has all that the last release promised",
      },
    },
    {
      in: `${guide}/changes.md`,
      said:
        "a field is removed or renamed, gets another type or unit, or becomes null if it never was",
      short: "No field goes, gets another name, type or unit, or becomes null.",
      by: { "test/releases/document.test.ts": "the comparison of documents notices that" },
    },
    {
      in: `${handbook}/upgrade.md`,
      said: "settings and commands are added, with defaults that change nothing",
      short: "A minor version takes every configuration of the version before.",
      by: {
        "test/releases/settings.test.ts":
          "every configuration that the last release took is still taken",
      },
    },
    {
      in: `${handbook}/upgrade.md`,
      said: "migrations expand; back to the version before",
      short: "Migrations only add: the version before serves the migrated database.",
      by: {
        "test/releases/database.test.ts": [
          "processes of the last release find all that they need after the migrations",
          "a migration that ${name} is noticed",
        ],
        "test/core/data/later-version.test.ts":
          "this version finds all that it needs in the database of a later one",
      },
      runs: ["upgrade"],
    },
    {
      in: `${handbook}/upgrade.md`,
      said: "Sessions, tokens, cursors, `Next-Since`, entity tags and digests hold.",
      short: "Sessions, tokens, cursors, tags and digests outlive an upgrade.",
      by: {
        "test/releases/database.test.ts":
          "a database of the last release migrates while partners poll, and keeps its records",
      },
      runs: ["upgrade"],
    },
    {
      in: "plugins/README.md",
      said: "a plugin that compiles and conforms today does so with every later version",
      short: "A plugin for the last release conforms with this one.",
      by: {
        "test/releases/exports.test.ts": "a plugin that was written for the last release conforms",
      },
    },
  ],
  "What partners get": [
    {
      in: `${guide}/start.md`,
      said: "The requests at the top now work.",
      short: "Each request of the guide gets the response beside it.",
      by: { [`${documents}/docs-examples.test.ts`]: "${page}, ${heading}: ${language}" },
    },
    {
      in: `${guide}/start.md`,
      said: "You get what has changed since, deletions included.",
      short: "The guide's first program makes a right copy, deletions included.",
      by: {
        [`${documents}/docs-programs.test.ts`]:
          "the guide's first lines of Python make a right copy",
      },
    },
    {
      in: `${guide}/records.md`,
      said: "Every field, in the order of the response.",
      short: "Records have all fields, in the documented order.",
      by: {
        [`${documents}/field-order.test.ts`]: "have fields in the order of the contract",
        [`${documents}/docs/field-tables.test.ts`]: "fieldTables has every field of every record",
      },
    },
    {
      in: `${guide}/records.md`,
      said: "Ids are UUIDs in lower case.",
      short: "Ids are UUIDs in lower case; records with others are left out.",
      by: {
        "test/journeys/wrong-ids.test.ts": "events with wrong ids are in no list, and in no text",
        [`${documents}/openapi/records.test.ts`]:
          "every field is described, and its example is one",
      },
    },
    {
      in: `${guide}/records.md`,
      said: "`updated` also changes with the guest's consent and addresses.",
      by: { "test/core/data/triggers.test.ts": "guest.updated rises with ${name}" },
    },
    {
      in: `${guide}/records.md`,
      said: "Each of the six categories has its own fields.",
      short: "Each category of items has its own fields.",
      by: { "test/plugins/families/connector-b.test.ts": "full and lean, fields in order" },
    },
    {
      in: `${guide}/lists.md`,
      said: "A page has up to 1,000 records, the newest first; `limit` asks for fewer.",
      short: "A page has up to 1,000 records, the newest first, and none is left out.",
      by: {
        "test/journeys/paging.test.ts": "returns the newest first, then by descending id",
        [`${polling}/cursors.test.ts`]: "by cursor returns every record once",
      },
    },
    {
      in: `${guide}/lists.md`,
      said: "`…/items` is a bundle: an object with a list per category. All six are always there.",
      short: "A bundle of items has all six categories.",
      by: {
        "test/plugins/families/connector-b.test.ts":
          "has the six keys in order, even if there are no items",
      },
    },
    {
      in: `${guide}/lists.md`,
      said: "return one record, an item with its `category`, or 404 `record_not_found`.",
      short: "A single record is as the list has it.",
      by: {
        [`${ofCapabilities}/feed/feed.test.ts`]:
          "a single record is as the list has it, with a tag",
      },
    },
    {
      in: `${guide}/parameters.md`,
      said: "An unknown or repeated parameter is a 400",
      short: "An unknown or repeated parameter is a 400.",
      by: {
        "test/core/request/bad-input.test.ts": "is ${bad.length > 0",
        "test/openapi/parameters.test.ts": "accepts the same values as parseListQuery",
      },
    },
    {
      in: `${guide}/parameters.md`,
      said: "seconds until your next poll",
      short: "The documented headers are sent.",
      by: {
        [`${documents}/docs-examples.test.ts`]:
          "the headers in the table are headers that the service sends",
      },
    },
    {
      in: `${guide}/errors.md`,
      said: "An error is JSON of type `application/problem+json` (RFC 9457)",
      short: "Every error is as documented (RFC 9457).",
      by: { "test/openapi/answers.test.ts": "${code} is as described on every route" },
    },
    {
      in: `${guide}/errors.md`,
      said: "500, a lost connection, half a response: repeat the request.",
      short: "Repeating a failed request is safe.",
      by: {
        [`${documents}/docs-programs.test.ts`]: "repeats a request after 429 and 503",
        [`${documents}/pull/sync.test.ts`]: "sync ends with an equal copy whatever breaks",
      },
    },
    {
      in: `${guide}/errors.md`,
      said: "gets you that answer, except from exports",
      short: "Errors can be tried in a demonstration only.",
      by: {
        [`${ofCapabilities}/demonstration/simulation.test.ts`]: [
          "Prefer: simulate=${name}",
          "nothing is simulated for accounts with a password of their own",
        ],
      },
    },
    {
      in: `${guide}/exports.md`,
      said: "The header `Accept` chooses the format of every list except digests",
      short: "JSON, NDJSON and CSV have the same records.",
      by: { [`${ofCapabilities}/export/rows.test.ts`]: "has the same records in all forms" },
    },
    {
      in: `${guide}/exports.md`,
      said: "a cell that a spreadsheet would run as a formula begins with an apostrophe",
      short: "A spreadsheet runs no cell as a formula, if asked for.",
      by: { "test/core/records/csv.test.ts": "csv leaves no formula" },
    },
    {
      in: `${guide}/exports.md`,
      said: "Without this line, the download is incomplete: discard it.",
      short: "An incomplete download is noticed.",
      by: {
        [`${ofCapabilities}/export/export.test.ts`]: "shows that ${form} is truncated or changed",
        [`${ofCapabilities}/export/clients.test.ts`]: "is whole, or its client fails",
      },
    },
    {
      in: `${guide}/exports.md`,
      said:
        "return a whole list in one response, as NDJSON or CSV, from one snapshot of the database",
      short: "An export is one snapshot.",
      by: {
        [`${ofCapabilities}/export/export.test.ts`]:
          "is one snapshot, and reads no further than its client",
      },
    },
    {
      in: `${guide}/pings.md`,
      said: "Copy the secret now: no other response shows it.",
      short: "The secret of a receiver is shown once.",
      by: {
        [`${ofCapabilities}/ping/routes.test.ts`]: "registers a URL, and shows its secret once",
      },
    },
    {
      in: `${guide}/pings.md`,
      said: "A ping is a POST, at most one a second for a list",
      short: "A ping is signed, and sent once a second at most.",
      by: {
        [`${ofCapabilities}/ping/sender.test.ts`]: "pinged once a second at most",
        [`${ofCapabilities}/ping/signature.test.ts`]: "signatures are those of the specification",
      },
    },
    {
      in: `${guide}/pings.md`,
      said: "For 24 hours, pings have two signatures, one for each secret.",
      short: "A replaced secret of pings signs for another day.",
      by: {
        [`${ofCapabilities}/ping/sender.test.ts`]:
          "both secrets sign until the former one has ended",
      },
    },
    {
      in: `${capabilities}/ping/README.md`,
      said: "what is new arrives at once. If a ping does not, the next poll has it.",
      short: "While the database is away, no ping is lost.",
      by: {
        [`${ofCapabilities}/ping/takeover.test.ts`]:
          "while the database is away nothing is lost, and nothing is sent",
      },
    },
    {
      in: `${guide}/tools.md`,
      said: "The kit has files with the paths of your account.",
      short: "The files for other tools make right copies.",
      by: {
        "test/openapi/kit.test.ts": "makes a copy that stays equal, through deletions",
        [`${documents}/kit.test.ts`]: "lists files that exist",
      },
    },
    {
      in: "core/README.md",
      said: "`ofset=1000` would return the first page each time",
      short: "A mistyped parameter is refused, with the nearest known name.",
      by: {
        "test/core/nearest.test.ts": "suggest returns the nearest known name",
        "test/core/request/bad-input.test.ts": "is ${bad.length > 0",
      },
    },
  ],
  "What operators get": [
    {
      in: "README.md",
      said: "prints curl lines to paste",
      short: "`make run` and the package serve a demonstration.",
      by: {
        "test/journeys/live-demonstration.test.ts": "serve --demo plays a live demonstration",
        "test/package/demo.test.ts": "npx event-export demo serves in an empty folder",
      },
    },
    {
      in: "config/README.md",
      said:
        "If anything is unknown, missing or of the wrong type, the service does not start, and reports all errors with their places.",
      short: "A wrong configuration is refused, with the place of each mistake.",
      by: { "test/core/config/read.test.ts": "readConfig names all problems at once" },
    },
    {
      in: "config/README.md",
      said:
        "It reports errors with their place, warnings, which the service also logs, and which partners gain or lose routes",
      short: "`check` reports mistakes, warnings, and what would change for partners.",
      by: {
        [`${ofCapabilities}/check/check.test.ts`]:
          "reports that the configuration is good, and what it would change",
        [`${ofCapabilities}/check/check-warnings.test.ts`]:
          "check warns of configurations that leak",
      },
    },
    {
      in: "config/README.md",
      said: "They need no scripts.",
      short: "The console needs no scripts.",
      by: { "test/plugins/service/console/console-browser.test.ts": "without scripts" },
    },
    {
      in: "config/README.md",
      said:
        "one message per alert and partner; and while most partners are not in sync, one message for all",
      short: "Alerts reach the right receiver.",
      by: { "test/config/monitoring.test.ts": "amtool accepts alertmanager.yaml" },
    },
    {
      in: "config/README.md",
      said:
        "`--allow-write` is for the embedded database, `--allow-sys` for the log and the database driver.",
      short: "Node and Deno send the same bytes.",
      by: {
        "test/journeys/smoke.test.ts": "the process returns the same bytes on Node and on Deno",
      },
    },
    {
      in: `${capabilities}/check/README.md`,
      said:
        "It reads no secret and no file, loads only plugins in `plugins/` or in force, uses the open database, and writes nothing.",
      short: "A check of a draft reads no secret and no file, and writes nothing.",
      by: {
        [`${ofCapabilities}/check/check-draft.test.ts`]: [
          "checkDraft reveals no secret",
          "checkDraft opens no file and no database",
        ],
      },
    },
    {
      in: `${capabilities}/demonstration/README.md`,
      said:
        "the kernel refuses to serve them where others can reach the service, whether this capability is on or off",
      short: "Demonstration accounts are refused where others reach the service.",
      by: { "test/hostile/demonstration.test.ts": "demonstration accounts are not served with" },
    },
    {
      in: `${capabilities}/handbook/README.md`,
      said: "States, errors and alerts link to their sections.",
      short: "Each alert leads to what to do.",
      by: {
        "test/config/handbook/commands.test.ts": [
          "each alert leads to its section of the handbook",
          "each state and each error of a partner leads to a section",
        ],
      },
    },
    {
      in: `${capabilities}/scaffold/README.md`,
      said: "the first files are right without a page of instructions",
      short: "The configuration that `init` writes is served.",
      by: {
        [`${ofCapabilities}/scaffold/init.test.ts`]:
          "init writes a configuration that migrates, passes check and is served",
      },
    },
    {
      in: `${capabilities}/systemd/README.md`,
      said: "Tells systemd what the service does",
      short: "systemd knows when the service is ready, reloads or stops.",
      by: {
        [`${ofCapabilities}/systemd/service-manager.test.ts`]:
          "serve tells systemd when it is ready, reloads and stops",
      },
    },
    {
      in: `${handbook}/systemd.md`,
      said:
        "The service sees no devices, home directories or other users' processes, has no capabilities",
      short: "The unit for systemd lets the service do little.",
      by: { "test/config/deploy/units.test.ts": "lets the service do little" },
    },
    {
      in: `${handbook}/containers.md`,
      said: "It has no shell, and runs as user 65532 on a read-only root without capabilities.",
      short: "The image has no shell, and runs without rights on a read-only root.",
      by: {
        "test/config/deploy/image.test.ts": [
          "has no shell and no package manager",
          "serves on a read-only root",
        ],
      },
    },
    {
      in: `${handbook}/containers.md`,
      said: "Ports are published on 127.0.0.1 only",
      short: "Compose publishes ports on loopback only.",
      by: { "test/config/deploy/compose.test.ts": "publishes ports on 127.0.0.1 only" },
    },
    {
      in: `${handbook}/upgrade.md`,
      said: "Others wait for two seconds at most.",
      short: "A migration lets others wait for two seconds at most.",
      by: {
        "test/hostile/migration.test.ts": "migrate waits for it, and nobody waits for migrate",
      },
    },
  ],
  "How it is built": [
    {
      in: "README.md",
      said: "The kernel knows no partner.",
      short: "The kernel knows no partner.",
      by: { "test/architecture.test.ts": "core names no partner, namespace or family" },
    },
    {
      in: "README.md",
      said: "Everything with a route is a plugin",
      short: "The core imports no plugin.",
      by: { "test/architecture.test.ts": "core imports no plugin" },
    },
    {
      in: "core/README.md",
      said: "what is off is not loaded",
      short: "A capability that is off is not loaded.",
      by: {
        [`${ofCapabilities}/off.test.ts`]: [
          "there is none of its tables and commands",
          "a process loads no file of one",
        ],
      },
    },
    {
      in: "plugins/README.md",
      said:
        "the service does not start, or the reload is refused; with `optional: true` only its own paths fail, with 503",
      short: "A plugin that fails makes only its own paths unavailable.",
      by: {
        "test/core/kernel/service.test.ts":
          "an optional plugin that fails makes only its own paths unavailable",
      },
    },
    {
      in: "plugins/README.md",
      said: "Tests run every block.",
      short: "Tests run every example of the guide.",
      by: { [`${documents}/docs-examples.test.ts`]: "${page}, ${heading}: ${language}" },
    },
    {
      in: `${handbook}/publish.md`,
      said:
        "lists only `package/dist/`, `package.json`, the README and the licence: no secret, no `.npmrc`, no data",
      short: "The package has nothing else in it, and the same bytes wherever it is packed.",
      by: {
        "test/package/files.test.ts":
          "the package holds everything that runs or is read, and nothing else",
        "test/package/verify-release.test.ts":
          "another clone builds the same bytes, whatever umask, time zone, language and settings there are",
      },
    },
    {
      in: `${handbook}/publish.md`,
      said: "It says that both are equal, bit for bit, or what differs in which file.",
      short: "`make verify-release` builds a package again, and names what differs.",
      by: {
        "test/package/verify-release.test.ts": "one other byte in one file is named",
        "test/package/compare-packages.test.ts": "what differs is named: ${name}",
      },
    },
    {
      in: `${handbook}/publish.md`,
      said: "`test/readme.test.ts` refuses the bare name until then.",
      short: "No document tells to install the package by its bare name.",
      by: { "test/readme.test.ts": "no document shows npx or npm install with the bare name" },
    },
  ],
}
