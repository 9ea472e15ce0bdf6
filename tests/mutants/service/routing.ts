import type { Endpoint, Property, ResolvedSegment, Service, StructuredType } from '../../../spec/language/index.js'
import type { EndpointContext, Target } from './behaviour.js'
import type { Entity } from './store.js'

/** The endpoints of a path and the values of its variables. */
export interface PathMatch {
  readonly endpoints: readonly Endpoint[]
  /** The decoded text of each variable. Function arguments are literals. */
  readonly variables: ReadonlyMap<string, string>
}

/** Finds the path of the spec that matches an encoded request path. Literal segments win over keys. */
export function matchPath(service: Service, path: string): PathMatch | undefined {
  const given = path.split('/').slice(1)
  const found = service.paths
    .map(({ template, endpoints }) => ({ endpoints, template, variables: matchTemplate(template, given) }))
    .flatMap(({ endpoints, template, variables }) =>
      variables === undefined ? [] : [{ endpoints, template, variables }],
    )
  // `/users/delta` wins over `/users/{id}`: the template whose first variable comes later matches.
  found.sort((a, b) => literalLength(b.template) - literalLength(a.template))
  return found[0]
}

function literalLength(template: string): number {
  const open = template.indexOf('{')
  return open < 0 ? Number.POSITIVE_INFINITY : open
}

function matchTemplate(template: string, given: readonly string[]): ReadonlyMap<string, string> | undefined {
  const wanted = template.split('/').slice(1)
  if (wanted.length !== given.length) return undefined
  const variables = new Map<string, string>()
  for (const [index, part] of wanted.entries()) {
    if (!matchSegment(part, given[index] ?? '', variables)) return undefined
  }
  return variables
}

function matchSegment(template: string, given: string, variables: Map<string, string>): boolean {
  const text = decode(given)
  if (text === undefined) return false
  const open = template.indexOf('(')
  if (template.startsWith('{')) {
    variables.set(template.slice(1, -1), text)
    return text !== ''
  }
  if (open < 0) return text === template
  if (!text.startsWith(template.slice(0, open + 1)) || !text.endsWith(')')) return false
  const values = splitArguments(text.slice(open + 1, -1))
  const names = splitArguments(template.slice(open + 1, -1))
  if (values === undefined || names === undefined || values.size !== names.size) return false
  for (const [name, variable] of names) {
    const value = values.get(name)
    if (value === undefined) return false
    variables.set(variable.slice(1, -1), value)
  }
  return true
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Splits `a='x,y',b=2` into names and literals. Commas within quotes do not separate. Undefined if malformed. */
function splitArguments(text: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  if (text.trim() === '') return found
  let quoted = false
  let start = 0
  for (let index = 0; index <= text.length; index++) {
    if (text[index] === "'") quoted = !quoted
    if (index < text.length && (text[index] !== ',' || quoted)) continue
    const part = text.slice(start, index)
    const equals = part.indexOf('=')
    if (equals <= 0) return undefined
    found.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim())
    start = index + 1
  }
  return found
}

/** Resolves the segments of a path, up to an operation, count or delta segment. */
export function resolveTarget(endpoint: Pick<Endpoint, 'resolved'>, context: EndpointContext): Target {
  let target: Target = { kind: 'missing' }
  for (const segment of endpoint.resolved) {
    if (/^(?:operation|count|delta|stream)$/.test(segment.kind)) break
    target = followSegment(target, segment, context)
    if (target.kind === 'missing') return target
  }
  return target
}

function followSegment(target: Target, segment: ResolvedSegment, context: EndpointContext): Target {
  const { store } = context
  switch (segment.kind) {
    case 'entitySet': {
      const { name } = segment.element
      return { kind: 'many', rows: store.sets.get(name) ?? [], source: { kind: 'set', name } }
    }
    case 'singleton':
      return single(segment.element.principal ? store.principal : store.singletons.get(segment.element.name))
    case 'key':
      return target.kind === 'many'
        ? single(findByKey(target.rows, segment.type.key, segment.variables, segment.style === 'parentheses', context))
        : target
    case 'alternateKey': {
      if (target.kind !== 'many') return target
      const found = findByKey(target.rows, segment.properties, segment.variables, true, context)
      return single(context.behaviour.byAlternateKey(found, target.rows, context))
    }
    case 'navigation': {
      if (target.kind !== 'one') return { kind: 'missing' }
      const rows = context.behaviour.related(target.row, segment.property, context)
      const [first] = rows
      if (segment.property.collection) {
        return { kind: 'many', rows, source: { kind: 'relation', owner: target.row, relation: segment.property } }
      }
      return first === undefined ? { kind: 'empty' } : single(first)
    }
    case 'cast': {
      const keeps = ({ type }: Entity, { qualifiedName }: StructuredType): boolean =>
        context.behaviour.castKeeps(type, qualifiedName, context)
      if (target.kind === 'one') return keeps(target.row, segment.type) ? target : { kind: 'missing' }
      if (target.kind !== 'many') return target
      return { ...target, rows: target.rows.filter(row => keeps(row, segment.type)) }
    }
    default:
      return target
  }
}

function single(row: Entity | undefined): Target {
  return row === undefined ? { kind: 'missing' } : { kind: 'one', row }
}

function findByKey(
  rows: readonly Entity[],
  key: readonly Property[],
  variables: readonly string[],
  isLiteral: boolean,
  context: EndpointContext,
): Entity | undefined {
  return rows.find(row =>
    key.every((property, index) => {
      const written = context.variables.get(variables[index] ?? '') ?? ''
      const text = context.behaviour.parseKey(isLiteral ? unquoted(written) : written, context)
      const value = row.values[property.name]
      const isGuid = property.type.kind === 'primitive' && property.type.name === 'Guid'
      return isGuid ? String(value).toLowerCase() === text.toLowerCase() : String(value) === text
    }),
  )
}

/** A key in parentheses is a literal; a key in its own segment is unquoted. */
function unquoted(text: string): string {
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}
