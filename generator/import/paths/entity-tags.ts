import type { ResourceDocument, StructuredTypeDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import type { ImportedElement } from '../container/import-container.js'
import { compact } from '../spec/compact.js'
import { lineOf } from '../types/line-of.js'

type Resources = Readonly<Record<string, ResourceDocument>>

/**
 * The types with entity tags where a set or singleton of theirs is changed on condition.
 *
 * @see Core vocabulary, OptimisticConcurrency
 */
export function entityTags(resources: Resources, elements: ReadonlyMap<string, ImportedElement>): Resources {
  const changed = new Set<string>()
  for (const { document, said } of elements.values()) {
    const type = document.entitySet ?? document.singleton
    if (type !== undefined && said('Core.OptimisticConcurrency') !== undefined) changed.add(type)
  }
  // What a base has is inherited.
  const own = [...changed].filter(
    type =>
      !lineOf(resources, type)
        .slice(1)
        .some(base => changed.has(base)),
  )
  return record(
    Object.entries(resources).map(([name, resource]) => [
      name,
      resource.kind === 'entityType' && own.includes(name) ? tagged(resource) : resource,
    ]),
  )
}

/** The tag stands before the members, as in specs that people write. */
function tagged({ properties, navigation, ref, description, ...head }: StructuredTypeDocument): StructuredTypeDocument {
  return compact({ ...head, entityTag: 'weak' as const, properties, navigation, ref, description })
}
