import { existsSync } from 'node:fs'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of Chromium: the value of CHROMIUM, or the usual location. */
export const chromiumPath: string | undefined = process.env['CHROMIUM'] ?? usual.find(path => existsSync(path))

if (chromiumPath === undefined && process.env['BROWSER_TESTS'] === 'required') {
  throw new Error('No Chromium was found. Install it (Debian: apt-get install chromium), or name it in CHROMIUM.')
}
