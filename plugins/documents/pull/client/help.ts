import { defaults } from "./defaults.ts"

const families = defaults.families.join(", or ")
/** What `--help` prints. */
export const help = `Usage: node pull.mjs --to PLACE [options]

Keeps a copy of events with their guests and items. The first run reads everything, later runs read
what has changed. Interrupt it whenever you like: it continues where it stopped.

  --to sqlite:FILE     a table per category: events, guests, tickets, …
  --to ndjson:FOLDER   FOLDER/events.ndjson, FOLDER/<event id>/guests.ndjson, …
  --to csv:FOLDER      the same as CSV
  --spreadsheet        CSV for spreadsheet programs: text that they would change begins with an apostrophe
  --every SECONDS      poll until stopped, with this pause; without it, poll once
  --listen [HOST:]PORT with --every: poll at once when the service sends a ping to /pings (127.0.0.1)
  --secrets FILE       the secrets of pings, one per line; only you may be able to read the file
  --once               poll once, the default
  --check              compare the copy with the service's digests now, not only once a day
  --content            with --check, also compare what is in the records, not only ids and times
  --json               a line of JSON about each run instead of a sentence
  --events ID,ID       only these events
  --family PATH        of your endpoints: ${families || "detected automatically"}
  --base URL           of the service (${defaults.base})
  --cookies FILE       a cookie file with your session, as curl or Python writes it; only you may be able to read it
  --insecure           send credentials over plain http to another computer
  --limit N            records per response, at most 1000
  --timeout SECONDS    until a request counts as failed (60)
  --patience SECONDS   to spend on waiting before failed requests are repeated (300)
  --version            the version of the service from which this program came
  --help               this text

Credentials are in the environment: EXPORT_USER and EXPORT_PASSWORD, or EXPORT_TOKEN, and EXPORT_PING_SECRETS
instead of --secrets. The session is kept with the copy, in files that only you can read. Never delete or
edit pull.db, the state of copies in files.
HTTPS_PROXY, HTTP_PROXY and NO_PROXY are followed; before Node.js 25.4, set NODE_USE_ENV_PROXY=1 as well.

Exit codes:
  0  the copy is up to date
  1  temporary: the service, the network or the disk failed. Run it again, nothing is lost
  2  the options or the credentials are wrong, or this is not the copy of that service and family
  3  another run is under way
  4  an event can no longer be read; its copy stays and is marked as gone. The others are up to date
  5  the service sent data that cannot be used: tell its operator. The other events are up to date

With Deno: deno run --allow-net --allow-env --allow-read --allow-write pull.mjs --to sqlite:copy.db
From cron, each minute: * * * * *  . $HOME/.pull-env && node pull.mjs --to sqlite:copy.db
`
