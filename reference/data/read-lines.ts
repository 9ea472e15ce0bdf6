import { type Diagnostic, type Service, type SourcePlace, sortDiagnostics } from '../../spec/language/index.js'
import { pointerKeys } from '../../spec/language/source/pointer.js'
import type { EntityRecord } from '../entity-record.js'
import { DataError } from './data-error.js'
import type { DataProblem } from './data-problem.js'
import { itemReader } from './item-reader.js'
import { linesOf } from './lines-of.js'
import { strangeElement } from './read-document.js'

/** Problems beyond these are left out, and reading stops. */
const mostProblems = 50

/**
 * Reads a data file in JSON Lines as it comes, one item a line, `{"users":{"id":"ada"}}`: only the keys of items in
 * entity sets are held in memory.
 *
 * @throws DataError when a line is wrong: whoever takes the items must then forget those that came before
 */
export async function* readLines(path: string, service: Service): AsyncGenerator<EntityRecord, void, undefined> {
  const problems: DataProblem[] = []
  const report = (problem: DataProblem): void => void problems.push(problem)
  const reader = itemReader(service, report)
  const elements = new Map(service.container.map(element => [element.name, element]))
  const positions = new Map<string, number>()
  let number = 0
  for await (const line of linesOf(path)) {
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
        report(strangeElement(name, at, element, service))
      } else {
        const item = reader.read(element, json, position, at)
        if (problems.length === 0 && item !== undefined) yield item
      }
    }
    if (problems.length >= mostProblems) break
  }
  reader.finish()
  if (problems.length > 0) {
    throw new DataError(sortDiagnostics(problems.slice(0, mostProblems).map(problem => locateLine(problem, path))))
  }
}

function parseLine(line: string): readonly (readonly [string, unknown])[] | string {
  const expected = 'a line of data is one JSON object, {"set": {item}}'
  try {
    const json: unknown = JSON.parse(line)
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return Object.entries(json)
    return `This is no object; ${expected}.`
  } catch {
    return `This is no JSON; ${expected}.`
  }
}

/** A line is long; the path in it says better than a column what is meant. */
function locateLine(problem: DataProblem, path: string): Diagnostic {
  const { code, message, at, related, suggestion } = problem
  const [, ...inside] = pointerKeys(at)
  return {
    severity: 'error',
    code,
    message: inside.length === 0 ? message : `${inside.join('/')}: ${message}`,
    path,
    place: lineOf(at),
    related: related === undefined ? [] : [{ message: related.message, place: lineOf(related.at) }],
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function lineOf(at: string): SourcePlace {
  const [line] = pointerKeys(at)
  return { line: Number(line), column: 1, offset: Number(line), length: 0 }
}
