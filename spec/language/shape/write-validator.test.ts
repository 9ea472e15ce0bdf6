import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseSource } from '../source/parse-source.js'
import { schemaErrors } from './schema.js'
import { validatorCode } from './write-validator.js'

const language = join(dirname(fileURLToPath(import.meta.url)), '..')
const specs = [join(language, 'broken'), join(language, '..')].flatMap(folder =>
  readdirSync(folder).flatMap(name => (name.endsWith('.yaml') ? [join(folder, name)] : [])),
)

describe('the validator that the build writes', () => {
  const module: { exports: unknown } = { exports: undefined }
  new Function('require', 'module', validatorCode())(createRequire(import.meta.url), module)
  const validate = module.exports

  it.each(specs.map(path => [path.slice(path.lastIndexOf('/') + 1), path]))('agrees with ajv about %s', (_, path) => {
    const { document } = parseSource(readFileSync(path, 'utf8'), path).source
    expect(typeof validate === 'function' && validate(document)).toBe(schemaErrors(document).length === 0)
  })

  it.each([
    'plain',
    '_1',
    '1st',
    'größe',
    'Größe2',
    'a-b',
    'a b',
    '名前',
    'a‿b',
    'a·b',
    '',
    'x'.repeat(128),
    'x'.repeat(129),
    'a\n',
    'Ⅷ',
    '𝒳y',
    '🙂',
  ])('agrees with ajv about the name %j', name => {
    const text = readFileSync(join(language, '..', 'starter.yaml'), 'utf8').replace('done:', `${JSON.stringify(name)}:`)
    const { document } = parseSource(text, 'named.yaml').source
    expect(typeof validate === 'function' && validate(document)).toBe(schemaErrors(document).length === 0)
  })
})
