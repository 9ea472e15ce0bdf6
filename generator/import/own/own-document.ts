import type { OperationDocument, ResourceDocument, ServiceDocument } from '../../../spec/language/index.js'
import type { Said } from '../annotations/annotation-index.js'
import { memberOf, recordsOf, textOf } from '../annotations/value.js'
import { importContainer } from '../container/import-container.js'
import { inOrder } from '../spec/in-order.js'
import type { ImportContext } from '../types/import-context.js'
import { withAssumptions } from './assumptions.js'
import { mergedOrder } from './merged-order.js'
import { ownPaths } from './paths.js'
import { ownAuthentication, ownChapters } from './service-chapters.js'
import { tableOf } from './table-of.js'

/**
 * The spec that a document was exported from: what the vocabularies of OData cannot say, it carries in terms of our own.
 *
 * @param said of the container, which has them
 * @see docs/csdl-vocabulary.md
 */
export function ownDocument(
  context: ImportContext,
  resources: Readonly<Record<string, ResourceDocument>>,
  operations: Readonly<Record<string, OperationDocument>>,
  said: Said,
  service: ServiceDocument,
): object {
  const chapters = ownChapters(said)
  const errors = new Set(Object.keys(chapters.errors))
  const elements = importContainer(context, resources)
  const document = inOrder({
    service,
    authentication: ownAuthentication(said),
    resources: inSpecOrder(resources, said),
    container: tableOf([...elements].map(([name, element]) => [name, element.document] as const)),
    operations: Object.keys(operations).length === 0 ? undefined : operations,
    ...ownPaths(said, { resources, operations, errors }),
    ...chapters,
  })
  return withAssumptions(document, said)
}

/** The types in the order of the spec, as far as it shows: CSDL has them kind by kind, assumptions follow the spec. */
function inSpecOrder(
  resources: Readonly<Record<string, ResourceDocument>>,
  said: Said,
): Readonly<Record<string, ResourceDocument>> {
  const kinds = new Map<string, string[]>()
  for (const [name, { kind }] of Object.entries(resources)) {
    const same = kinds.get(kind) ?? []
    same.push(name)
    kinds.set(kind, same)
  }
  const assumed = recordsOf(said('Specwright.Assumptions')).flatMap(assumption => {
    const [chapter, name] = (textOf(memberOf(assumption, 'Element')) ?? '').split('/')
    return chapter === 'resources' && name !== undefined && Object.hasOwn(resources, name) ? [name] : []
  })
  return tableOf(
    mergedOrder([...kinds.values(), [...new Set(assumed)]]).flatMap(name => {
      const resource = resources[name]
      return resource === undefined ? [] : [[name, resource] as const]
    }),
  )
}
