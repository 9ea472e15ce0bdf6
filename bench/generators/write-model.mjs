/**
 * Writes the synthetic service as a spec and as OpenAPI: `node generators/write-model.mjs --sets 500 --out FOLDER`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { model } from './model.mjs'
import { openapi } from './openapi.mjs'
import { spec } from './spec.mjs'

/** @returns {{ spec: string, openapi: string }} the files written */
export function writeModel(sets, folder) {
  const files = { spec: join(folder, `synthetic-${sets}.yaml`), openapi: join(folder, `synthetic-${sets}.json`) }
  const description = model(sets)
  mkdirSync(folder, { recursive: true })
  writeFileSync(files.spec, spec(description))
  writeFileSync(files.openapi, JSON.stringify(openapi(description), null, 2))
  return files
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { sets: { type: 'string', default: '500' }, out: { type: 'string' } } })
  const sets = Number(values.sets)
  if (!Number.isInteger(sets) || sets < 1 || values.out === undefined) {
    console.error('usage: node generators/write-model.mjs --sets N --out FOLDER')
    process.exit(2)
  }
  console.log(JSON.stringify(writeModel(sets, values.out)))
}
