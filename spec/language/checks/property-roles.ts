import { structuredTypes } from '../model/service.js'
import { primitiveOf } from '../model/types.js'
import type { Check } from './check.js'

/** The settings of a property are consistent: who sets it, when, and how it is searched. */
export const propertyRoles: Check = ({ document, service, report }) => {
  for (const type of structuredTypes(service)) {
    for (const property of type.ownProperties) {
      const { name, computed, createOnly, stamp, search, collection, location } = property
      const primitive = primitiveOf(property.type)
      const breach = (code: string, word: string, message: string): void =>
        report({ code, message, at: `${location.pointer}/${word}`, on: 'key' })
      if (computed && createOnly) {
        breach(
          'spec/property-roles',
          'createOnly',
          `"${name}" is \`computed\`, so no create can set it. Remove one of the two.`,
        )
      }
      const written = document.resources[type.name]
      const says = written !== undefined && 'properties' in written ? written.properties?.[name]?.required : undefined
      if (computed && says === true) {
        breach(
          'spec/property-roles',
          'required',
          `"${name}" is \`computed\`, so no create can have it. Remove one of the two.`,
        )
      }
      if (stamp !== undefined && (!computed || collection || primitive !== 'DateTimeOffset')) {
        breach(
          'spec/stamp',
          'stamp',
          `"${name}" cannot be a time stamp. Only a single \`computed\` DateTimeOffset can.`,
        )
      }
      if (search !== 'none' && primitive !== 'String') {
        breach('spec/search', 'search', `"${name}" is of "${property.type.name}". Only text can be searched.`)
      }
    }
  }
}

/**
 * A structural property is a value. Navigation properties lead to items.
 *
 * @see OData CSDL 4.01, 7.1 (type of a structural property)
 */
export const entityAsValue: Check = ({ service, report }) => {
  for (const type of structuredTypes(service)) {
    for (const { name, type: of, location } of type.ownProperties) {
      if (of.kind !== 'entityType') continue
      const message = `"${name}" is of the entity type "${of.name}". Declare it under \`navigation\`: \`${name}: { to: ${of.name} }\`.`
      report({ code: 'spec/entity-as-value', message, at: `${location.pointer}/type` })
    }
  }
}
