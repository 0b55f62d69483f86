import { setTimeout } from "node:timers/promises"
import type { App } from "./app.ts"

/** Sends a request with the session of an account. */
export type Get = Awaited<ReturnType<App["logIn"]>>

/** Headers of a browser. */
export const asPage = { accept: "text/html" }

/** Returns the page of an account, without what a frame has besides. */
export async function show(get: Get, query = ""): Promise<string> {
  const response = await get(`/docs/me${query}`, { headers: asPage })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return /<main[^]*<\/main>/.exec(await response.text())?.[0] ?? ""
}

/** Returns a section of a page, by the id of its heading. */
export function sectionOf(text: string, id: string): string {
  return text.split("<section ").find((part) => part.includes(`<h2 id="${id}">`)) ?? ""
}

/** Waits until a page shows something: what was requested is recorded in the background. */
export async function shown(get: Get, text: string | RegExp): Promise<string> {
  let found = ""
  for (;;) {
    try {
      found = await show(get)
    } catch (cause) {
      throw new Error(`${text} was not shown. At last: ${found}`, { cause })
    }
    if (found.match(text)) return found
    await setTimeout(20)
  }
}

/** Submits a form of the page. */
export function post(get: Get, path: string, fields: Record<string, string>, headers = {}) {
  return get(`/docs/me/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...asPage, ...headers },
    body: new URLSearchParams(fields).toString(),
    redirect: "manual",
  })
}
