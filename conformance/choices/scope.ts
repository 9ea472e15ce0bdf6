import { childExpressions, type Expression, type QueryOptions } from '../../runtime/query/index.js'
import type { ResolvedSegment } from '../../spec/language/index.js'
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

/** The paths of the properties by which a query selects and sorts items. */
export function propertiesOfQuery({ filter, orderby = [] }: QueryOptions): readonly string[] {
  const expressions = [...(filter === undefined ? [] : [filter]), ...orderby.map(({ expression }) => expression)]
  return [...new Set(expressions.flatMap(comparedProperties))]
}
