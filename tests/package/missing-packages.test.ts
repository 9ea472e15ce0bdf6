import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { supportsNodeApi } from '../../reference/store/engines/engine.js'
import { root } from '../root.js'

const folder = temporaryFolders()
const hook = pathToFileURL(join(root, 'tests/package/without-packages.mjs')).href

/** Runs a command line in a separate process, as if some packages were not installed. */
function without(packages: string, cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', hook, join(root, 'dist/cli/specwright.js'), ...args],
    { cwd, encoding: 'utf8', env: { ...process.env, WITHOUT: packages, NO_COLOR: '1' } },
  )
  return { status, out: stdout, err: stderr }
}

const sqlite = 'better-sqlite3,better-sqlite3-napi'
const all = `${sqlite},pg,ts-morph`

describe('packages that only some commands need', () => {
  it.each([
    ['sqlite::memory:', 'better-sqlite3', supportsNodeApi ? '' : '@12', 'sqlite::memory:'],
    ['postgres://me:secret@localhost:9/x', 'pg', '', 'postgres://localhost:9/x'],
  ])('serve --store %s says how to install %s', (store, name, version, shown) => {
    const { status, out, err } = without(all, root, 'serve', 'spec/starter.yaml', '--port', '0', '--store', store)
    expect([status, out]).toEqual([2, ''])
    expect(err).toContain(
      `error: The store ${shown} cannot be opened: The package ${name} is not installed, or its installation is incomplete. Run: npm install ${name}${version}\n`,
    )
    expect(err).not.toContain('bug in Specwright')
  })

  it('one engine works without the driver of the other', () => {
    const { status, err } = without('pg', root, 'serve', 'spec/starter.yaml', '--port', '0', '--data', 'none.yaml')
    // The data is read after the store has been opened.
    expect([status, err]).toEqual([1, expect.stringContaining('none.yaml')])
    const other = without(sqlite, root, 'serve', 'spec/starter.yaml', '--store', 'postgres://127.0.0.1:9/x')
    expect([other.status, other.err]).toEqual([2, expect.stringContaining('nothing listens there')])
  })

  it('generate --add-handlers says how to install ts-morph, and writes nothing', () => {
    const cwd = folder()
    const generate = ['generate', join(root, 'spec/starter.yaml'), '--out', 'api', '--only', 'server']
    expect(without(all, cwd, ...generate).status).toBe(0)
    writeFileSync(join(cwd, 'api/handlers/lists.ts'), 'export const lists = {}\n')
    const { status, err } = without(all, cwd, ...generate, '--add-handlers')
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('output/no-parser: --add-handlers needs the package ts-morph'),
    ])
    expect(without('', cwd, ...generate, '--check').status).toBe(0)
  })

  it.each([
    ['validate', 'spec/starter.yaml'],
    ['export', 'spec/starter.yaml', '--format', 'openapi'],
    ['seed', 'spec/starter.yaml', '--rows', '1'],
    ['conformance', '--explain', 'filter-model'],
    ['--help'],
  ])('%s works without all of them', (...args) => {
    const { status, err } = without(all, root, ...args)
    expect([status, err]).toEqual([0, ''])
  })
})
