import type { App } from "./app.ts"

/** Sends a request as a browser does, with a session, and follows no redirect. */
export type Browse = (path: string, init?: RequestInit) => Promise<Response>

/** A browser with the session of an account. */
export interface Browser {
  readonly browse: Browse
  /** Returns the text of a page. Throws unless there is one: waiting for its content would never end. */
  read(path: string): Promise<string>
  /** Submits a form of a page, with the token of that page. */
  submit(path: string, fields: Record<string, string>): Promise<Response>
}

/** Logs in as an account. */
export async function browserOf({ logIn }: App, username: string): Promise<Browser> {
  const send = await logIn(username)
  const browse: Browse = (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has("accept")) headers.set("accept", "text/html,*/*;q=0.8")
    return send(path, { redirect: "manual", ...init, headers })
  }
  const read = async (path: string) => {
    const response = await browse(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return await response.text()
  }
  return {
    browse,
    read,
    submit: async (path, fields) =>
      await browse(path, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ token: fieldIn(await read(path), "token"), ...fields }),
      }),
  }
}

/** Returns the value of a hidden field of a page, such as the token of its forms. */
export function fieldIn(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([\\w-]+)"`).exec(text)?.[1] ?? ""
}
