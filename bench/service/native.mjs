import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../', import.meta.url))

/**
 * Makes sure that the native part of better-sqlite3 exists. `npm ci` runs no install scripts in this folder, so the first
 * use downloads or compiles it.
 */
export function requireNative() {
  try {
    ;new (require('better-sqlite3'))(':memory:').close()
  } catch {
    console.error('Preparing better-sqlite3. If it must be compiled, this takes a minute or two.')
    execFileSync('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { cwd: folder, stdio: 'inherit' })
  }
}
