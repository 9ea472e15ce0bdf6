import type { PrimitiveTypeName, ValueType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'

/** Some value of a type, for operations whose meaning is not told. */
export function sampleValue(type: ValueType): Json {
  switch (type.kind) {
    case 'primitive':
      return samplePrimitive(type.name)
    case 'typeDefinition':
      return samplePrimitive(type.underlying)
    case 'enumType':
      return type.members[0]?.name ?? null
    default:
      return Object.fromEntries(
        type.properties.map(property => {
          if (property.collection) return [property.name, []]
          return [property.name, property.nullable ? null : sampleValue(property.type)]
        }),
      )
  }
}

const samples: Readonly<Partial<Record<PrimitiveTypeName, Json>>> = {
  Boolean: true,
  String: 'text',
  Date: '2026-03-01',
  DateTimeOffset: '2026-03-01T10:00:00Z',
  TimeOfDay: '10:00:00',
  Duration: 'PT1H',
  Guid: '00000000-0000-4000-8000-000000000000',
  Binary: '',
}

function samplePrimitive(name: PrimitiveTypeName): Json {
  return samples[name] ?? (name.startsWith('Geo') || name === 'Stream' ? null : 1)
}
