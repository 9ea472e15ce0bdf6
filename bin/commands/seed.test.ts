import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()

const spec = (key: string): string => `
specwright: 1
service: { name: model, version: v1 }
authentication: { scheme: none }
resources:
  good: { kind: entityType, key: [id], properties: { id: { type: Int32 } } }
  bad: { kind: entityType, key: [id], properties: { id: { type: ${key} } } }
container: { goods: { entitySet: good }, bads: { entitySet: bad } }
paths: { /goods: { get: {} }, /bads: { get: {} } }
errors: {}
`

/** A key with fewer values than rows. */
const twoKeys = "String, pattern: '^[ab]$'"

it('a seed that fails leaves no file, and keeps an earlier one', async () => {
  const path = folder()
  const seed = () => runCommand(path, 'seed', 'spec.yaml', '--rows', '3', '--out', 'data.jsonl')
  writeFileSync(join(path, 'spec.yaml'), spec(twoKeys))
  expect((await seed()).code).toBe(2)
  expect(readdirSync(path)).toEqual(['spec.yaml'])
  writeFileSync(join(path, 'spec.yaml'), spec('Int32'))
  expect((await seed()).code).toBe(0)
  const data = readFileSync(join(path, 'data.jsonl'), 'utf8')
  writeFileSync(join(path, 'spec.yaml'), spec(twoKeys))
  expect((await seed()).code).toBe(2)
  expect(readFileSync(join(path, 'data.jsonl'), 'utf8')).toBe(data)
  expect(readdirSync(path).sort()).toEqual(['data.jsonl', 'spec.yaml'])
})
