import { locate } from '../../spec/language/diagnostics/locate.js'
import type { Problem } from '../../spec/language/diagnostics/problem.js'
import type { ContainerElement, Service, Source } from '../../spec/language/index.js'
import { sortDiagnostics, suggest } from '../../spec/language/index.js'
import { pointerTo } from '../../spec/language/source/pointer.js'
import { readSource } from '../../spec/language/source/read-source.js'
import type { EntityRecord } from '../entity-record.js'
import { DataError } from './data-error.js'
import type { DataProblem } from './data-problem.js'
import { type ItemReader, itemReader } from './item-reader.js'

/**
 * Reads a data file in YAML or JSON, whole: entity set -> list of items, singleton -> item.
 *
 * @throws DataError with all that is wrong with it
 */
export async function readDocument(path: string, service: Service): Promise<readonly EntityRecord[]> {
  const { source, diagnostics } = await readSource(path)
  if (diagnostics.length > 0) throw new DataError(diagnostics.map(each => ({ ...each, message: saidOfData(each) })))
  const problems: DataProblem[] = []
  const reader = itemReader(service, problem => problems.push(problem))
  const records = readElements(source, service, reader, problem => problems.push(problem))
  reader.finish()
  if (problems.length > 0) {
    throw new DataError(sortDiagnostics(problems.map(problem => locate(spots(problem), source))))
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
      message: 'Data is an object: entity set -> list of items, singleton -> item.',
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
      report(strangeElement(name, at, element, service))
    } else if (element.kind === 'singleton') {
      items.push(reader.read(element, json, 1, at))
    } else if (Array.isArray(json)) {
      for (const [index, item] of json.entries()) {
        items.push(reader.read(element, item, index + 1, pointerTo(at, index)))
      }
    } else {
      report({ code: 'data/shape', message: `${name} is an entity set; its data is a list of items.`, at })
    }
  }
  return items.filter(item => item !== undefined)
}

/** A name that data cannot be given under. */
export function strangeElement(
  name: string,
  at: string,
  element: ContainerElement | undefined,
  service: Service,
): DataProblem {
  const names = service.container.filter(each => each.kind === 'entitySet' || !each.principal).map(each => each.name)
  const expected = `expected one of ${names.join(', ')}`
  const message =
    element === undefined
      ? `The service has no ${JSON.stringify(name)}; ${expected}.`
      : `${name} stands for whoever is signed in and has no data of its own; ${expected}.`
  const suggestion = element === undefined ? suggest(name, names) : undefined
  return { code: 'data/unknown-element', message, at, on: 'key', suggestion }
}

/** What the reader of specs says, said of data. */
function saidOfData({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'yaml/empty') return 'The file is empty; data is an object: entity set -> list of items.'
  if (code === 'yaml/multiple-documents') return 'Data is one YAML document; a second one begins here.'
  if (code.endsWith('/too-long')) return `${message} Give large data as JSON Lines, in a file named .jsonl.`
  return message
}

function spots({ related, ...problem }: DataProblem): Problem {
  return { ...problem, related: related === undefined ? [] : [related] }
}
