import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../root.js'

const script = join(root, 'scripts/metadata.mjs')

it('npm run metadata uses each document up to the conformance run, and finds no fault', () => {
  const options = ['tests/import/fixtures', '--only', 'shapes', '--requests', '60', '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, '1 documents, 1 served and checked, 0 with a fault.\n'])
  expect(JSON.parse(stdout)).toMatchObject({
    document: 'shapes.xml',
    types: 13,
    paths: 46,
    requests: expect.any(Number),
    accusations: [],
    isWrong: false,
  })
})

it('npm run metadata without a folder prints its help', () => {
  const { status, stdout } = spawnSync(process.execPath, [script], { cwd: root, encoding: 'utf8' })
  expect([status, stdout]).toEqual([2, expect.stringContaining('npm run metadata -- FOLDER')])
})
