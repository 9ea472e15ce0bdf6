import {
  type OperationDocument,
  pointerTo,
  type ResourceDocument,
  type ServiceDocument,
} from '../../../spec/language/index.js'
import { importContainer } from '../container.js'
import type { TermLookup } from '../csdl/annotations.js'
import { memberOf, recordsOf, textOf } from '../csdl/csdl-element.js'
import type { ImportContext } from '../names.js'
import { chaptersInOrder, mergeOrders, safeRecord } from '../spec-document.js'
import { exportedAuthentication, exportedChapters } from './chapters.js'
import { exportedPaths } from './paths.js'

/**
 * The spec that a document was exported from. The document has our own terms for what the vocabularies of OData cannot
 * express.
 *
 * @param said of the container, which has them
 * @see docs/csdl-vocabulary.md
 */
export function exportedDocument(
  context: ImportContext,
  resources: Readonly<Record<string, ResourceDocument>>,
  operations: Readonly<Record<string, OperationDocument>>,
  lookup: TermLookup,
  service: ServiceDocument,
): object {
  const chapters = exportedChapters(lookup)
  const errors = new Set(Object.keys(chapters.errors))
  const elements = importContainer(context, resources)
  const document = chaptersInOrder({
    service,
    authentication: exportedAuthentication(lookup),
    resources: inSpecOrder(resources, lookup),
    container: safeRecord([...elements].map(([name, element]) => [name, element.document] as const)),
    operations: Object.keys(operations).length === 0 ? undefined : operations,
    ...exportedPaths(lookup, { resources, operations, errors }),
    ...chapters,
  })
  return withAssumptions(document, lookup)
}

/** The types in the order of the spec, as far as known: CSDL sorts them by kind, but assumptions follow the spec. */
function inSpecOrder(
  resources: Readonly<Record<string, ResourceDocument>>,
  lookup: TermLookup,
): Readonly<Record<string, ResourceDocument>> {
  const kinds = new Map<string, string[]>()
  for (const [name, { kind }] of Object.entries(resources)) {
    const same = kinds.get(kind) ?? []
    same.push(name)
    kinds.set(kind, same)
  }
  const assumed = recordsOf(lookup('Specwright.Assumptions')).flatMap(assumption => {
    const [chapter, name] = (textOf(memberOf(assumption, 'Element')) ?? '').split('/')
    return chapter === 'resources' && name !== undefined && Object.hasOwn(resources, name) ? [name] : []
  })
  return safeRecord(
    mergeOrders([...kinds.values(), [...new Set(assumed)]]).flatMap(name => {
      const resource = resources[name]
      return resource === undefined ? [] : [[name, resource] as const]
    }),
  )
}

type Tree = Readonly<Record<string, unknown>>

/** The reason of an assumption, and the section of the element that omits it. */
interface Assumed {
  readonly ref?: string
  readonly assumed: string
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Restores each assumption of an exported document at its element. */
function withAssumptions(document: object, lookup: TermLookup): object {
  const assumptions = new Map<string, Assumed>()
  for (const assumption of recordsOf(lookup('Specwright.Assumptions'))) {
    const [element, why] = [textOf(memberOf(assumption, 'Element')), textOf(memberOf(assumption, 'Why'))]
    const ref = textOf(memberOf(assumption, 'Ref'))
    const pointer = element === undefined ? undefined : pointerOf(document, element, '')
    if (pointer === undefined || why === undefined) continue
    assumptions.set(pointer, { ...(ref === undefined ? {} : { ref }), assumed: why })
  }
  return assumptions.size === 0 ? document : rebuiltTree(document, '', assumptions)
}

/**
 * The JSON Pointer of an element that is named by keys joined with slashes. Some keys contain slashes themselves, or lack the
 * one that they began with. A query option may be missing, because `none` is not written.
 */
function pointerOf(part: unknown, path: string, pointer: string): string | undefined {
  if (path === '') return pointer
  if (Array.isArray(part)) {
    const [index = '', ...rest] = path.split('/')
    return pointerOf(part[Number(index)], rest.join('/'), pointerTo(pointer, index))
  }
  if (!isTree(part)) return undefined
  for (const key of Object.keys(part)) {
    const written = key.replace(/^\//, '')
    if (path !== written && !path.startsWith(`${written}/`)) continue
    const found = pointerOf(part[key], path.slice(written.length + 1), pointerTo(pointer, key))
    if (found !== undefined) return found
  }
  return omittedWhenNone.includes(path) ? pointerTo(pointer, path) : undefined
}

/** A copy in which some elements have `assumed`. */
function rebuilt(part: unknown, pointer: string, assumptions: ReadonlyMap<string, Assumed>): unknown {
  if (Array.isArray(part)) return part.map((item, index) => rebuilt(item, pointerTo(pointer, index), assumptions))
  if (isTree(part)) return rebuiltTree(part, pointer, assumptions)
  const assumed = assumptions.get(pointer)
  if (assumed === undefined) return part
  // A member of an enumeration that is only a number, and a query option that is only a word.
  return typeof part === 'number' ? { value: part, ...assumed } : { support: part ?? 'none', ...assumed }
}

function rebuiltTree(part: object, pointer: string, assumptions: ReadonlyMap<string, Assumed>): object {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(part)) copy[key] = rebuilt(value, pointerTo(pointer, key), assumptions)
  for (const option of omittedWhenNone) {
    const at = pointerTo(pointer, option)
    if (assumptions.has(at) && !Object.hasOwn(copy, option)) copy[option] = rebuilt(undefined, at, assumptions)
  }
  return Object.assign(copy, assumptions.get(pointer))
}

/** Query options that are omitted if they are `none`. */
const omittedWhenNone = ['filter', 'orderby', 'expand', 'top', 'search']
