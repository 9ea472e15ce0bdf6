import {
  bindQuery,
  type Capabilities,
  canonicalFunctions,
  checkCapabilities,
  parseFilter,
  type TypeTable,
} from '../../runtime/query/index.js'
import {
  type EntityType,
  isStream,
  type Property,
  primitiveOf,
  type StructuredType,
} from '../../spec/language/index.js'

/** How a value is written in a filter: `enumeration` and `text` in quotes, `plain` as it is. */
type LiteralForm = 'text' | 'enumeration' | 'number' | 'boolean' | 'duration' | 'binary' | 'plain'

/** What a filter can compare with values: a property, or the result of a function of it. */
interface FilterOperand {
  /** The function, such as `year`. Absent: the value itself. */
  readonly function?: string
  readonly form: LiteralForm
  /** Comparison operators, `in` and `has`. */
  readonly operators: readonly string[]
}

/** A property that filters of an endpoint can use, and how. */
export interface FilterField {
  /** From the item, or from the items of `collection`: `from/emailAddress/address`. Empty: the primitive item itself. */
  readonly path: string
  /** The collection whose items have the property, and the lambda operators that lead to them. */
  readonly collection?: { readonly path: string; readonly lambdas: readonly string[] }
  /** The name of the type, for people. */
  readonly type: string
  /** Whether it can be compared with null. */
  readonly nullable: boolean
  /** The members of an enumeration. */
  readonly members?: readonly string[]
  readonly operands: readonly FilterOperand[]
  /** Functions with a text as their second argument that are conditions: `startswith`. */
  readonly predicates: readonly string[]
}

/** What a filter of an endpoint can contain, as the builder on the page offers it. */
export interface FilterFields {
  readonly fields: readonly FilterField[]
  /** Those of `and`, `or` and `not` that are supported. */
  readonly logical: readonly string[]
}

/** The number of names in the longest path that the builder offers. */
const longestPath = 3

const comparisons = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has']

/** A literal of each form, to try a condition. */
const samples: Readonly<Record<string, string>> = {
  Boolean: 'true',
  Date: '2026-01-01',
  DateTimeOffset: '2026-01-01T00:00:00Z',
  TimeOfDay: '12:00:00',
  Duration: "duration'PT1H'",
  Guid: '00000000-0000-0000-0000-000000000000',
  Binary: "binary'AA'",
  String: "'a'",
}

/**
 * What filters of an endpoint can contain. Each condition that is offered is one that the service accepts: it was bound to the
 * types and checked against the capabilities, as that of a request is.
 *
 * @param type that of the items
 */
export function filterFields(capabilities: Capabilities, type: EntityType, types: TypeTable): FilterFields {
  const { filter } = capabilities
  const accepts = (text: string): boolean => {
    const options = { filter: parseFilter(text) }
    const problems = [
      ...bindQuery(options, types, type.name),
      ...checkCapabilities(options, capabilities, types, type.name),
    ]
    return problems.length === 0
  }
  const declared = (record: Readonly<Record<string, string>>): readonly string[] =>
    Object.keys(record).filter(name => record[name] !== 'none')
  const lambdas = declared(filter.lambdas)
  const functions = declared(filter.functions)
  const operators = declared(filter.operators)
  const fields = candidates(type, '', []).flatMap(({ path, collection, property }): readonly FilterField[] => {
    const usable = lambdas.filter(lambda => accepts(`${collection}/${lambda}(x:true)`))
    if (collection !== undefined && usable.length === 0) return []
    const operand = collection === undefined ? path : path === '' ? 'x' : `x/${path}`
    const tries = (condition: string): boolean =>
      accepts(collection === undefined ? condition : `${collection}/${usable[0]}(x:${condition})`)
    const compared = (text: string, literal: string): readonly string[] =>
      comparisons.filter(
        name => operators.includes(name) && tries(`${text} ${name} ${name === 'in' ? `(${literal})` : literal}`),
      )
    const members = property.type.kind === 'enumType' ? property.type.members.map(({ name }) => name) : undefined
    const literal = members === undefined ? sampleOf(primitiveOf(property.type)) : `'${members[0]}'`
    const own = { form: formOf(property), operators: compared(operand, literal) }
    const computed = functions.flatMap(name => {
      const result = unaryResult(name, property)
      if (result === undefined) return []
      return { function: name, form: result.form, operators: compared(`${name}(${operand})`, result.literal) }
    })
    const operands = [own, ...computed].filter(each => each.operators.length > 0)
    const predicates = functions.filter(
      name => isPredicate(name) && primitiveOf(property.type) === 'String' && tries(`${name}(${operand},'a')`),
    )
    if (operands.length === 0 && predicates.length === 0) return []
    const nullable = property.nullable && operators.includes('eq') && tries(`${operand} eq null`)
    return [
      {
        path,
        ...(collection === undefined ? {} : { collection: { path: collection, lambdas: usable } }),
        type: property.type.name,
        nullable,
        ...(members === undefined ? {} : { members }),
        operands,
        predicates,
      },
    ]
  })
  return { fields, logical: ['and', 'or', 'not'].filter(name => operators.includes(name)) }
}

interface Candidate {
  readonly path: string
  readonly collection?: string
  readonly property: Pick<Property, 'type' | 'nullable'>
}

/** The paths to single values, through complex properties and relations, and to those of the items of collections. */
function candidates(type: StructuredType, prefix: string, within: readonly StructuredType[]): readonly Candidate[] {
  if (within.includes(type) || within.length === longestPath) return []
  const inner = [...within, type]
  const below = (target: StructuredType, name: string, collection: boolean): readonly Candidate[] => {
    if (!collection) return candidates(target, `${prefix}${name}/`, inner)
    return candidates(target, '', inner).flatMap(each =>
      each.collection === undefined ? { ...each, collection: prefix + name } : [],
    )
  }
  return [
    ...type.properties.flatMap(property => {
      const { name, collection } = property
      if (property.type.kind === 'complexType') return below(property.type, name, collection)
      if (isStream(property.type) || property.type.name.startsWith('Geo')) return []
      const path = prefix + name
      return collection
        ? { path: '', collection: path, property: { ...property, nullable: false } }
        : { path, property }
    }),
    ...type.navigation.flatMap(({ name, type: target, collection }) => below(target, name, collection)),
  ]
}

const sampleOf = (primitive: string | undefined): string => samples[primitive ?? ''] ?? '1'

function formOf({ type }: Pick<Property, 'type'>): LiteralForm {
  return type.kind === 'enumType' ? 'enumeration' : formOfPrimitive(primitiveOf(type) ?? '')
}

const formsByType: Readonly<Record<string, LiteralForm>> = {
  String: 'text',
  Boolean: 'boolean',
  Duration: 'duration',
  Binary: 'binary',
}

function formOfPrimitive(name: string): LiteralForm {
  return formsByType[name] ?? (Object.hasOwn(samples, name) ? 'plain' : 'number')
}

/** What a function of one argument returns for a property; undefined if it takes none of that type, or more arguments. */
function unaryResult(
  name: string,
  { type }: Pick<Property, 'type'>,
): { readonly form: LiteralForm; readonly literal: string } | undefined {
  const primitive = primitiveOf(type) ?? ''
  const isNumber = formOfPrimitive(primitive) === 'number'
  const signature = canonicalFunctions
    .get(name.toLowerCase())
    ?.signatures.find(
      ({ parameters: [first, ...others] }) =>
        others.length === 0 &&
        (first === `Edm.${primitive}` || (isNumber && (first === 'number' || first === 'integer'))),
    )
  if (signature === undefined) return undefined
  const returned = signature.returns === 'same' ? primitive : signature.returns.replace('Edm.', '')
  return { form: formOfPrimitive(returned), literal: sampleOf(returned) }
}

/** Whether a function of two texts is a condition. */
function isPredicate(name: string): boolean {
  const signatures = canonicalFunctions.get(name.toLowerCase())?.signatures ?? []
  return signatures.some(
    ({ parameters, returns }) =>
      returns === 'Edm.Boolean' && parameters.length === 2 && parameters.every(each => each === 'Edm.String'),
  )
}
