import { existsSync } from 'node:fs'

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
