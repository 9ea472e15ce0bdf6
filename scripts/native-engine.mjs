import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run sqlite`: installs the packages of tests/native, which have native code, and links those that tests import.
// better-sqlite3 13 has its binaries in the package. Node.js 20 needs version 12, which is downloaded, or compiled where it
// cannot be downloaded: about two minutes.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'tests/native')
const packages = join(folder, 'node_modules')
const hasNodeApi = Number.parseInt(process.versions.node, 10) >= 22

npm(folder, 'ci', '--no-audit', '--no-fund')
const sqlite = join(packages, 'better-sqlite3')
if (hasNodeApi) {
  rmSync(sqlite, { recursive: true })
  renameSync(join(packages, 'better-sqlite3-napi'), sqlite)
} else npm(sqlite, 'run', 'install', '--ignore-scripts=false')
for (const name of ['better-sqlite3', '@cap-js/sqlite', '@cap-js/db-service']) link(name)
const open = `new (require('better-sqlite3'))(':memory:').prepare('SELECT sqlite_version()').pluck().get()`
const version = execFileSync(process.execPath, ['--print', open], { cwd: root, encoding: 'utf8' }).trim()
process.stdout.write(
  `better-sqlite3 ${hasNodeApi ? 13 : 12} with SQLite ${version} runs on Node.js ${process.versions.node}.\n`,
)

function link(name) {
  const path = join(root, 'node_modules', name)
  if (existsSync(path) || lstatSync(path, { throwIfNoEntry: false })) rmSync(path, { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(packages, name), path, 'junction')
}

function npm(cwd, ...args) {
  execFileSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
}
