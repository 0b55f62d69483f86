import { password } from "./accounts.ts"
import { bigEvent } from "./events.ts"

/** Returns a summary of the running demonstration, with a few commands to paste. */
export function guide(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, "")
  const event = `${base}/acme/v1/events/${bigEvent.row.id}`
  const shared = `${base}/connector-b/v1/events/${bigEvent.row.id}`
  return `\
event-export with demonstration data at ${base}: organizations acme and borealis.
Accounts, all with the password "${password}": acme-export, borealis-export (custom export),
partner-a, partner-b (connectors), outsider (may read nothing), operator.
Documentation for partners: ${base}/docs
Pages for operators, as operator: ${base}/console

${logIn(base, "acme-export", "cookies.txt")}
curl -sS -w '\\n' -b cookies.txt '${base}/acme/v1/events'
curl -sS -w '\\n' -b cookies.txt '${event}/guests?limit=2'
curl -sS -w '\\n' -b cookies.txt '${event}/items?limit=2'

# The same event through connector B, as partner-b:
${logIn(base, "partner-b", "cookies-b.txt")}
curl -sS -w '\\n' -b cookies-b.txt '${shared}/guests?limit=2'
curl -sS -w '\\n' -b cookies-b.txt '${shared}/items?limit=2'
`
}

function logIn(base: string, username: string, cookies: string): string {
  return `\
curl -sS -c ${cookies} -H 'content-type: application/json' \\
  -d '${JSON.stringify({ username, password })}' '${base}/session'`
}
