import { constructsOf, type Expression, type QueryOptions } from '../../../runtime/query/index.js'
import type { ErrorDefinition, Service } from '../../../spec/language/index.js'
import { countNodes, mapExpression } from '../catalogue/mutant.js'
import type { Behaviour, EndpointContext, Rejection } from '../service/behaviour.js'
import type { Variant } from './variant.js'

/** A service that rejects what its spec declares as optional. */
function rejecting(
  name: string,
  statement: string,
  isRefused: (options: QueryOptions, at: EndpointContext) => boolean,
  choices: readonly string[] = [],
): Variant {
  return {
    name,
    statement,
    choices,
    change: behaviour => ({
      reject: (options, at) => (isRefused(options, at) ? unsupported(at) : behaviour.reject(options, at)),
    }),
  }
}

function unsupported({ service }: EndpointContext): Rejection {
  return { kind: 'refused', error: service.faults.unsupportedQueryOption, message: 'This is not supported here.' }
}

/** Whether an endpoint may reject an option. */
function mayReject(
  name: 'select' | 'skip' | 'count' | 'filter' | 'orderby' | 'expand' | 'search' | 'top',
  { endpoint }: EndpointContext,
): boolean {
  const query = 'query' in endpoint ? endpoint.query : undefined
  const support = query?.[name]
  return (typeof support === 'object' ? support.support : support) === 'optional'
}

function withoutOption(name: Parameters<typeof mayReject>[0]): Variant {
  return rejecting(
    `no-${name}`,
    `$${name} is rejected if it is optional.`,
    (options, at) => options[name] !== undefined && mayReject(name, at),
  )
}

function withoutConstructs(name: string, statement: string, rejected: readonly string[]): Variant {
  const isRefused = (options: QueryOptions, at: EndpointContext): boolean => {
    const used = constructsOf(options)
    return mayReject('filter', at) && rejected.some(construct => used.includes(construct))
  }
  return rejecting(name, statement, isRefused, ['optionSupport'])
}

/** Services with limited support of optional features. */
export const limitedSupportVariants: readonly Variant[] = [
  withoutOption('skip'),
  withoutOption('count'),
  withoutOption('search'),
  withoutOption('orderby'),
  withoutOption('expand'),
  withoutOption('select'),
  withoutOption('filter'),
  withoutOption('top'),
  withoutConstructs('no-lambdas-or-contains', 'Lambdas and contains are rejected.', ['filter.any', 'filter.contains']),
  rejecting(
    'plain-lambdas-only',
    'A lambda with more than one comparison by eq is rejected.',
    (options, at) => mayReject('filter', at) && options.filter !== undefined && hasLongLambda(options.filter),
    ['optionSupport'],
  ),
  withoutConstructs('no-negation', 'not and ne are rejected.', ['filter.not', 'filter.ne']),
  withoutConstructs('equality-only', 'Filters support only eq, and, startsWith and in.', [
    'filter.ne',
    'filter.gt',
    'filter.ge',
    'filter.lt',
    'filter.le',
    'filter.or',
    'filter.not',
    'filter.endswith',
    'filter.contains',
    'filter.tolower',
    'filter.any',
  ]),
  rejecting(
    'some-properties-not-filterable',
    'Every third property is neither filterable nor sortable.',
    (options, at) => {
      const type = 'type' in at.endpoint ? at.endpoint.type : undefined
      const barred = new Set(type?.properties.filter((_, index) => index % 3 === 1).map(({ name }) => name))
      const used = [options.filter, ...(options.orderby ?? []).map(({ expression }) => expression)].flatMap(namesIn)
      return mayReject('filter', at) && used.some(name => barred.has(name))
    },
  ),
  rejecting(
    'no-select-options',
    'Options of a property in $select are rejected.',
    options => options.select?.some(item => item.options !== undefined) === true,
  ),
  rejecting(
    'filter-or-order',
    '$filter and $orderby cannot be combined, nor can $search with anything else.',
    (options, at) => {
      const others = ['filter', 'orderby', 'expand', 'skip'] as const
      const isSearched = options.search !== undefined && others.some(name => options[name] !== undefined)
      return mayReject('orderby', at) && ((options.filter !== undefined && options.orderby !== undefined) || isSearched)
    },
    ['optionCombinations'],
  ),
  rejecting(
    'one-key-only',
    '$orderby supports one key, $expand one relation.',
    (options, at) => {
      const isLong = (options.orderby?.length ?? 0) > 1 || (options.expand?.length ?? 0) > 1
      return mayReject('orderby', at) && isLong
    },
    ['optionCombinations'],
  ),
  {
    name: 'short-queries-only',
    choices: ['queryLimits'],
    statement: 'Long filters are rejected.',
    change: behaviour => ({
      reject: (options, at) => {
        const isLong = options.filter !== undefined && mayReject('filter', at) && countNodes(options.filter) > 12
        if (!isLong) return behaviour.reject(options, at)
        return {
          kind: 'refused',
          error: at.service.faults.malformedQueryOption,
          message: 'The node count limit of 12 has been exceeded.',
        }
      },
    }),
  },
  {
    name: 'more-needs-the-header',
    choices: ['advancedConstructs'],
    statement: 'endsWith, ne, not, and $orderby with $filter also require the header.',
    change: behaviour => ({
      reject: (options, at) => {
        const [condition] = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
        const used = constructsOf(options)
        const isAdvanced =
          ['filter.endswith', 'filter.ne', 'filter.not'].some(construct => used.includes(construct)) ||
          (used.includes('filter') && used.includes('orderby'))
        if (condition === undefined || !isAdvanced || at.request.headers.has(condition.header.name)) {
          return behaviour.reject(options, at)
        }
        return { kind: 'refused', error: condition.otherwise }
      },
    }),
  },
  guidLiteral('quoted', node => node.kind === 'literal' && node.type === 'Guid'),
  guidLiteral('bare', (node, at) => {
    const isText = node.kind === 'binary' && node.right.kind === 'literal' && node.right.type === 'String'
    if (!isText || node.left.kind !== 'path') return false
    const last = node.left.segments.at(-1)
    const name = last?.kind === 'property' ? last.name : undefined
    const types = [...at.service.entityTypes, ...at.service.complexTypes]
    const property = types.flatMap(({ properties }) => properties).find(each => each.name === name)
    return property?.type.kind === 'primitive' && property.type.name === 'Guid'
  }),
  {
    name: 'no-optional-endpoints',
    choices: [],
    statement: 'Optional endpoints do not exist.',
    change: behaviour => ({
      reply: (reply, at) =>
        at.endpoint?.support === 'optional' && reply.status < 400
          ? behaviour.error(at.service.faults.notImplemented, 'Not here.', at)
          : behaviour.reply(reply, at),
    }),
  },
  {
    name: 'some-endpoints-forbidden',
    choices: [],
    statement: 'The credential does not give access to every endpoint.',
    change: (behaviour, { endpoints, authentication: { insufficient } }, random) => {
      const forbidden = new Set(endpoints.filter(() => random() < 0.2))
      return {
        reject: (options, at) =>
          insufficient !== undefined && forbidden.has(at.endpoint)
            ? { kind: 'refused', error: insufficient }
            : behaviour.reject(options, at),
      }
    },
  },
]

function guidLiteral(form: string, isRefused: (node: Expression, at: EndpointContext) => boolean): Variant {
  return {
    name: `guids-${form}-only`,
    choices: ['guidLiteral'],
    group: 'guids',
    statement: `A Guid in a filter must be ${form}.`,
    change: behaviour => ({
      reject: (options, at) =>
        options.filter !== undefined && someNode(options.filter, node => isRefused(node, at))
          ? {
              kind: 'refused',
              error: at.service.faults.malformedQueryOption,
              message: 'A Guid is written otherwise here.',
            }
          : behaviour.reject(options, at),
    }),
  }
}

function someNode(expression: Expression, test: (node: Expression) => boolean): boolean {
  let found = false
  mapExpression(expression, node => {
    found ||= test(node)
    return node
  })
  return found
}

function namesIn(expression: Expression | undefined): readonly string[] {
  const names: string[] = []
  if (expression !== undefined) {
    mapExpression(expression, node => {
      if (node.kind === 'path')
        for (const segment of node.segments) if (segment.kind === 'property') names.push(segment.name)
      if (node.kind === 'lambda')
        for (const segment of node.collection.segments) if (segment.kind === 'property') names.push(segment.name)
      return node
    })
  }
  return names
}

/** Selects another permitted status for each error. */
export function otherStatuses(
  pick: (legal: readonly (number | '4xx' | '5xx')[]) => number | undefined,
): NonNullable<Variant['change']> {
  return (behaviour: Behaviour, service: Service) => {
    const fixed = service.authentication.missing
    return {
      error: (error: ErrorDefinition, message, at) => {
        const status = error === fixed ? undefined : pick(error.legal)
        const reply = behaviour.error(error, message, at)
        return status === undefined ? reply : { ...reply, status }
      },
    }
  }
}

function hasLongLambda(filter: Expression): boolean {
  let found = false
  mapExpression(filter, node => {
    if (node.kind === 'lambda') {
      found ||= node.predicate?.kind !== 'binary' || node.predicate.operator !== 'eq'
    }
    return node
  })
  return found
}
