import type { NavigationDocument, ResourceDocument, StructuredTypeDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { childrenOf } from '../csdl/csdl-element.js'
import { loss } from '../finding.js'
import type { ImportContext } from './import-context.js'
import { lineOf } from './line-of.js'

type Resources = Readonly<Record<string, ResourceDocument>>

/**
 * The types with the partners of their relations. In a spec partners name each other; where a document names only one of
 * the two, the other is told, too.
 *
 * @see OData CSDL 4.01, 8.4 (partner)
 */
export function importPartners(
  context: ImportContext,
  resources: Resources,
  structured: ReadonlyMap<NamedElement, StructuredTypeDocument>,
): Resources {
  const { names, note } = context
  const partners = new Map<string, string>()
  const at = (type: string, relation: string): string => `${type}/${relation}`
  for (const { element, qualifiedName } of structured.keys()) {
    const type = names.types.get(qualifiedName)
    for (const { attributes, spot } of childrenOf(element, 'NavigationProperty')) {
      const [name = '', partner] = [attributes.get('Name'), attributes.get('Partner')]
      const relation = type === undefined ? undefined : navigationOf(resources, type)?.[name]
      if (partner === undefined || relation === undefined || type === undefined) continue
      const other = findRelation(resources, relation.to, partner)
      const back = other === undefined ? undefined : navigationOf(resources, other)?.[partner]
      const isPair = back !== undefined && other !== undefined && isRelated(resources, back.to, type)
      const isFree = other !== undefined && [undefined, at(type, name)].includes(partners.get(at(other, partner)))
      if (!isPair || !isFree) {
        const message = 'Partners lead to each other, and each relation has one'
        note(loss('partner', message, `${qualifiedName}/${name}: ${partner}`, spot))
        continue
      }
      partners.set(at(type, name), at(other, partner))
      partners.set(at(other, partner), at(type, name))
    }
  }
  return record(
    Object.entries(resources).map(([type, resource]) => {
      if (!('navigation' in resource) || resource.navigation === undefined) return [type, resource]
      const navigation = Object.entries(resource.navigation).map(([name, relation]): [string, NavigationDocument] => {
        const partner = partners.get(at(type, name))
        return [name, partner === undefined ? relation : withPartner(relation, partner.slice(partner.indexOf('/') + 1))]
      })
      return [type, { ...resource, navigation: record(navigation) }]
    }),
  )
}

/** The partner stands before what is optional and long: constraints and descriptions. */
function withPartner(relation: NavigationDocument, partner: string): NavigationDocument {
  const { constraint, onDelete, ref, description, ...first } = relation
  return {
    ...first,
    partner,
    ...(constraint === undefined ? {} : { constraint }),
    ...(onDelete === undefined ? {} : { onDelete }),
    ...(ref === undefined ? {} : { ref }),
    ...(description === undefined ? {} : { description }),
  }
}

function navigationOf(resources: Resources, type: string): Readonly<Record<string, NavigationDocument>> | undefined {
  const resource = resources[type]
  return resource !== undefined && 'navigation' in resource ? resource.navigation : undefined
}

/** The type of a line of types that declares a relation. */
function findRelation(resources: Resources, type: string, relation: string): string | undefined {
  return lineOf(resources, type).find(each => navigationOf(resources, each)?.[relation] !== undefined)
}

/** Whether one of two types derives from the other. */
function isRelated(resources: Resources, one: string, other: string): boolean {
  return lineOf(resources, one).includes(other) || lineOf(resources, other).includes(one)
}
