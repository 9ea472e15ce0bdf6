import type { Area } from '../../../conformance/index.js'
import type { Expression } from '../../../runtime/query/index.js'
import type { Behaviour, Reply, RequestContext } from '../service/behaviour.js'
import { isObject, type Json, type JsonObject } from '../service/json.js'

/** A service with one fault. */
export interface Mutant {
  readonly name: string
  /** The area of the interface that it breaks. */
  readonly area: Area
  /** What it does, in one sentence. */
  readonly statement: string
  /** The spec with which the fault shows. */
  readonly spec: 'directory' | 'library'
  /** Overrides decisions of the correct behaviour. Called once for each service. */
  readonly change: (correct: Behaviour) => Partial<Behaviour>
}

type Change = Mutant['change']

/** Defines the mutants of one area. */
export function mutantsIn(
  area: Area,
  spec: Mutant['spec'] = 'directory',
): (name: string, statement: string, change: Change) => Mutant {
  return (name, statement, change) => ({ name, area, statement, spec, change })
}

/** Changes response bodies that are objects. */
export function changeBody(
  change: (body: JsonObject, at: RequestContext, reply: Reply) => Json,
): Pick<Behaviour, 'reply'> {
  return {
    reply: (reply, at) => (isObject(reply.json) ? { ...reply, json: change(reply.json, at, reply) } : reply),
  }
}

/** Changes the bodies of lists. */
export function changeList(change: (body: JsonObject, at: RequestContext) => Json): Pick<Behaviour, 'reply'> {
  return changeBody((body, at) =>
    Array.isArray(body['value']) && at.endpoint?.kind === 'collection' ? change(body, at) : body,
  )
}

/** Changes the next links of lists. */
export function changeLink(
  change: (link: string, at: RequestContext) => string | null | undefined,
): Pick<Behaviour, 'reply'> {
  return changeList((body, at) => {
    const { '@odata.nextLink': link, ...others } = body
    if (typeof link !== 'string') return body
    const changed = change(link, at)
    return changed === undefined ? others : { ...others, '@odata.nextLink': changed }
  })
}

/** Changes `$filter` as a whole. */
export function changeFilter(change: (filter: Expression) => Expression): Pick<Behaviour, 'interpret'> {
  return {
    interpret: options => (options.filter === undefined ? options : { ...options, filter: change(options.filter) }),
  }
}

/** Changes each node of `$filter`. */
export function changeNodes(change: (node: Expression) => Expression): Pick<Behaviour, 'interpret'> {
  return changeFilter(filter => mapExpression(filter, change))
}

/** Changes each string literal of `$filter`. */
export function changeStrings(change: (text: string) => string): Pick<Behaviour, 'interpret'> {
  return changeNodes(node =>
    node.kind === 'literal' && node.type === 'String' ? { ...node, value: change(node.value) } : node,
  )
}

/** Maps each node of an expression, bottom-up. */
export function mapExpression(node: Expression, change: (node: Expression) => Expression): Expression {
  const inner = (each: Expression): Expression => mapExpression(each, change)
  switch (node.kind) {
    case 'unary':
      return change({ ...node, operand: inner(node.operand) })
    case 'binary':
      return change({ ...node, left: inner(node.left), right: inner(node.right) })
    case 'call':
      return change({ ...node, arguments: node.arguments.map(inner) })
    case 'lambda':
      return change(node.predicate === undefined ? node : { ...node, predicate: inner(node.predicate) })
    case 'list':
      return change({ ...node, items: node.items.map(inner) })
    default:
      return change(node)
  }
}

export function countNodes(expression: Expression): number {
  let count = 0
  mapExpression(expression, node => {
    count++
    return node
  })
  return count
}
