/** Says what partners feel of the value that a setting gets, in words behind "90 becomes 3". */
type Effect = string | ((after: unknown, before: unknown) => string)

const perAccount: Readonly<Record<string, Effect>> = {
  burst: "requests a second to a family; more are delayed, by up to a second",
  quota: "requests an hour to a family, where one that finds nothing new counts as a tenth; more " +
    "get 429",
  concurrent: "requests at the same time; more get 429",
  waiting: "requests at the same time that wait for something new; more are answered at once",
}

const interval = "seconds from poll to poll, as Poll-Interval recommends"

const pinged = "of URLs that get pings; others get nothing more"

/** The settings that partners feel, by name; `*` is the name of any account or plugin. */
export const feltSettings: Readonly<Record<string, Effect>> = {
  "server.host": "another URL for partners, unless a proxy is in front",
  "server.port": "another URL for partners, unless a proxy is in front",
  "server.public_url": "the URL of partners, which links and documents show",
  "server.contact": "whom documents and security.txt tell partners to ask",
  "server.time_limit": "seconds for a response; then it is a 503",
  "server.trust_proxy":
    "whose X-Forwarded-For is believed: it decides on the address of a partner, and so on grants " +
    "with networks and on limits per address",
  "server.host_names": "names in a Host header; any other gets 421",
  "server.connections": "connections at the same time; more get no answer",
  "server.connections_per_address":
    "connections of one address at the same time; more get no answer",
  "server.waiting": "requests of all accounts that wait for something new; more are answered at " +
    "once",
  "server.timing": "who gets the header Server-Timing",
  "database.url": "another database, with other accounts, sessions and records",
  "database.time_limit": "seconds for a statement; a request that needs more gets 503",
  "database.own_triggers":
    "whether changes behind views are logged: without it, their lists of deletions are 404, and " +
    "pages have no entity tags",
  "session.secrets": (after) => String(after),
  "session.cookie": "cookies of the old name are not read: who keeps one has to log in again",
  "session.lifetime":
    "seconds from a log-in to the end of its session; those that have begun keep theirs",
  "session.idle":
    "seconds without a request after which a session ends, also one that has begun; " +
    "0 is never",
  "polling.lag":
    "seconds that Next-Since is behind, on the embedded database and with views: changes come as " +
    "much later, and again as often",
  "polling.retention":
    "days that deletions are remembered; for a since before one that was forgotten, its list is " +
    "410 resync_required",
  "polling.wait": "the most seconds of Prefer: wait",
  "polling.interval": `${interval} for a running event`,
  "polling.intervals.upcoming": `${interval} for an event to come`,
  "polling.intervals.closed": `${interval} for a closed event`,
  "limits.burst": perAccount["burst"] ?? "",
  "limits.quota": perAccount["quota"] ?? "",
  "limits.concurrent": perAccount["concurrent"] ?? "",
  "limits.waiting": perAccount["waiting"] ?? "",
  "accounts.*.burst": perAccount["burst"] ?? "",
  "accounts.*.quota": perAccount["quota"] ?? "",
  "accounts.*.concurrent": perAccount["concurrent"] ?? "",
  "accounts.*.waiting": perAccount["waiting"] ?? "",
  "accounts.*.poll_interval": `${interval} to it for a running event`,
  "audit.required":
    "true refuses lists and log-ins with 503 while the database has not taken entries of the " +
    "audit log for a minute",
  "export.records": "the most records of one export; a longer list is cut off, with a URL for " +
    "the rest",
  "export.seconds": "the most seconds of one export; a longer one is cut off, with a URL for the " +
    "rest",
  "export.connections": "exports at the same time; one more ends another, or gets 503",
  "export.concurrent_per_account": "exports of one account at the same time; more get 429",
  "ping.ports": pinged,
  "ping.hosts": pinged,
  "ping.loopback": pinged,
  "plugins.*": "the routes stay as they are, but what they return may differ",
}

/** The others: what a change of them does to operators, if it cannot be taken back. */
export const otherSettings: Readonly<Record<string, string>> = {
  "server.reuse_port": "",
  "server.drain": "",
  "database.connections": "",
  "database.replicas.staleness": "",
  "database.replicas.hosts": "",
  "session.passwords": "",
  "log.level": "",
  "log.format": "",
  "cache.megabytes": "",
  "cache.pages": "",
  "cache.records": "",
  "watch": "",
  "capabilities": "",
  "admin.host": "",
  "admin.port": "",
  "audit.retention": "days; older entries of the audit log are deleted for good",
  "disclosures.retention": "days; what was sent earlier is forgotten for good",
  "disclosures.overdue": "",
  "demonstration.module": "",
  "demonstration.live": "",
  "demonstration.local": "",
}

/** Returns the name under which the tables above have a setting. */
export function kindOfSetting(name: string): string {
  return name.replace(/^accounts\..*\./s, "accounts.*.").replace(/^plugins\..*/s, "plugins.*")
}
