import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Problem, suggest } from '../diagnostics/diagnostic.js'
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
    const message = 'A spec is a mapping that begins with `specwright: 1`.'
    return { document: undefined, problems: [{ code: 'shape/type', message, at: '' }], omitted: leftOut }
  }
  const root = languageSchema()
  const problems: Problem[] = []
  let rest: object = data
  for (let round = 0; round < maxRounds; round++) {
    const errors = schemaErrors(rest)
    const branches = branchesOf(errors)
    for (const error of errors) {
      const found = shapeProblem(error, branches, data, root)
      if (found === undefined) continue
      if (round === 0) problems.push(found.problem)
      leftOut.add(found.omit)
    }
    rest = withChapters(omitPointers(data, leftOut))
    if (isSpecDocument(rest)) return { document: rest, problems, omitted: leftOut }
  }
  return { document: undefined, problems, omitted: leftOut }
}

function withChapters(data: object): object {
  return Object.assign(Object.create(null), emptyChapters, data)
}

/** A problem, and the part to omit so that the rest can be checked. */
interface ShapeProblem {
  readonly problem: Problem
  /** JSON Pointer. */
  readonly omit: string
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
      return problem(message, { code: 'shape/unknown-key', at: pointerTo(at, key), on: 'key', suggestion })
    }
    case 'required': {
      const key = String(params['missingProperty'])
      const meaning = descriptionOf(root, subschema(subschema(owner, 'properties'), key))
      const message = `${nameOf(at)} lacks ${quoted(key)}.${meaning === undefined ? '' : ` ${meaning}`}`
      const found = problem(message, { code: 'shape/missing-key', on: 'key' })
      // An absent chapter counts as empty; anything else that lacks a part is left out whole.
      return at === '' ? { ...found, omit: pointerTo('', key) } : found
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
