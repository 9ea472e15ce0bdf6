import type { ResourceDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import type { ImportedElement } from '../container/import-container.js'
import { lineOf } from '../types/partners.js'

type Resources = Readonly<Record<string, ResourceDocument>>

/**
 * The types with entity tags where a set or singleton of theirs is changed on condition.
 *
 * @see Core vocabulary, OptimisticConcurrency
 */
export function entityTags(resources: Resources, elements: ReadonlyMap<string, ImportedElement>): Resources {
  const tagged = new Set<string>()
  for (const { document, said } of elements.values()) {
    const type = document.entitySet ?? document.singleton
    if (type !== undefined && said('Core.OptimisticConcurrency') !== undefined) tagged.add(type)
  }
  // What a base has is inherited.
  const own = [...tagged].filter(
    type =>
      !lineOf(resources, type)
        .slice(1)
        .some(base => tagged.has(base)),
  )
  return record(
    Object.entries(resources).map(([name, resource]) => [
      name,
      resource.kind === 'entityType' && own.includes(name) ? { ...resource, entityTag: 'weak' as const } : resource,
    ]),
  )
}
