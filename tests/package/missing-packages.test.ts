import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { root } from '../root.js'

const folder = temporaryFolders()
const hook = pathToFileURL(join(root, 'tests/package/without-packages.mjs')).href

/** A file that is not there. It is read after the store has been opened. */
const noData = ['--data', 'none.yaml']

/** Runs a command line in a separate process, as if some packages were not installed. */
function without(packages: string, cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', hook, join(root, 'dist/cli/specwright.js'), ...args],
    { cwd, encoding: 'utf8', env: { ...process.env, WITHOUT: packages, NO_COLOR: '1' } },
  )
  return { status, out: stdout, err: stderr }
}

const sqlite = 'better-sqlite3,@sqlite.org/sqlite-wasm'
const all = `${sqlite},pg,ts-morph`
const hasSqlite = isBuiltin('node:sqlite')

describe('packages that only some commands need', () => {
  it.each([
    ['better-sqlite3::memory:', 'better-sqlite3', hasSqlite ? '' : '@12', 'better-sqlite3::memory:'],
    ['sqlite-wasm::memory:', '@sqlite.org/sqlite-wasm', '', 'sqlite-wasm::memory:'],
    ['postgres://me:secret@localhost:9/x', 'pg', '', 'postgres://localhost:9/x'],
  ])('serve --store %s says how to install %s', (store, name, version, shown) => {
    const { status, out, err } = without(all, root, 'serve', 'spec/starter.yaml', '--port', '0', '--store', store)
    expect([status, out]).toEqual([2, ''])
    expect(err).toContain(
      `error: The store ${shown} cannot be opened: The package ${name} is not installed, or its installation is incomplete. Run: npm install ${name}${version}\n`,
    )
    expect(err).not.toContain('bug in Specwright')
  })

  it('serve without a store needs no optional package', () => {
    const { status, err } = without('better-sqlite3,pg', root, 'serve', 'spec/starter.yaml', '--port', '0', ...noData)
    // The data is read after the store has been opened.
    expect([status, err]).toEqual([1, expect.stringContaining('none.yaml')])
  })

  it('serve --store sqlite:FILE works with what npm installs, and says what it needs without', () => {
    const cwd = folder()
    const serve = ['serve', join(root, 'spec/starter.yaml'), '--port', '0', ...noData, '--store', 'sqlite:x.db']
    const { status, err } = without('better-sqlite3', cwd, ...serve)
    expect([status, err]).toEqual([1, expect.stringContaining('none.yaml')])
    expect(existsSync(join(cwd, 'x.db'))).toBe(true)
    const none = without(sqlite, cwd, ...serve)
    const needs = 'Run: npm install @sqlite.org/sqlite-wasm\n'
    expect([none.status, none.err]).toEqual(
      hasSqlite ? [1, expect.stringContaining('none.yaml')] : [2, expect.stringContaining(needs)],
    )
  })

  it('one engine works without the driver of the other', () => {
    const { status, err } = without('pg', root, 'serve', 'spec/starter.yaml', '--port', '0', ...noData)
    expect([status, err]).toEqual([1, expect.stringContaining('none.yaml')])
    const other = without(sqlite, root, 'serve', 'spec/starter.yaml', '--store', 'postgres://127.0.0.1:9/x')
    expect([other.status, other.err]).toEqual([2, expect.stringContaining('nothing listens there')])
  })

  it("serve --store sqlite:FILE works with Yarn's Plug'n'Play", () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'data.yaml'), 'lists: [{ id: a, name: Home }]\n')
    // Nothing can listen at this address. That is found after the data has been stored.
    const serve = ['serve', join(root, 'spec/starter.yaml'), '--host', '192.0.2.1', '--store', 'sqlite:x.db']
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', hook, join(root, 'dist/cli/specwright.js'), ...serve, '--data', 'data.yaml', '--token', 'secret'],
      { cwd, encoding: 'utf8', env: { ...process.env, WITHOUT: '@opentelemetry/api', PLUG_N_PLAY: '1' } },
    )
    expect([status, stderr]).toEqual([2, expect.stringContaining('192.0.2.1 is no address of this machine')])
    expect(stderr).toContain('1 item from data.yaml')
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
