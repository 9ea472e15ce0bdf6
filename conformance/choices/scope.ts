import { childExpressions, type Expression, type QueryOptions } from '../../runtime/query/index.js'
import {
  type PrimitiveTypeName,
  type Property,
  primitiveOf,
  type ResolvedSegment,
  type StructuredType,
} from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'

/**
 * The scope of a site: the collection, singleton or operation that it belongs to, as a path template. An item, a count
 * and the changes of a collection have the scope of the collection: the scope of `/users/{id}` is `users`.
 */
export function scopeOf({ endpoint }: Pick<Site, 'endpoint'>): string {
  const names = endpoint.resolved.flatMap(nameOf)
  if (names.at(-1) === '{key}') names.pop()
  return names.join('/')
}

function nameOf(step: ResolvedSegment): readonly string[] {
  switch (step.kind) {
    case 'entitySet':
    case 'singleton':
      return [step.element.name]
    case 'navigation':
    case 'property':
      return [step.property.name]
    case 'operation':
      return [step.operation.name]
    case 'key':
    case 'alternateKey':
      return ['{key}']
    case 'count':
    case 'delta':
    case 'cast':
    case 'stream':
      return []
  }
}

/** The paths of the properties that an expression reads, such as `from/emailAddress/name`. */
export function comparedProperties(expression: Expression): readonly string[] {
  const found = new Set<string>()
  const waiting: { readonly part: Expression; readonly variables: Variables }[] = [
    { part: expression, variables: new Map() },
  ]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { part, variables } = next
    if (part.kind === 'path') {
      const path = pathOf(part, variables)
      if (path !== '') found.add(path)
      continue
    }
    const inner =
      part.kind === 'lambda' && part.collection.kind === 'path' && part.variable !== undefined
        ? new Map([...variables, [part.variable, pathOf(part.collection, variables)]])
        : variables
    waiting.push(...childExpressions(part).map(child => ({ part: child, variables: inner })))
  }
  return [...found]
}

/** The path of the collection that each lambda variable stands for. */
type Variables = ReadonlyMap<string, string>

function pathOf({ root, segments }: Extract<Expression, { kind: 'path' }>, variables: Variables): string {
  const start = root?.kind === 'variable' ? [variables.get(root.name) ?? ''] : []
  const names = segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return [...start, ...names].filter(name => name !== '').join('/')
}

/** The paths of the properties by which a query selects and sorts items, and the texts of functions that it compares. */
export function propertiesOfQuery({ filter, orderby = [] }: QueryOptions): readonly string[] {
  const expressions = [...(filter === undefined ? [] : [filter]), ...orderby.map(({ expression }) => expression)]
  return [...new Set(expressions.flatMap(each => [...comparedProperties(each), ...comparedResults(each)]))]
}

const textFunctions: ReadonlySet<string> = new Set(['tolower', 'toupper', 'trim', 'concat', 'substring'])

/**
 * The functions whose text an expression compares, such as `tolower(id)`. A service may compare it by another collation than
 * the property: some columns, such as keys, have one of their own.
 */
function comparedResults(expression: Expression): readonly string[] {
  const children = childExpressions(expression)
  const inner = children.flatMap(comparedResults)
  if (expression.kind !== 'binary' || expression.operator === 'and' || expression.operator === 'or') return inner
  const calls = children.flatMap(child => (child.kind === 'call' && textFunctions.has(child.function) ? [child] : []))
  return [...inner, ...calls.flatMap(call => comparedProperties(call).map(path => `${call.function}(${path})`))]
}

const comparesTexts = ({ type }: Property): boolean => primitiveOf(type) === 'String'
const hasType =
  (name: PrimitiveTypeName) =>
  ({ type }: Property): boolean =>
    primitiveOf(type) === name

/** Whether a property may be null: it is nullable, or the spec only assumes that the service sets it. */
export function permitsNull({ nullable, computed, assumed }: Property): boolean {
  return nullable || (computed && assumed !== undefined)
}

/** The properties that a choice is about. A choice that is not listed is about all of them. */
const isAbout: ReadonlyMap<string, (property: Property) => boolean> = new Map([
  ...['stringComparison', 'functionComparison', 'accents', 'normalization', 'trailingSpaces', 'stringOrder'].map(
    choice => [choice, comparesTexts] as const,
  ),
  ['emptyString', comparesTexts],
  ['nullFunction', property => comparesTexts(property) && permitsNull(property)],
  ['nullEquality', permitsNull],
  ['nullRelational', permitsNull],
  ['nullOrder', permitsNull],
  ['absentProperty', permitsNull],
  ['guidLiteral', hasType('Guid')],
  ['timestampPrecision', hasType('DateTimeOffset')],
  ['enumOrder', ({ type }) => type.kind === 'enumType'],
])

/** The paths among these that a choice is about. What is not known of a path counts. */
export function pathsOfChoice(
  choice: string,
  paths: readonly string[],
  type: StructuredType | undefined,
): readonly string[] {
  const applies = isAbout.get(choice)
  if (applies === undefined || type === undefined) return paths
  return paths.filter(path => {
    const property = propertyAt(type, path.split('/'))
    return property === undefined || applies(property)
  })
}

function propertyAt(type: StructuredType, [name, ...rest]: readonly string[]): Property | undefined {
  const property = type.properties.find(each => each.name === name)
  if (property === undefined || rest.length === 0) return property
  return property.type.kind === 'complexType' ? propertyAt(property.type, rest) : undefined
}
