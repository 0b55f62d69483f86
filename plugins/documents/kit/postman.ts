import type { Family, Kit, List } from "./model.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Returns a Postman collection (2.1) of all families. It logs in first and keeps the token in a variable; the other
 * requests send it. Set the variable `password` before you run it.
 */
export function postmanCollection({ server, username, families }: Kit): Json {
  return {
    info: {
      name: "event-export",
      description: "Set the variable password, and run it from the top: the first request logs in.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    // The log-in sets a cookie as well. Only the token counts here.
    protocolProfileBehavior: { disableCookies: true },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: Object.entries({ baseUrl: server, username, password: "", token: "" })
      .map(([key, value]) => ({ key, value, type: "string" })),
    item: [
      logIn,
      ...families.map(folderOf),
      request("Log out", "DELETE", "/session", checks(204)),
    ],
  }
}

const logIn = {
  ...request("Log in", "POST", "/session", [
    ...checks(200),
    "// Without a session, every other request would fail.",
    "if (pm.response.code !== 200) pm.execution.setNextRequest(null)",
    'else pm.collectionVariables.set("token", pm.response.json().token)',
  ]),
  request: {
    method: "POST",
    url: urlOf("/session"),
    auth: { type: "noauth" },
    header: [
      { key: "Content-Type", value: "application/json" },
      { key: "Prefer", value: "return=representation" },
    ],
    body: {
      mode: "raw",
      raw: JSON.stringify({ username: "{{username}}", password: "{{password}}" }, null, 2),
    },
  },
}

/** The requests of a family. Those of an event need one that the account may read. */
function folderOf({ prefix, eventId, lists }: Family): Json {
  const possible = lists.filter(({ isOfEvent }) => !isOfEvent || eventId !== undefined)
  return { name: prefix, item: possible.map((list) => readingOf(list, eventId ?? "")) }
}

function readingOf({ name, path, isOfEvent }: List, eventId: string): Json {
  const url = urlOf(path)
  const variable = [{ key: "eventId", value: eventId, description: "The id of an event" }]
  const title = name.slice(0, 1).toUpperCase() + name.slice(1)
  const item = request(title, "GET", path, checks(200))
  return { ...item, request: { method: "GET", url: isOfEvent ? { ...url, variable } : url } }
}

function request(name: string, method: string, path: string, exec: readonly string[]): Json {
  return {
    name,
    event: [{ listen: "test", script: { type: "text/javascript", exec } }],
    request: { method, url: urlOf(path) },
  }
}

function checks(status: number): string[] {
  return [`pm.test("status is ${status}", () => pm.response.to.have.status(${status}))`]
}

function urlOf(path: string) {
  return { raw: `{{baseUrl}}${path}`, host: ["{{baseUrl}}"], path: path.slice(1).split("/") }
}
