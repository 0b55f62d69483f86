// The first step of compose.yaml: makes the secrets that are not there yet, each in the volume of the service that
// reads it.
import { randomBytes } from "node:crypto"
import { chownSync, existsSync, renameSync, writeFileSync } from "node:fs"

/** The users of the images. */
const users = { "event-export": 65532, mysql: 999, grafana: 472 }

const random = () => randomBytes(33).toString("base64url")

if (isMissing("mysql", "root-password")) create("mysql", "root-password", random())
if (isMissing("event-export", "session-secret")) create("event-export", "session-secret", random())
if (isMissing("grafana", "admin-password")) create("grafana", "admin-password", random())
// Both have the password. The URL is written last: without it, MySQL has not been started yet.
if (isMissing("event-export", "database-url")) {
  const password = random()
  create("mysql", "password", password)
  const url = `mysql://event_export:${password}@mysql:3306/event_export?ssl=required`
  create("event-export", "database-url", url)
}

/** @param {keyof typeof users} service @param {string} name */
function isMissing(service, name) {
  return !existsSync(`/credentials/${service}/${name}`)
}

/**
 * Creates a file that only the user of a service can read. A file with its name is complete.
 *
 * @param {keyof typeof users} service
 * @param {string} name
 * @param {string} text
 */
function create(service, name, text) {
  const file = `/credentials/${service}/${name}`
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o400 })
  chownSync(`${file}.new`, users[service], users[service])
  renameSync(`${file}.new`, file)
}
