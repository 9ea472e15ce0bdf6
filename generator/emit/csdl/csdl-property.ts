import type { Facets, NavigationProperty, Property } from '../../../spec/language/model/index.js'
import { annotationsOf, tag } from './annotation-value.js'
import type { Annotation, AnnotationValue, CsdlNavigationProperty, CsdlProperty } from './csdl-document.js'
import { facetsOf, typeName } from './csdl-types.js'
import { saidOf } from './said.js'

export function csdlProperty(property: Property): CsdlProperty {
  const { default: byDefault } = property
  return {
    name: property.name,
    type: typeName(property.type),
    collection: property.collection,
    nullable: property.nullable,
    ...facetsOf(property.type, property),
    ...(byDefault === undefined || byDefault === null ? {} : { defaultValue: byDefault }),
    annotations: [...saidOf(property), ...facetAnnotations(property), ...behaviour(property)],
  }
}

/** Facets for which CSDL has no attribute. */
export function facetAnnotations(facets: Facets): readonly Annotation[] {
  return annotationsOf([
    ['Validation.Pattern', facets.pattern],
    ['Validation.Minimum', facets.minimum],
    ['Validation.Maximum', facets.maximum],
    ['Validation.MinItems', facets.minItems],
    ['Validation.MaxItems', facets.maxItems],
    ['Specwright.MinLength', facets.minLength],
  ])
}

const read: AnnotationValue = { kind: 'EnumMember', type: 'Core.Permission', members: 'Read' }

function behaviour(property: Property): readonly Annotation[] {
  const { computed, createOnly, returned, search } = property
  return annotationsOf([
    ['Core.Computed', tag(computed)],
    ['Core.Permissions', computed ? read : undefined],
    ['Core.Immutable', tag(createOnly)],
    ['Specwright.Required', property.required === isRequiredByRule(property) ? undefined : property.required],
    ['Specwright.Unique', tag(property.unique)],
    ['Specwright.Returned', returned === 'byDefault' ? undefined : returned],
    ['Specwright.Stamp', property.stamp],
    ['Specwright.Search', search === 'none' ? undefined : search],
    ['Specwright.Index', tag(property.index)],
    ['Specwright.NullDefault', tag(property.default === null)],
  ])
}

/** What a create must have unless the spec says otherwise. */
function isRequiredByRule({ nullable, computed, collection, default: byDefault }: Property): boolean {
  return !nullable && !computed && !collection && byDefault === undefined
}

const onDelete = { cascade: 'Cascade', none: 'None', setNull: 'SetNull', restrict: 'Restrict' } as const

export function csdlNavigationProperty(relation: NavigationProperty): CsdlNavigationProperty {
  return {
    name: relation.name,
    type: typeName(relation.type),
    collection: relation.collection,
    nullable: relation.nullable,
    ...(relation.partner === undefined ? {} : { partner: relation.partner.name }),
    containsTarget: relation.contained,
    constraints: relation.constraint.map(({ dependent, principal }) => ({
      property: dependent,
      referencedProperty: principal,
    })),
    ...(relation.onDelete === undefined ? {} : { onDelete: onDelete[relation.onDelete] }),
    annotations: saidOf(relation),
  }
}
