import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong on a page, a line each. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`${axe}; axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
  return Array.isArray(found) ? found.map(String) : [`axe answered ${JSON.stringify(found)}`]
}
