import type { Promised } from "./promises.ts"

/**
 * What holds the defence against each threat of `config/handbook/security.md`, whose table has the same files: by the
 * threat, as the first column has it.
 */
export const threats: Readonly<Record<string, Promised["by"]>> = {
  "Someone reads without logging in, or with a session that has ended": {
    "test/journeys/access-matrix.test.ts": "returns each caller's status",
  },
  "A partner reads another's events, or finds out which exist": {
    "test/journeys/access-matrix.test.ts":
      "routes return the same bytes with the same statements for unknown and forbidden events",
  },
  "A new plugin forgets to check access": {
    "test/journeys/access-matrix.test.ts": "GET ${route.pattern.text} returns each caller's status",
  },
  "Passwords are guessed, or names probed": {
    "test/core/access/log-in.test.ts": [
      "closes an account to a network after five failures",
      "counts and refuses an unknown name like any other",
    ],
  },
  "Wrong passwords lock a partner out": {
    "test/hostile/log-in.test.ts": "do not lock out a network that has logged in before",
  },
  "Log-ins are flooded": {
    "test/hostile/log-in.test.ts": [
      "64 networks of one /48 keep nobody else from logging in",
      "keep no known network waiting",
    ],
  },
  "A cookie is stolen, or planted by another site of the domain": {
    "test/core/access/access.test.ts": [
      "a grant with networks gives access only to callers from them",
      "a session ends if it is not used",
    ],
  },
  "The database's clock is set back, and ended sessions count again": {
    "test/core/access/sessions.test.ts": "does not count again if the clock is set back",
  },
  "A flood of the cookie of an ended session fills the database": {
    "test/plugins/capabilities/partners/refusals.test.ts": "costs a write a second at most",
  },
  "Somebody changes accounts or grants unnoticed": {
    "test/plugins/capabilities/sessions/account-sessions.test.ts": "says so in the audit log",
  },
  "Others read a cookie file on a partner's machine": {
    "test/plugins/capabilities/sessions/account-session.test.ts": [
      "that only its owner may read",
      "does not write to a file that others may read",
    ],
  },
  "SQL injection": {
    "test/hostile/input.test.ts": "the service treats SQL in any input as text",
  },
  "Malformed requests crash the service or reveal its inside": {
    "test/hostile/input.test.ts": [
      "for any path, method, headers and cookies",
      "for any bytes on a socket",
    ],
  },
  "A partner's bug floods the service": {
    "test/hostile/one-account.test.ts": "counts an account's fresh sessions together",
  },
  "Somebody without a session floods the service": {
    "test/hostile/strangers.test.ts": "requests without a live session are limited by address",
  },
  "A stranger finds out who the customers are": {
    "test/hostile/strangers.test.ts": "no response tells whether there is a namespace",
  },
  "A path gets past the rules of a proxy": {
    "test/core/http/serve.test.ts": "paths with dot segments or backslashes are 404",
  },
  "Slow readers and writers, large requests": {
    "test/hostile/connections.test.ts": "never reads and never closes is cut off",
    "test/core/http/serve.test.ts": ["slow readers are cut off", "slow writers are cut off"],
  },
  "Somebody takes all connections": {
    "test/hostile/connections.test.ts": "get nothing but health checks",
  },
  "A full disk, or a pipe that nobody reads, stops the service through its log": {
    "test/hostile/logs.test.ts": "serves, counts what it drops, and ends",
  },
  "A long transaction, pruning or many reloads take all connections to the database": {
    "test/hostile/background-work.test.ts": [
      "polls, log-ins and the audit log do not wait for it",
      "thirty reloads open no more connections",
    ],
  },
  "An outage of the database stops the service for good": {
    "test/hostile/database-away.test.ts": [
      "start waits for a database that is away",
      "is applied when it is back",
    ],
  },
  "A migration stops the platform": {
    "test/hostile/migration.test.ts": "nobody waits for migrate until it ends",
  },
  "A web page uses an operator's browser (rebinding, framing, scripts)": {
    "test/core/http/serve.test.ts": [
      "Host must name the service",
      "every response has the security headers",
      "no CORS",
    ],
  },
  "The guide's pages run or load foreign code": {
    "test/plugins/documents/docs.test.ts": "without inline code and other hosts",
  },
  "The guide shows one partner what is another's": {
    "test/plugins/documents/docs-filled.test.ts": "ignores an event that is none of its reader's",
  },
  "Forged addresses get past limits or networks": {
    "test/core/networks.test.ts": "trusts only the part of X-Forwarded-For",
  },
  "Personal data or secrets get into logs": {
    "test/hostile/input.test.ts": "contain no name, e-mail, cookie or password",
  },
  "A token is read from the database, or makes others": {
    "test/plugins/capabilities/sessions/tokens.test.ts": [
      "kept as a hash only",
      "a token makes, lists and revokes no token",
    ],
  },
  "A partner's URL for pings leads into a private network": {
    "test/plugins/capabilities/ping/target.test.ts": "hostile URLs are refused",
    "test/plugins/capabilities/ping/post.test.ts":
      "a connection goes to the address that was checked",
  },
  "Pings are aimed at others": {
    "test/plugins/capabilities/ping/registry.test.ts":
      "an account asks for at most ten challenges in an hour",
  },
  "A receiver hangs, lies or floods": {
    "test/plugins/capabilities/ping/sender.test.ts":
      "a receiver that hangs or fails holds up no other",
    "test/plugins/capabilities/ping/post.test.ts": "answers of hostile receivers are cut",
  },
  "A ping tells what a poll would not": {
    "test/plugins/capabilities/ping/rights.test.ts": "rights are judged when a ping is sent",
  },
  "Somebody forges a ping": {
    "test/plugins/capabilities/ping/signature.test.ts": "signatures are those of the specification",
  },
  "Nobody can tell who read what": {
    "test/plugins/capabilities/audit/audit.test.ts":
      "every listing of an account and every log-in is there",
  },
  "The audit log stops unnoticed": {
    "test/hostile/audit.test.ts": [
      "entries that cannot be written wait, are reported",
      "with audit.required, lists and log-ins return 503",
    ],
  },
  "The service is taken over and used to change data": {
    "test/plugins/databases/mysql/least-privilege.test.ts": "runs with exactly the privileges",
  },
  "Someone listens on the way to the database, or poses as it": {
    "test/plugins/databases/mysql/identity.test.ts":
      "compares the host of the URL with the server's certificate",
  },
  "A registry serves another program in the place of Node.js": {
    "test/hostile/fetched-runtime.test.ts": "refuses a package with another hash",
  },
  "Well-known passwords of the demonstration": {
    "test/hostile/demonstration.test.ts": "demonstration accounts are not served with",
  },
  "Other users of the machine read the embedded database": {
    "test/plugins/databases/sqlite/open-sqlite.test.ts": "that only their owner can read",
  },
  "A set-up that leaks: plain http, a wrong `trust_proxy`, open metrics, shared service users": {
    "test/plugins/capabilities/check/check-warnings.test.ts": "configurations that leak",
  },
  "The database's password is shown by an error, the log or `/status`": {
    "test/hostile/secrets.test.ts": [
      "reveals any part of the database's password",
      "do not reveal the password",
    ],
  },
  "Weak or readable secrets": {
    "test/core/config/read.test.ts": "refuses secrets that others can read or guess",
  },
}
