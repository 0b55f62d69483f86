import axe, { type AxeResults, type RunOptions } from "axe-core"
import type { Page } from "playwright-core"

/** Returns all violations that axe finds in a page. @throws if it has checked next to nothing. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, passed } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: RunOptions): Promise<AxeResults> }
    }
    // Of other results, axe describes one element per rule instead of all, which takes most of its time.
    const { violations, passes } = await axe.run({ resultTypes: ["violations"] })
    return { violations, passed: passes.length }
  })
  if (passed < 10) throw new Error(`axe has checked ${passed} rules`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`)
}
