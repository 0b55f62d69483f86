import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import type { Test } from "tap"

/** How to open a page. */
export interface VisitOptions extends BrowserContextOptions {
  /** The browser errors that the test permits. */
  readonly expected?: readonly RegExp[]
}

/** Opens a page as a new visitor. Fails the test at its end if there were browser errors or foreign requests. */
export async function visit(
  t: Test,
  { browser, url, path }: {
    readonly browser: Browser
    readonly url: string
    readonly path: string
  },
  { expected = [], ...context }: VisitOptions = {},
): Promise<Page> {
  const visitor = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context })
  // So that a failing test ends.
  visitor.setDefaultTimeout(300_000)
  const page = await visitor.newPage()
  const complaints: string[] = []
  page.on("console", (message) => {
    if (message.type() !== "info") complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  visitor.on("request", (request) => {
    const address = request.url()
    if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) complaints.push(address)
  })
  t.teardown(async () => {
    await visitor.close()
    const unexpected = complaints.filter((text) => !expected.some((each) => each.test(text)))
    if (unexpected.length > 0) throw new Error(`the browser complains: ${unexpected.join("; ")}`)
  })
  await page.goto(url + path)
  return page
}
