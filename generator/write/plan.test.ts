import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GeneratedFile, ownershipHeader } from '../generated-file.js'
import { countFiles, planDiff, planFiles, staleFiles, writePlan } from './plan.js'

const header = ownershipHeader('todo')
const owned = (body: string) => `${header}\n\n${body}\n`
const file = (path: string, body: string): GeneratedFile => ({ path, text: owned(body), kind: 'generated' })
const once = (path: string, text: string): GeneratedFile => ({ path, text, kind: 'once' })

let root: string
let out: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'specwright-plan-'))
  out = join(root, 'out')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const run = async (files: readonly GeneratedFile[]) => {
  const plan = await planFiles(out, files)
  writePlan(plan)
  return countFiles(plan)
}
const actions = async (files: readonly GeneratedFile[]) =>
  (await planFiles(out, files)).files.map(({ action, path }) => `${action} ${path}`)
const read = (path: string) => readFile(join(out, path), 'utf8')
const put = (path: string, text: string) => writeFile(join(out, path), text)

describe('a plan', () => {
  it('creates, updates and deletes files, and keeps unchanged ones', async () => {
    await run([file('a.ts', '1'), file('b.ts', '1'), file('runtime/x/c.ts', '1')])
    expect(await actions([file('a.ts', '1'), file('b.ts', '2'), file('d.ts', '1')])).toEqual([
      'same a.ts',
      'update b.ts',
      'create d.ts',
      'delete runtime/x/c.ts',
    ])
    expect(await run([file('a.ts', '1'), file('b.ts', '2'), file('d.ts', '1')])).toEqual({
      files: 3,
      created: 1,
      updated: 1,
      deleted: 1,
      unchanged: 1,
    })
    expect((await readdir(out)).sort()).toEqual(['a.ts', 'b.ts', 'd.ts'])
    expect(await read('b.ts')).toBe(owned('2'))
  })

  it('does not read a file that is longer than a string can be', async () => {
    await run([file('a.ts', '1')])
    await put('data.json', '')
    await truncate(join(out, 'data.json'), 1024 ** 3)
    expect(await actions([file('a.ts', '1')])).toEqual(['same a.ts'])
    expect(await actions([file('data.json', '1')])).toEqual(['delete a.ts', 'foreign data.json'])
  })

  it('writes only what changed', async () => {
    await run([file('a.ts', '1'), file('b.ts', '1')])
    const before = await stat(join(out, 'a.ts'))
    await run([file('a.ts', '1'), file('b.ts', '2')])
    expect((await stat(join(out, 'a.ts'))).ino).toBe(before.ino)
  })

  it('does not touch files that it writes once, whatever they contain', async () => {
    await run([once('handlers/users.ts', 'start\n')])
    await put('handlers/users.ts', 'mine\n')
    expect(await actions([once('handlers/users.ts', 'start again\n')])).toEqual(['same handlers/users.ts'])
    expect(await actions([])).toEqual([])
  })

  it('treats CRLF from a checkout as no change', async () => {
    await run([file('a.ts', '1')])
    await put('a.ts', owned('1').replaceAll('\n', '\r\n'))
    expect(await actions([file('a.ts', '1')])).toEqual(['same a.ts'])
  })

  it('does not search folders that it never writes to', async () => {
    await run([file('a.ts', '1')])
    await mkdir(join(out, 'library'))
    await put('library/types.ts', owned('another service'))
    expect(await actions([file('a.ts', '1')])).toEqual(['same a.ts'])
  })

  it('stops before it writes anything if a foreign file is in the way', async () => {
    await mkdir(out)
    await put('b.ts', 'export const mine = 1\n')
    const plan = await planFiles(out, [file('a.ts', '1'), file('b.ts', '1')])
    expect(plan.files).toContainEqual({
      action: 'foreign',
      path: 'b.ts',
      why: 'it does not carry the header of a generated file',
    })
    expect(() => writePlan(plan)).toThrow('foreign')
    expect(await readdir(out)).toEqual(['b.ts'])
    expect(await read('b.ts')).toBe('export const mine = 1\n')
  })

  it('treats a folder or a link in the place of a file as foreign', async () => {
    await mkdir(join(out, 'a.ts'), { recursive: true })
    await put('../outside.ts', owned('1'))
    await symlink(join(root, 'outside.ts'), join(out, 'b.ts'))
    expect(await actions([file('a.ts', '1'), file('b.ts', '2')])).toEqual(['foreign a.ts', 'foreign b.ts'])
  })

  it('neither writes nor deletes through a link that leads out of the folder', async () => {
    const outside = join(root, 'outside')
    await mkdir(outside)
    await mkdir(out)
    await writeFile(join(outside, 'old.ts'), owned('1'))
    await symlink(outside, join(out, 'runtime'))
    expect(await actions([file('runtime/new.ts', '1')])).toEqual(['foreign runtime/new.ts'])
    expect(await actions([file('runtime/query/new.ts', '1')])).toEqual(['foreign runtime/query/new.ts'])
    expect(await actions([])).toEqual([])
  })

  it('works in a folder that is reached through a link', async () => {
    const real = join(root, 'real')
    await mkdir(real)
    await symlink(real, out)
    await run([file('runtime/a.ts', '1')])
    expect(await readFile(join(real, 'runtime/a.ts'), 'utf8')).toBe(owned('1'))
  })

  it('leaves no partial file if it cannot write', async () => {
    await run([file('runtime/a.ts', '1')])
    await mkdir(join(out, 'b.ts'))
    const plan = await planFiles(out, [file('runtime/a.ts', '1')])
    const blocked = { ...plan, files: [{ action: 'create', path: 'b.ts', text: 'x' } as const] }
    expect(() => writePlan(blocked)).toThrow(/EISDIR|ENOTDIR|EPERM/)
    expect((await readdir(out)).sort()).toEqual(['b.ts', 'runtime'])
  })

  it('treats every file as foreign when the output folder is a file', async () => {
    await writeFile(out, 'a file')
    expect(await actions([file('a.ts', '1')])).toEqual(['foreign a.ts'])
  })
})

describe('what a plan shows', () => {
  it('reports the state of each stale file', async () => {
    await run([file('a.ts', '1'), file('b.ts', '1')])
    const plan = await planFiles(out, [file('a.ts', '2'), file('c.ts', '1')])
    expect(staleFiles(plan)).toEqual([
      { path: 'a.ts', state: 'changed' },
      { path: 'b.ts', state: 'surplus' },
      { path: 'c.ts', state: 'missing' },
    ])
  })

  it('prints a diff for each file that would change', async () => {
    await run([file('a.ts', '1'), file('b.ts', '1')])
    const diff = planDiff(await planFiles(out, [file('a.ts', '2')]))
    expect(diff).toBe(
      `--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n ${header}\n \n-1\n+2\n` +
        `--- a/b.ts\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-${header}\n-\n-1\n`,
    )
  })
})
