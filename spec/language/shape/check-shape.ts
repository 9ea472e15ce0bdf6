import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Problem } from '../diagnostics/diagnostic.js'
import { suggest } from '../diagnostics/suggest.js'
import type { SpecDocument } from '../document.js'
import { memberAt, omitPointers, pointerKeys, pointerTo } from '../source/json-pointer.js'
import { descriptionOf, isSpecDocument, languageSchema, type Schema, schemaErrors, subschema } from './schema.js'

/** The result of checking a document against the JSON Schema. */
interface Shape {
  /** The document without invalid parts, so that the rest can be checked; undefined if nothing is left. */
  readonly document: SpecDocument | undefined
  readonly problems: readonly Problem[]
  /** JSON Pointers of what was left out. */
  readonly omitted: ReadonlySet<string>
}

/** Omitting one part can invalidate another (a list becomes too short). More rounds never help. */
const maxRounds = 8

/** Chapters that every spec has. An absent one is an error; it counts as empty while the rest is checked. */
const emptyChapters: Readonly<Record<string, unknown>> = {
  specwright: 1,
  service: { name: 'unnamed', version: 'v0' },
  resources: {},
  container: {},
  paths: {},
  errors: {},
}

/** Checks the document against the JSON Schema of the language. */
export function checkShape(data: unknown): Shape {
  const leftOut = new Set<string>()
  if (isSpecDocument(data)) return { document: data, problems: [], omitted: leftOut }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const isPath = typeof data === 'string' && /^\S+\.(?:ya?ml|json)$/i.test(data)
    const hint = isPath ? ' This text is the path of a file: `loadSpec(path)` reads files.' : ''
    const message = `A spec is a mapping that begins with \`specwright: 1\`.${hint}`
    return { document: undefined, problems: [{ code: 'shape/type', message, at: '' }], omitted: leftOut }
  }
  const other = otherDocument(data)
  if (other !== undefined) {
    const message = `This is not a spec but ${other} A spec begins with \`specwright: 1\`.`
    return { document: undefined, problems: [{ code: 'shape/other-document', message, at: '' }], omitted: leftOut }
  }
  const root = languageSchema()
  const problems: Problem[] = []
  const misspelt = new Set<string>()
  let rest: object = data
  for (let round = 0; round < maxRounds; round++) {
    const errors = schemaErrors(rest)
    const branches = branchesOf(errors)
    const found = errors.flatMap(error => shapeProblem(error, branches, data, root) ?? [])
    for (const { meant } of found) if (meant !== undefined) misspelt.add(meant)
    for (const { problem, omit, missing } of found) {
      if (round === 0 && !(missing !== undefined && misspelt.has(missing))) problems.push(problem)
      leftOut.add(omit)
    }
    // What a misspelt key contains is not missing.
    for (const pointer of misspelt) if (memberAt(data, pointer) === undefined) leftOut.add(pointer)
    rest = withChapters(omitPointers(data, leftOut))
    if (isSpecDocument(rest)) return { document: rest, problems, omitted: leftOut }
  }
  return { document: undefined, problems, omitted: leftOut }
}

/** What a document of another kind is, as the end of a sentence. Undefined if it can be a spec. */
function otherDocument(data: object): string | undefined {
  if ('specwright' in data) return undefined
  if ('openapi' in data || 'swagger' in data) return 'an OpenAPI document.'
  if ('$Version' in data) return 'CSDL: `specwright import` makes a spec of it.'
  const [first] = Object.keys(data)
  const isKnown = Object.keys(data).some(key => key in (subschema(languageSchema(), 'properties') ?? {}))
  return first === undefined || isKnown ? undefined : `another document, which begins with ${quoted(first)}.`
}

function withChapters(data: object): object {
  return Object.assign(Object.create(null), emptyChapters, data)
}

/** A problem, and the part to omit so that the rest can be checked. */
interface ShapeProblem {
  readonly problem: Problem
  /** JSON Pointer. */
  readonly omit: string
  /** JSON Pointer of the key that a misspelt one stands for. */
  readonly meant?: string
  /** JSON Pointer of the key that is missing. */
  readonly missing?: string
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
  null: '`null`',
}

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** The last key of a pointer as a message names it; the root is the spec. */
function nameOf(pointer: string): string {
  const name = pointerKeys(pointer).at(-1)
  if (name === undefined) return 'The spec'
  return /^\d+$/.test(name) ? `Item ${Number(name) + 1}` : quoted(name)
}

/** What else a place may hold besides what an error names: the other branch of a schema that decides by type. */
function otherBranches(error: ErrorObject, branches: Branches): readonly string[] {
  return (branches.get(error.instancePath) ?? []).flatMap(other => {
    const otherBranch = other.params['failingKeyword'] === 'else' ? 'if' : 'else'
    const type = subschema(other.parentSchema, otherBranch)?.['type']
    return typeof type === 'string' ? [typeNames[type] ?? type] : []
  })
}

/** The errors of schemas that decide by type, by their place. */
type Branches = ReadonlyMap<string, readonly ErrorObject[]>

function branchesOf(errors: readonly ErrorObject[]): Branches {
  const branches = new Map<string, ErrorObject[]>()
  for (const error of errors) {
    if (error.keyword !== 'if') continue
    const known = branches.get(error.instancePath)
    if (known === undefined) branches.set(error.instancePath, [error])
    else known.push(error)
  }
  return branches
}

/** A hint for numbers and booleans in quotes. */
function unquoteHint(value: unknown, type: unknown): string {
  if (typeof value !== 'string') return ''
  const isMeant =
    ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(value)) ||
    (type === 'boolean' && /^(?:true|false)$/.test(value))
  return isMeant ? ' Remove the quotes.' : ''
}

/**
 * Turns one error of the JSON Schema into a problem that says what was found, what was expected, and where.
 *
 * @param error an error of ajv
 * @param errors all errors of ajv, to find related ones
 * @returns undefined for an error that only sums up others
 */
function shapeProblem(error: ErrorObject, branches: Branches, data: unknown, root: Schema): ShapeProblem | undefined {
  const { instancePath: at, keyword, params } = error
  const owner: Schema | undefined = error.parentSchema
  const value = memberAt(data, at)
  const problem = (message: string, more: Partial<Problem> = {}): ShapeProblem => ({
    problem: { code: `shape/${keyword}`, message, at, ...more },
    omit: more.at ?? at,
  })

  if (error.propertyName !== undefined) {
    const expected = descriptionOf(root, owner) ?? 'another name.'
    const key = error.propertyName
    const code = 'shape/name'
    return problem(`${quoted(key)} cannot be a name here. Expected: ${expected}`, {
      code,
      at: pointerTo(at, key),
      on: 'key',
    })
  }

  switch (keyword) {
    case 'if':
    case 'propertyNames':
      return undefined
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      const known = Object.keys(subschema(owner, 'properties') ?? {})
      const suggestion = suggest(key, known)
      const hint = suggestion === undefined ? ` Known here: ${known.join(', ')}.` : ''
      const message = `Unknown key ${quoted(key)} in ${at === '' ? 'the spec' : nameOf(at)}.${hint}`
      const found = problem(message, { code: 'shape/unknown-key', at: pointerTo(at, key), on: 'key', suggestion })
      return suggestion === undefined ? found : { ...found, meant: pointerTo(at, suggestion) }
    }
    case 'required': {
      const key = String(params['missingProperty'])
      const meaning = descriptionOf(root, subschema(subschema(owner, 'properties'), key))
      const hint = key === 'specwright' ? ' Begin with `specwright: 1`, the version of this language.' : ''
      const message = `${nameOf(at)} lacks ${quoted(key)}.${hint || (meaning === undefined ? '' : ` ${meaning}`)}`
      const missing = pointerTo(at, key)
      const found = { ...problem(message, { code: 'shape/missing-key', on: 'key' }), missing }
      // An absent chapter counts as empty; anything else that lacks a part is left out whole.
      return at === '' ? { ...found, omit: missing } : found
    }
    case 'type': {
      const type: unknown = params['type']
      const names = (Array.isArray(type) ? type : [type]).map(name => typeNames[String(name)] ?? String(name))
      const expected = list([...names, ...otherBranches(error, branches)])
      return problem(`${nameOf(at)} must be ${expected}, not ${describeValue(value)}.${unquoteHint(value, type)}`)
    }
    case 'const':
      return problem(`${nameOf(at)} must be ${JSON.stringify(params['allowedValue'])}, not ${describeValue(value)}.`)
    case 'enum': {
      const allowed: unknown = params['allowedValues']
      const words = Array.isArray(allowed) ? allowed.map(String) : []
      const expected = list([...words, ...otherBranches(error, branches)])
      const suggestion = typeof value === 'string' ? suggest(value, words) : undefined
      return problem(`${nameOf(at)} must be ${expected}, not ${describeValue(value)}.`, { suggestion })
    }
    case 'pattern':
    case 'minLength':
    case 'maxLength': {
      const expected = descriptionOf(root, owner) ?? 'another text.'
      return problem(`${describeValue(value)} does not fit here. Expected: ${expected}`, { code: 'shape/text' })
    }
    case 'minimum':
    case 'maximum': {
      const bound = keyword === 'minimum' ? 'at least' : 'at most'
      return problem(`${nameOf(at)} must be ${bound} ${String(params['limit'])}, not ${String(value)}.`, {
        code: 'shape/range',
      })
    }
    case 'uniqueItems': {
      const [first, second] = [Number(params['i']), Number(params['j'])].sort((a, b) => a - b)
      const where = pointerTo(at, second ?? 0)
      const related = [{ message: 'first written here', at: pointerTo(at, first ?? 0) }]
      const message = `${describeValue(memberAt(data, where))} is already in the list. Remove one of the two.`
      return problem(message, { code: 'shape/repeated-item', at: where, related })
    }
    case 'minItems':
    case 'minProperties':
      return problem(`${nameOf(at)} must have at least ${String(params['limit'])} ${count(params['limit'])}.`, {
        code: 'shape/too-few',
      })
    case 'maxItems':
    case 'maxProperties':
      return problem(`${nameOf(at)} must have at most ${String(params['limit'])} ${count(params['limit'])}.`, {
        code: 'shape/too-many',
      })
    default:
      throw new Error(`The JSON Schema uses the keyword "${keyword}", for which there is no message.`)
  }
}

const count = (limit: unknown): string => (limit === 1 ? 'entry' : 'entries')

/** Describes a value in a message. */
function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'object':
      return 'a mapping'
    case 'string':
      return quoted(value)
    case 'number':
      return `the number ${value}`
    default:
      return `\`${String(value)}\``
  }
}

const maxQuotedLength = 60

/** A text in quotes, cut when it is long. */
function quoted(text: string): string {
  const characters = [...text]
  return `"${characters.length > maxQuotedLength ? `${characters.slice(0, maxQuotedLength).join('')}…` : text}"`
}
