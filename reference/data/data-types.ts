import type { PropertyInfo, StructuredTypeInfo, TypeInfo, TypeTable } from '../../runtime/query/schema.js'
import type { EntityType, Service } from '../../spec/language/index.js'
import { buildTypeTable } from '../../spec/language/table/type-table.js'

/**
 * The types of a service as data files have them: what callers may not set is set here, and what a row cannot be without
 * must be given, unless the store makes it up: a key that the service gives, a stamp.
 */
export function dataTypes(service: Service): TypeTable {
  const table: Record<string, TypeInfo> = Object.create(null)
  const entityTypes = new Map(service.entityTypes.map(type => [type.name, type]))
  for (const [name, info] of Object.entries(buildTypeTable(service))) {
    table[name] =
      info.kind === 'entityType' || info.kind === 'complexType' ? settable(info, entityTypes.get(name)) : info
  }
  return table
}

function settable(info: StructuredTypeInfo, type: EntityType | undefined): StructuredTypeInfo {
  const properties: Record<string, PropertyInfo> = Object.create(null)
  const madeUp = new Set(type?.properties.filter(({ stamp }) => stamp !== undefined).map(({ name }) => name))
  // The key is seen to by whoever reads the item.
  for (const { name } of type?.key ?? []) madeUp.add(name)
  for (const [name, property] of Object.entries(info.properties)) {
    const { computed: _computed, createOnly: _createOnly, required: _required, ...rest } = property
    const optional = property.nullable || property.collection || property.default !== undefined || madeUp.has(name)
    properties[name] = optional ? rest : { ...rest, required: true }
  }
  return { ...info, properties }
}
