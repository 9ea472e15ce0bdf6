import type { CsdlElement } from '../csdl/csdl-element.js'
import type { Value } from './value.js'

/**
 * The value of an `Annotation` or `PropertyValue`; undefined for one that depends on data. An element without value stands
 * for `true`, the default of all terms that have one.
 *
 * @see OData CSDL XML Representation 4.01, 14.3 and 14.4 (constant and dynamic expressions)
 */
export function xmlValue(element: CsdlElement): Value | undefined {
  if (element.value !== undefined) return element.value
  for (const [name, read] of constants) {
    const text = element.attributes.get(name)
    if (text !== undefined) return read(text)
  }
  if (dynamicAttributes.some(name => element.attributes.has(name))) return undefined
  const expression = element.children.find(({ name }) => name !== 'Annotation')
  return expression === undefined ? true : expressionValue(expression)
}

function expressionValue(element: CsdlElement): Value | undefined {
  const read = constants.get(element.name)
  if (read !== undefined) return read(element.text)
  switch (element.name) {
    case 'Null':
      return null
    case 'Collection':
      return element.children.map(expressionValue).filter(value => value !== undefined)
    case 'Record': {
      const values = element.children.filter(({ name }) => name === 'PropertyValue')
      const members = new Map(values.map(child => [child.attributes.get('Property') ?? '', xmlValue(child)]))
      return { members, read: new Set() }
    }
    default:
      return undefined
  }
}

const dynamicAttributes = ['Path', 'UrlRef', 'LabeledElementReference']

const asIs = (text: string): Value => text
const trimmed = (text: string): Value => text.trim()
const numeric = (text: string): Value | undefined => {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** How each kind of constant is read, as an attribute or as an element. */
const constants: ReadonlyMap<string, (text: string) => Value | undefined> = new Map([
  ['String', asIs],
  ['Bool', (text: string) => (text.trim() === 'true' ? true : text.trim() === 'false' ? false : undefined)],
  ['Int', numeric],
  ['Decimal', numeric],
  ['Float', numeric],
  ['EnumMember', (text: string) => enumMembers(text)],
  ...['PropertyPath', 'NavigationPropertyPath', 'AnnotationPath', 'ModelElementPath', 'AnyPropertyPath'].map(
    name => [name, trimmed] as const,
  ),
  ...['Binary', 'Date', 'DateTimeOffset', 'Duration', 'Guid', 'TimeOfDay'].map(name => [name, trimmed] as const),
])

/** `Ns.Type/A Ns.Type/B` -> `A,B`. */
function enumMembers(text: string): string {
  return text
    .trim()
    .split(/\s+/)
    .map(member => member.slice(member.lastIndexOf('/') + 1))
    .join(',')
}
