import type { ComplexType, Facets, Property, Service, StructuredType } from '../../../spec/language/index.js'
import { derivesFrom } from '../../../spec/language/model/derives-from.js'
import { hashOf, type Random } from './random.js'
import { seedGeo } from './seed-geo.js'
import { seedDate, seedDuration, seedTime, seedTimestamp } from './seed-moment.js'
import { isNumeric, seedNumber } from './seed-number.js'
import { type TextMaker, textMaker } from './seed-text.js'

/** Makes the value of a property of an item, or of a complex value in it; undefined: to be left out. */
export type ValueMaker = (property: Property, owner: StructuredType, random: Random, depth: number) => unknown

/** How deep complex values nest where they could go on without end. */
const deepest = 4

/** Makes values for the properties of a service. */
export function valueMaker(service: Service): ValueMaker {
  const texts = new Map<Property, TextMaker>()
  const concrete = new Map<ComplexType, readonly ComplexType[]>()

  const textOf = (property: Property, facets: Facets, owner: StructuredType, random: Random): string => {
    const known = texts.get(property) ?? textMaker(property, facets, `${owner.name}/${property.name}`)
    texts.set(property, known)
    return known(random)
  }

  const make: ValueMaker = (property, owner, random, depth) => {
    if (property.type.kind === 'primitive' && property.type.name === 'Stream') return undefined
    if (!property.collection) {
      if (property.nullable && (depth >= deepest || random.percent(8))) return null
      if (property.default !== undefined && random.percent(40)) return undefined
      return single(property, owner, random, depth)
    }
    const least = property.minItems ?? 0
    const most = Math.min(property.maxItems ?? 3, Math.max(least, 3))
    const count = depth >= deepest ? least : least + random.below(most - least + 1)
    return Array.from({ length: count }, () => single(property, owner, random, depth))
  }

  const single = (property: Property, owner: StructuredType, random: Random, depth: number): unknown => {
    const { type } = property
    switch (type.kind) {
      case 'primitive':
        return primitive(type.name, property, property, owner, random)
      case 'typeDefinition':
        return primitive(type.underlying, { ...type, ...defined(property) }, property, owner, random)
      case 'enumType': {
        const names = type.members.map(({ name }) => name)
        const name = names[random.below(names.length)] ?? ''
        const other = names[random.below(names.length)] ?? name
        return type.flags && other !== name && random.percent(30) ? `${name},${other}` : name
      }
      case 'complexType':
        return complex(type, random, depth + 1)
      case 'entityType':
        return undefined
    }
  }

  const complex = (declared: ComplexType, random: Random, depth: number): unknown => {
    const choices = concrete.get(declared) ?? service.complexTypes.filter(each => isChoice(each, declared))
    concrete.set(declared, choices)
    const type = choices[random.percent(80) ? 0 : random.below(choices.length)] ?? declared
    const value: Record<string, unknown> = {}
    if (type !== declared) value['@odata.type'] = `#${type.qualifiedName}`
    for (const property of type.properties) {
      const given = make(property, type, random, depth)
      if (given !== undefined) value[property.name] = given
    }
    return value
  }

  const primitive = (
    type: string,
    facets: Facets,
    property: Property,
    owner: StructuredType,
    random: Random,
  ): unknown => {
    if (isNumeric(type)) return seedNumber(type, facets, random)
    switch (type) {
      case 'Boolean':
        return random.percent(70)
      case 'String':
        return textOf(property, facets, owner, random)
      case 'Guid':
        return guid(random)
      case 'Date':
        return seedDate(random)
      case 'DateTimeOffset':
        return seedTimestamp(random, facets.precision ?? 0)
      case 'TimeOfDay':
        return seedTime(random)
      case 'Duration':
        return seedDuration(random)
      case 'Binary':
        return hashOf(String(random.below(1_000_000)))
          .toString(16)
          .padStart(8, '0')
          .slice(-4)
      default:
        return seedGeo(type, random)
    }
  }

  return make
}

const isChoice = (type: ComplexType, declared: ComplexType): boolean => !type.abstract && derivesFrom(type, declared)

/** The facets that a property gives on top of those of its type definition. */
function defined({ minLength, maxLength, minimum, maximum, pattern, precision, scale }: Facets): Facets {
  const given = { minLength, maxLength, minimum, maximum, pattern, precision, scale }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function guid(random: Random): string {
  const hex = Array.from({ length: 8 }, () => random.below(65_536).toString(16).padStart(4, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
