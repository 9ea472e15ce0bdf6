import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Starts a headless Chromium that sends no requests of its own. */
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

/** Opens an empty page, whose actions wait as long as it takes: on a busy machine that can be long. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(0)
  return page
}

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/**
 * The path of Chromium: the value of CHROMIUM, or a usual location. Undefined if there is none.
 *
 * @throws {Error} if there is none and BROWSER_TESTS is `required`, as in CI
 */
export function findBrowser(): string | undefined {
  const named = process.env['CHROMIUM']
  const found = named ?? usualPaths.find(path => existsSync(path))
  if (found === undefined && process.env['BROWSER_TESTS'] === 'required') {
    throw new Error('No Chromium was found. Install it (Debian: apt-get install chromium), or name it in CHROMIUM.')
  }
  return found
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that axe finds on a page, one on each line. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  const found: unknown = await page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
  return Array.isArray(found) ? found.map(String) : [`axe returned ${JSON.stringify(found)}`]
}
