import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Starts a headless Chromium that talks to nobody by itself. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/**
 * A Chromium on this machine: the one that CHROMIUM names, or one in a usual place. Absent when there is none; where
 * BROWSER_TESTS is `required`, as in CI, that is an error.
 */
export function findBrowser(): string | undefined {
  const named = process.env['CHROMIUM']
  const found = named ?? usual.find(path => existsSync(path))
  if (found === undefined && process.env['BROWSER_TESTS'] === 'required') {
    throw new Error('No Chromium was found. Install it (Debian: apt-get install chromium), or name it in CHROMIUM.')
  }
  return found
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong on a page, a line each. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`${axe}; axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
  return Array.isArray(found) ? found.map(String) : [`axe answered ${JSON.stringify(found)}`]
}
