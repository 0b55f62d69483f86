import { password } from "./accounts.ts"
import { bigEvent } from "./events.ts"

/** Returns a summary of the running demonstration, with a few commands to paste. */
export function guide(baseUrl: string, live: boolean): string {
  const base = baseUrl.replace(/\/+$/, "")
  const event = `${base}/acme/v1/events/${bigEvent.row.uuid}`
  const shared = `${base}/connector-b/v1/events/${bigEvent.row.uuid}`
  return `\
event-export serves demonstration data at ${base}
Guide for partners: ${base}/docs
Console for operators: ${base}/console
Accounts, all with the password "${password}": operator, outsider (may read nothing),
acme-export, borealis-export (custom export), partner-a, partner-b (connectors).
${live ? goesOn : ""}
${logIn(base, "acme-export", "cookies.txt")}
curl -sS -w '\\n' -b cookies.txt '${base}/acme/v1/events'
curl -sS -w '\\n' -b cookies.txt '${event}/guests?limit=2'
${live ? changes(event) : ""}
# Items of the same event through connector B, as partner-b:
${logIn(base, "partner-b", "cookies-b.txt")}
curl -sS -w '\\n' -b cookies-b.txt '${shared}/items?limit=2'
`
}

function changes(event: string): string {
  return `
# All changes, oldest first:
curl -sS -w '\\n' -b cookies.txt '${event}/changes?limit=2'
`
}

/** What goes on while the demonstration is live. */
const goesOn = `
It is live: the records of the running event change every second or two, and
three partners poll. partner-a keeps a right copy, and is pinged when it should
poll; partner-b never reads past the first page; borealis-export goes on with a
session that has ended: the console shows it. DEMO_LIVE=false turns this off.
`

function logIn(base: string, username: string, cookies: string): string {
  return `\
curl -sS -c ${cookies} -H 'content-type: application/json' \\
  -d '${JSON.stringify({ username, password })}' '${base}/session'`
}
