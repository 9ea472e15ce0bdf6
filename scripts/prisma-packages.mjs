import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run prisma`: installs Prisma for the tests of examples/database-prisma, and generates the client of that example.
// Nothing is downloaded but packages: `prisma generate` reads the schema with WebAssembly, and the client has no engine.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'tests/prisma')
const example = join(root, 'examples/database-prisma')

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
for (const name of ['@prisma', 'prisma']) link(name)
const command = join(folder, 'node_modules/prisma/build/index.js')
// The command would download this engine, which generation does not run.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
execFileSync(process.execPath, [command, 'generate'], { cwd: example, env, stdio: 'inherit' })

function link(name) {
  const path = join(root, 'node_modules', name)
  if (existsSync(path) || lstatSync(path, { throwIfNoEntry: false })) rmSync(path, { recursive: true })
  symlinkSync(join(folder, 'node_modules', name), path, 'junction')
}
