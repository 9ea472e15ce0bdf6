/** The place of an element: an offset in XML, a JSON Pointer in JSON. */
export type CsdlLocation = number | string

/**
 * An element of a CSDL document in the XML form. The JSON form is converted to it, so that later stages know only one form.
 *
 * @see OData CSDL XML Representation 4.01
 */
export interface CsdlElement {
  /** Without prefix: `EntityType`. */
  readonly name: string
  /** Values by name; attributes of other namespaces as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly CsdlElement[]
  /** The text of an element without children. */
  readonly text: string
  readonly location: CsdlLocation
  /** The value of an annotation, if it is already read, as in JSON. */
  readonly value?: AnnotationValue
}

/** The children of one name, in order. */
export function childrenOf(element: CsdlElement, name: string): readonly CsdlElement[] {
  return element.children.filter(child => child.name === name)
}

export function isTrue(element: CsdlElement, attribute: string): boolean {
  return element.attributes.get(attribute) === 'true'
}

/** The value of an annotation. Paths and members of enumerations are texts: `Read,Write`. */
export type AnnotationValue = string | number | boolean | null | readonly AnnotationValue[] | RecordValue

/** The members of a record, and those that were read: a spec cannot express the others. */
export interface RecordValue {
  readonly members: ReadonlyMap<string, AnnotationValue | undefined>
  readonly read: Set<string>
}

export function isRecord(value: AnnotationValue | undefined): value is RecordValue {
  return typeof value === 'object' && value !== null && 'members' in value
}

export function isList(value: AnnotationValue | undefined): value is readonly AnnotationValue[] {
  return Array.isArray(value)
}

/** A member of a record; undefined if it is absent or not a constant, or the value is not a record. */
export function memberOf(value: AnnotationValue | undefined, name: string): AnnotationValue | undefined {
  if (!isRecord(value)) return undefined
  value.read.add(name)
  return value.members.get(name)
}

export function textOf(value: AnnotationValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function numberOf(value: AnnotationValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** The texts of a collection; undefined when it is not a collection. */
export function textsOf(value: AnnotationValue | undefined): readonly string[] | undefined {
  return isList(value) ? value.filter(item => typeof item === 'string') : undefined
}

/** The records of a collection. */
export function recordsOf(value: AnnotationValue | undefined): readonly RecordValue[] {
  return isList(value) ? value.filter(isRecord) : []
}

/** Marks all members of a record as read: a spec need not express them. */
export function ignoreMembers(value: AnnotationValue | undefined): undefined {
  if (isRecord(value)) for (const name of value.members.keys()) value.read.add(name)
  return undefined
}

/**
 * The value of an `Annotation` or `PropertyValue`; undefined for one that depends on data. An element without a value
 * means `true`, the default of all terms that have one.
 *
 * @see OData CSDL XML Representation 4.01, 14.3 and 14.4 (constant and dynamic expressions)
 */
export function xmlValue(element: CsdlElement): AnnotationValue | undefined {
  if (element.value !== undefined) return element.value
  for (const [name, read] of constants) {
    const text = element.attributes.get(name)
    if (text !== undefined) return read(text)
  }
  if (dynamicAttributes.some(name => element.attributes.has(name))) return undefined
  const expression = element.children.find(({ name }) => name !== 'Annotation')
  return expression === undefined ? true : expressionValue(expression)
}

function expressionValue(element: CsdlElement): AnnotationValue | undefined {
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

const asIs = (text: string): AnnotationValue => text
const trimmed = (text: string): AnnotationValue => text.trim()
const numeric = (text: string): AnnotationValue | undefined => {
  const number = Number(text.trim())
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** The reader for each kind of constant, as an attribute or as an element. */
const constants: ReadonlyMap<string, (text: string) => AnnotationValue | undefined> = new Map([
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

/** The part after the last dot. */
export const localName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The part before the last dot. Empty for a name without a dot. */
export const namespaceOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')))

/**
 * The last part of a namespace that says what the service is about. Versions such as `v0001` and generic words such as
 * `Default` do not. Undefined if all parts are of these kinds.
 */
export function tellingSegment(namespace: string): string | undefined {
  return namespace
    .split('.')
    .reverse()
    .find(segment => !isVersion.test(segment) && !genericSegments.has(segment.toLowerCase()))
}

const isVersion = /^v?\d+(?:[._-]\d+)*$/i

const genericSegments: ReadonlySet<string> = new Set([
  ...['api', 'container', 'context', 'data', 'default', 'defaultcontainer', 'edm', 'entities', 'metadata', 'model'],
  ...['models', 'odata', 'schema', 'service', 'services'],
])

/** `Collection(Edm.String)` in its parts. */
export function typeReference(text: string): { readonly name: string; readonly collection: boolean } {
  const inner = /^Collection\((.*)\)$/.exec(text.trim())?.[1]
  return inner === undefined ? { name: text.trim(), collection: false } : { name: inner.trim(), collection: true }
}

/** Whether a spec can keep a name: a simple identifier of CSDL with a letter or a digit, and not `__proto__`. */
export function isUsableName(name: string): boolean {
  return simpleIdentifier.test(name) && name !== '__proto__' && /[\p{L}\p{N}]/u.test(localName(name))
}

/** @see OData CSDL 4.01, 15.2 (simple identifier) */
const simpleIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]{0,127}$/u

const reserved: ReadonlySet<string> = new Set(['edm', 'odata', 'system', 'transient'])

/** Whether a spec may have a namespace. @see OData CSDL 4.01, 5.1 */
export function isUsableNamespace(namespace: string): boolean {
  return dotted.test(namespace) && namespace.length <= 511 && !reserved.has(namespace.toLowerCase())
}

const dotted =
  /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*)*$/u
