import { gzipSync } from "node:zlib"
import type { Page } from "playwright-core"
import { findViolations } from "./violations.ts"

/** The most bytes of a page, compressed. */
const most = 60_000

/**
 * Looks at the page at an address on a phone and a wide screen, light and dark, with its folds open. Returns what is wrong:
 * violations that axe finds, what is wider than the screen or than its frame, and a page that is too large.
 */
export async function findFlaws(page: Page, address: string): Promise<string[]> {
  const flaws: string[] = []
  const response = await page.goto(address, { waitUntil: "networkidle" })
  const size = gzipSync(await response?.body() ?? "").length
  if (size > most) flaws.push(`${size} bytes`)
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("main details")) {
      ;(each as HTMLDetailsElement).open = true
    }
  })
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      tables: [...document.querySelectorAll(".table")]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((table) => table.querySelector("caption")?.textContent ?? ""),
    }))
    if (wide.page !== width) flaws.push(`${width}: the page is ${wide.page} wide`)
    flaws.push(...wide.tables.map((name) => `${width}: the table is wider than its frame: ${name}`))
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      const violations = await findViolations(page)
      flaws.push(...violations.map((each) => `${width} ${colorScheme}: ${each}`))
    }
  }
  return flaws
}
