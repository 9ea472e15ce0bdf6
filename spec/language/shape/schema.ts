import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { SpecDocument } from '../document.js'
import { packageFolder } from '../installation.js'

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

/** Whether a value is a mapping, the form of a schema and of each part that has keywords. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

let schema: Schema | undefined

/** The JSON Schema of the language, read once. */
export function languageSchema(): Schema {
  schema ??= withoutIncludes(wholeSchema())
  return schema
}

/** The JSON Schema of the language for editors: with `$include`. */
export function wholeSchema(): Schema {
  const parsed: unknown = JSON.parse(readFileSync(join(packageFolder('spec'), 'specwright.schema.json'), 'utf8'))
  if (!isSchema(parsed)) throw new Error('specwright.schema.json is not a JSON Schema: the installation is damaged.')
  return parsed
}

/**
 * The schema without `$include`, which editors must accept, but which is replaced before a spec is checked. So the checks,
 * their messages and the reference know nothing about it.
 */
function withoutIncludes({ if: _, else: whole, ...root }: Schema): Schema {
  const properties = Object.entries(subschema(root, 'properties') ?? {})
  const { include, included, ...$defs } = subschema(root, '$defs') ?? {}
  return {
    ...root,
    required: isSchema(whole) ? whole['required'] : [],
    properties: Object.fromEntries(
      properties.flatMap(([name, chapter]) =>
        name === '$include' || !isSchema(chapter) ? [] : [[name, chapterWithoutIncludes(chapter)]],
      ),
    ),
    $defs,
  }
}

function chapterWithoutIncludes(chapter: Schema): Schema {
  const entry = subschema(subschema(chapter, 'additionalProperties'), 'else')
  if (entry === undefined) return chapter
  const { properties: _, ...own } = chapter
  const names = subschema(chapter, 'propertyNames')?.['anyOf']
  return { ...own, propertyNames: Array.isArray(names) ? names.at(-1) : {}, additionalProperties: entry }
}

/** The part of a schema that a JSON Pointer fragment names, `#/$defs/name`; undefined when there is none. */
export function schemaAt(root: Schema, fragment: string): Schema | undefined {
  let part: unknown = root
  for (const step of fragment.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(part)) part = part[Number(key)]
    else if (isSchema(part) && Object.hasOwn(part, key)) part = part[key]
    else return undefined
  }
  return isSchema(part) ? part : undefined
}

/** A member of a schema that is itself a schema. */
export function subschema(part: Schema | undefined, key: string): Schema | undefined {
  const value = part !== undefined && Object.hasOwn(part, key) ? part[key] : undefined
  return isSchema(value) ? value : undefined
}

/** The description of a part of a schema: its own, or that of the definition it refers to. */
export function descriptionOf(root: Schema, part: Schema | undefined): string | undefined {
  const own = part?.['description']
  if (typeof own === 'string') return own
  const reference = part?.['$ref']
  return typeof reference === 'string' ? descriptionOf(root, schemaAt(root, reference)) : undefined
}

const require = createRequire(import.meta.url)

let compiled: ValidateFunction<SpecDocument> | undefined

/** Compiled on first use: loading ajv and compiling takes longer than everything else in reading a small spec. */
function validator(): ValidateFunction<SpecDocument> {
  if (compiled === undefined) {
    const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
    const ajv = new Ajv2020({
      allErrors: true,
      // Errors carry the part of the schema that they break.
      verbose: true,
      strict: false,
      validateSchema: false,
      meta: false,
      // Its optimiser takes as long as the compiler, and gains nothing that a spec is long enough to show.
      code: { optimize: false },
    })
    compiled = ajv.compile<SpecDocument>(languageSchema())
  }
  return compiled
}

/** The validator that the build writes beside the bundled code. It only returns true or false. The source has no such file. */
const builtValidator = fileURLToPath(new URL('./is-spec-document.cjs', import.meta.url))

let isValid: unknown

/** Whether the data fits the JSON Schema of the language. */
export function isSpecDocument(data: unknown): data is SpecDocument {
  isValid ??= existsSync(builtValidator) ? require(builtValidator) : validator()
  if (typeof isValid !== 'function') throw new Error('The built validator is damaged. Run npm run build again.')
  try {
    return isValid(data) === true
  } catch (error) {
    if (isMethodReplaced(error)) return false
    throw error
  }
}

/**
 * Ajv compares the items of a list with their methods `valueOf` and `toString`. An item of a spec that has members with these
 * names has no such methods. No list that must have unique items may have objects.
 */
function isMethodReplaced(error: unknown): boolean {
  return error instanceof TypeError && /\b(?:valueOf|toString) is not a function/.test(error.message)
}

/** The data without the members that replace those methods. */
function withMethods(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withMethods)
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data).filter(([name]) => name !== 'valueOf' && name !== 'toString')
  return Object.fromEntries(entries.map(([name, value]) => [name, withMethods(value)]))
}

/** Where the data does not fit the JSON Schema of the language. */
export function schemaErrors(data: unknown): readonly ErrorObject[] {
  const validate = validator()
  try {
    return validate(data) ? [] : (validate.errors ?? [])
  } catch (error) {
    if (!isMethodReplaced(error)) throw error
    return validate(withMethods(data)) ? [] : (validate.errors ?? [])
  }
}
