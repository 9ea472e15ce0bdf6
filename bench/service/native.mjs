import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../', import.meta.url))

/**
 * Sees to it that the native part of better-sqlite3 is there: `npm ci` runs no install scripts in this folder, so that it is
 * fetched or compiled when it is first needed.
 */
export function requireNative() {
  try {
    ;new (require('better-sqlite3'))(':memory:').close()
  } catch {
    console.error('better-sqlite3 is made ready, which takes a minute or two where it has to be compiled.')
    execFileSync('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { cwd: folder, stdio: 'inherit' })
  }
}
