import { createReadStream } from 'node:fs'
import { parseExactJson } from '../../runtime/server/index.js'
import {
  type ContainerElement,
  type Diagnostic,
  locate,
  type Problem,
  pointerKeys,
  pointerTo,
  readSource,
  type Service,
  type Source,
  type SourceLocation,
  sortDiagnostics,
  suggest,
} from '../../spec/language/index.js'
import type { EntityRecord } from '../store/store.js'
import type { DataProblem } from './integrity.js'
import { type ItemReader, itemReader } from './item-reader.js'

/**
 * Reads a data file and checks it against the model. The file is YAML or JSON, or JSON Lines if its name ends with `.jsonl`
 * or `.ndjson`. JSON Lines are streamed, so that a file can have any size. Other files are checked completely before the
 * first item is returned.
 *
 * @throws DataError with all problems and their locations
 */
export async function* readData(path: string, service: Service): AsyncGenerator<EntityRecord, void, undefined> {
  if (!/\.(?:jsonl|ndjson)$/i.test(path)) {
    yield* await readDocument(path, service)
    return
  }
  try {
    yield* readLines(linesOf(path), path, service)
  } catch (error) {
    throw unreadable(error, path) ?? error
  }
}

/** An error of the file system or the decoder as a diagnostic. */
function unreadable(error: unknown, path: string): DataError | undefined {
  const message = messageOf(error)
  if (message === undefined) return undefined
  const place = { line: 1, column: 1, offset: 0, length: 0 }
  return new DataError([{ severity: 'error', code: 'file/unreadable', message, path, location: place, related: [] }])
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof RangeError) return 'A line is longer than 64 MB. Put each item on its own line.'
  if (!(error instanceof Error) || !('code' in error)) return undefined
  switch (error.code) {
    case 'ENOENT':
      return 'There is no such file.'
    case 'EISDIR':
      return 'This is a folder. Pass a file.'
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'The file is not UTF-8. Save it as UTF-8.'
    case 'EACCES':
      return 'You have no permission to read the file.'
    default:
      return undefined
  }
}

/**
 * Reads a complete YAML or JSON file: an object with the items of each entity set and singleton.
 *
 * @throws DataError with all problems
 */
async function readDocument(path: string, service: Service): Promise<readonly EntityRecord[]> {
  const { source, diagnostics } = await readSource(path)
  if (diagnostics.length > 0)
    throw new DataError(diagnostics.map(each => ({ ...each, message: describeForData(each) })))
  const problems: DataProblem[] = []
  const reader = itemReader(service, problem => problems.push(problem))
  const records = readElements(source, service, reader, problem => problems.push(problem))
  reader.finish()
  if (problems.length > 0) {
    throw new DataError(sortDiagnostics(problems.map(problem => locate(toProblem(problem), source))))
  }
  return records
}

function readElements(
  source: Source,
  service: Service,
  reader: ItemReader,
  report: (problem: DataProblem) => void,
): readonly EntityRecord[] {
  const { document } = source
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    report({
      code: 'data/shape',
      message: 'Expected an object that maps each entity set to a list of items, and each singleton to an item.',
      at: '',
    })
    return []
  }
  const elements = new Map(service.container.map(element => [element.name, element]))
  const items: (EntityRecord | undefined)[] = []
  for (const [name, json] of Object.entries(document)) {
    const at = pointerTo('', name)
    const element = elements.get(name)
    if (element === undefined || (element.kind === 'singleton' && element.principal)) {
      report(unknownElement(name, at, element, service))
    } else if (element.kind === 'singleton') {
      items.push(reader.read(element, json, 1, at))
    } else if (Array.isArray(json)) {
      for (const [index, item] of json.entries()) {
        items.push(reader.read(element, item, index + 1, pointerTo(at, index)))
      }
    } else {
      report({ code: 'data/shape', message: `${name} is an entity set. Expected a list of items.`, at })
    }
  }
  return items.filter(item => item !== undefined)
}

/** The problem of a name that cannot have data. */
function unknownElement(
  name: string,
  at: string,
  element: ContainerElement | undefined,
  service: Service,
): DataProblem {
  const names = service.container.filter(each => each.kind === 'entitySet' || !each.principal).map(each => each.name)
  const expected = `Expected one of ${names.join(', ')}`
  const message =
    element === undefined
      ? `The service has no ${JSON.stringify(name)}. ${expected}.`
      : `${name} is the signed-in caller and has no data of its own. ${expected}.`
  const suggestion = element === undefined ? suggest(name, names) : undefined
  return { code: 'data/unknown-element', message, at, on: 'key', suggestion }
}

/** A message of the spec reader, reworded for data. */
function describeForData({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'yaml/empty')
    return 'The file is empty. Expected an object that maps each entity set to a list of items.'
  if (code === 'yaml/multiple-documents') return 'Expected one YAML document. A second one starts here.'
  if (code.endsWith('/too-long')) return `${message} For large data, use JSON Lines in a .jsonl file.`
  return message
}

function toProblem({ related, ...problem }: DataProblem): Problem {
  return { ...problem, related: related === undefined ? [] : [related] }
}

/** Reading stops at this number of problems. */
const maxProblems = 50

/**
 * Reads JSON Lines with one item per line, such as `{"users":{"id":"ada"}}`. Memory holds only the keys of the items in
 * entity sets.
 *
 * @param path the name of the lines in diagnostics
 * @throws DataError if a line is invalid; discard the items that came before
 */
export async function* readLines(
  lines: Iterable<string> | AsyncIterable<string>,
  path: string,
  service: Service,
): AsyncGenerator<EntityRecord, void, undefined> {
  const problems: DataProblem[] = []
  const report = (problem: DataProblem): void => void problems.push(problem)
  const reader = itemReader(service, report)
  const elements = new Map(service.container.map(element => [element.name, element]))
  const positions = new Map<string, number>()
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const parsed = parseLine(line)
    if (typeof parsed === 'string') report({ code: 'data/line', message: parsed, at: `/${number}` })
    for (const [name, json] of typeof parsed === 'string' ? [] : parsed) {
      const at = `/${number}/${name}`
      const element = elements.get(name)
      const position = (positions.get(name) ?? 0) + 1
      positions.set(name, position)
      if (element === undefined || (element.kind === 'singleton' && element.principal)) {
        report(unknownElement(name, at, element, service))
      } else {
        const item = reader.read(element, json, position, at)
        if (problems.length === 0 && item !== undefined) yield item
      }
    }
    if (problems.length >= maxProblems) break
  }
  reader.finish()
  if (problems.length > 0) {
    throw new DataError(sortDiagnostics(problems.slice(0, maxProblems).map(problem => locateLine(problem, path))))
  }
}

function parseLine(line: string): readonly (readonly [string, unknown])[] | string {
  const expected = 'Expected one JSON object per line, {"set": {item}}'
  try {
    const json = parseExactJson(line)
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return Object.entries(json)
    return `This is not an object. ${expected}.`
  } catch {
    return `This is not JSON. ${expected}.`
  }
}

/** Lines are long. The path inside the line says more than a column number. */
function locateLine(problem: DataProblem, path: string): Diagnostic {
  const { code, message, at, related, suggestion } = problem
  const [, ...inside] = pointerKeys(at)
  return {
    severity: 'error',
    code,
    message: inside.length === 0 ? message : `${inside.join('/')}: ${message}`,
    path,
    location: lineOf(at),
    related: related === undefined ? [] : [{ message: related.message, location: lineOf(related.at) }],
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function lineOf(at: string): SourceLocation {
  const [line] = pointerKeys(at)
  return { line: Number(line), column: 1, offset: Number(line), length: 0 }
}

/** No item of data has a longer line. */
const maxLineLength = 64 * 1024 * 1024

/**
 * Streams the lines of a UTF-8 file.
 *
 * @throws TypeError if the file is not UTF-8, RangeError if a line is too long, and the errors of the file system
 */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > maxLineLength) throw new RangeError('A line is too long.')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

/** The data cannot be loaded. `diagnostics` has all problems. */
export class DataError extends Error {
  override readonly name = 'DataError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(`The data cannot be loaded: ${diagnostics.map(({ message }) => message).join(' ')}`)
    this.diagnostics = diagnostics
  }
}
