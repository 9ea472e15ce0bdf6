import type { BinaryExpression } from '../../../runtime/query/index.js'
import { createRandom } from '../data/generate-data.js'
import type { Behaviour, EndpointContext } from '../service/behaviour.js'
import { isObject, type Json } from '../service/json.js'
import type { Truth } from '../service/values.js'
import type { Variant } from './variant.js'

/** A variant of which only some collections are, as if several programs shared one address. */
export function inSomeCollections(variant: Variant, seed: number): Variant {
  return {
    ...variant,
    name: `${variant.name}, in some collections`,
    appliesTo: collection => createRandom(seed + hashOf(collection))() < 0.5,
  }
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7)
}

/** Whether a variant can be limited to some collections: it changes decisions about one request only. */
export function isLocal({ choices, change, data, beforeRequest, storeFor, wrap }: Variant): boolean {
  // All operations over one relation follow it in the same way.
  if (choices.includes('membershipClosure')) return false
  return change !== undefined && [data, beforeRequest, storeFor, wrap].every(part => part === undefined)
}

/** Choices that differ between operators or properties, and representations that differ from what is stored. */
export const placeVariants: readonly Variant[] = [
  ...['caseInsensitive', 'ordinal'].flatMap((value): readonly Variant[] => {
    const other = value === 'ordinal' ? 'caseInsensitive' : 'ordinal'
    return [
      {
        name: `relational-${value}`,
        choices: ['stringComparison'],
        group: 'stringComparison',
        statement: `\`eq\` and \`ne\` are ${other}, the other comparisons ${value}.`,
        change: comparingBy(({ operator }) =>
          operator === 'eq' || operator === 'ne' || operator === 'in' ? other : value,
        ),
      },
    ]
  }),
  {
    name: 'relational-by-parts',
    choices: ['stringComparison'],
    group: 'stringComparison',
    statement: '`le` is `lt` or `eq`, and `ge` is `gt` or `eq`. `eq` ignores letter case, `lt` and `gt` do not.',
    change: behaviour => ({
      compare: (node, left, right, env) => {
        const by = (stringComparison: string, operator: BinaryExpression['operator']): Truth =>
          behaviour.compare({ ...node, operator }, left, right, {
            ...env,
            at: withChoices({ stringComparison }, env.at),
          })
        const { operator } = node
        if (operator === 'gt' || operator === 'lt') return by('ordinal', operator)
        if (operator !== 'ge' && operator !== 'le') return by('caseInsensitive', operator)
        const isEqual = by('caseInsensitive', 'eq')
        return isEqual === true ? isEqual : by('ordinal', operator)
      },
    }),
  },
  ...['caseInsensitive', 'ordinal'].map((value): Variant => {
    const other = value === 'ordinal' ? 'caseInsensitive' : 'ordinal'
    return {
      name: `contains-${value}`,
      choices: ['functionComparison'],
      group: 'functionComparison',
      statement: `\`contains\` is ${value}, \`startswith\` and \`endswith\` are ${other}.`,
      change: behaviour => ({
        call: (name, values, nodes, env) => {
          const functionComparison = name === 'contains' ? value : other
          return behaviour.call(name, values, nodes, { ...env, at: withChoices({ functionComparison }, env.at) })
        },
      }),
    }
  }),
  {
    name: 'collation-by-property',
    choices: ['stringComparison'],
    group: 'stringComparison',
    statement: 'Comparisons of some properties ignore letter case.',
    change: comparingBy(node => (hashOf(propertyIn(node)) % 2 === 0 ? 'caseInsensitive' : 'ordinal')),
  },
  {
    name: 'order-by-property',
    choices: ['stringOrder'],
    group: 'stringOrder',
    statement: '$orderby ignores letter case for some properties.',
    change: behaviour => ({
      compareSortValues: (left, right, item, at) => {
        const stringOrder = hashOf(JSON.stringify(item.expression)) % 2 === 0 ? 'caseInsensitive' : 'ordinal'
        return behaviour.compareSortValues(left, right, item, withChoices({ stringOrder }, at))
      },
    }),
  },
  {
    name: 'nulls-for-what-was-not-requested',
    choices: ['unselected', 'defaultProjection'],
    group: 'unselected',
    statement: 'Some properties are returned only when they are selected. Otherwise they are null.',
    change: ({ choices }) => ({ choices: { ...choices, unselected: 'null', defaultProjection: 'limited' } }),
  },
  {
    name: 'membershipClosure-by-operation',
    choices: ['membershipClosure'],
    group: 'membershipClosure',
    statement: 'One operation follows the relation transitively, another does not.',
    change: behaviour => ({
      traverse: (start, relation, transitive, at) => {
        const isCheck =
          at.endpoint.kind === 'call' && at.endpoint.operation.parameters.some(({ collection }) => collection)
        return isCheck ? behaviour.related(start, relation, at) : behaviour.traverse(start, relation, transitive, at)
      },
    }),
  },
  {
    name: 'advancedCollections-some',
    choices: ['advancedCollections'],
    statement: 'Only the entity sets need the header for advanced queries, not what is reached from a singleton.',
    change: behaviour => ({
      header: (name, at) => {
        const { endpoint } = at
        const requires = 'query' in endpoint ? (endpoint.query?.requires ?? []) : []
        const condition = requires.find(({ header }) => header.name.toLowerCase() === name.toLowerCase())
        const isExempt = condition !== undefined && endpoint.resolved[0]?.kind === 'singleton'
        return isExempt ? condition.header.value : behaviour.header(name, at)
      },
    }),
  },
  {
    name: 'complexUpdate-replaced',
    choices: ['complexUpdate'],
    statement: 'An update replaces objects as a whole. Members that the body omits are null.',
    change: behaviour => ({
      merge: (old, changes, row, at) => {
        const bare = Object.entries(old).map(([name, value]) => [name, isObject(changes[name] ?? null) ? null : value])
        return behaviour.merge(Object.fromEntries(bare), changes, row, at)
      },
    }),
  },
  {
    name: 'complexUpdate-as-sent',
    choices: ['complexUpdate'],
    statement: 'An update replaces objects as a whole. Members that the body omits are absent, in lists and items.',
    change: behaviour => ({
      merge: (old, changes, row, at) => {
        const objects = Object.entries(changes).filter(([, value]) => isObject(value))
        return { ...behaviour.merge(old, changes, row, at), ...Object.fromEntries(objects) }
      },
      item: (item, row, at) => {
        const stored = (name: string): Json => row.values[name] ?? null
        const part = (name: string, value: Json): Json => {
          const kept = stored(name)
          if (!isObject(value) || !isObject(kept)) return value
          return Object.fromEntries(Object.entries(value).filter(([member]) => Object.hasOwn(kept, member)))
        }
        const shown = behaviour.item(item, row, at)
        return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, part(name, value)]))
      },
    }),
  },
  {
    name: 'bodies-shown-as-html',
    choices: [],
    statement: 'Texts with a preference are shown as HTML, and filtered as they are stored.',
    change: (behaviour, service) => {
      const rendered = new Set(service.preferences.flatMap(({ property }) => property?.split('/')[0] ?? []))
      return {
        item: (item, row, at) => {
          const shown = behaviour.item(item, row, at)
          return Object.fromEntries(
            Object.entries(shown).map(([name, value]) => {
              if (!rendered.has(name) || !isObject(value) || typeof value['content'] !== 'string') return [name, value]
              return [name, { ...value, contentType: 'html', content: `<p>${value['content']}</p>` }]
            }),
          )
        },
        header: (name, at) => (name === 'Prefer' ? null : behaviour.header(name, at)),
      }
    },
  },
]

function comparingBy(collation: (node: BinaryExpression) => string): NonNullable<Variant['change']> {
  return behaviour => ({
    compare: (node, left, right, env) => {
      const at = withChoices({ stringComparison: collation(node) }, env.at)
      return behaviour.compare(node, left, right, { ...env, at })
    },
  })
}

function withChoices(choices: Behaviour['choices'], at: EndpointContext): EndpointContext {
  return { ...at, behaviour: { ...at.behaviour, choices: { ...at.behaviour.choices, ...choices } } }
}

function propertyIn({ left, right }: BinaryExpression): string {
  return JSON.stringify([left, right].filter(({ kind }) => kind !== 'literal'))
}
