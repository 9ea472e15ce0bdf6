import type { Property } from '../../../spec/language/index.js'
import { isObject } from '../service/json.js'
import type { Entity } from '../service/store.js'
import { otherStatuses } from './limited-support.js'
import type { Variant } from './variant.js'

/** Whether an interface names a time, but not that the service sets it. */
function isAssumedStamp({ stamp, computed, assumed, ref }: Property): boolean {
  return stamp === 'created' && computed && assumed !== undefined && ref !== undefined
}

/** Other permitted statuses, codes and headers. */
export const responseVariants: readonly Variant[] = [
  {
    name: 'other-legal-statuses',
    choices: [],
    statement: 'Errors have another permitted status: 422 if any 4xx is permitted.',
    group: 'statuses',
    change: otherStatuses(legal => {
      const [first] = legal
      return first === '4xx' ? 422 : first === '5xx' ? 503 : first
    }),
  },
  {
    name: 'last-legal-statuses',
    choices: [],
    statement: 'Errors have the last of their permitted statuses.',
    group: 'statuses',
    change: otherStatuses(legal => {
      const last = legal.at(-1)
      return last === '4xx' ? 404 : last === '5xx' ? undefined : last === 429 || last === 503 ? undefined : last
    }),
  },
  {
    name: 'refused-queries-501',
    choices: ['unsupportedQueryStatus', 'advancedQueryStatus'],
    statement: 'Unsupported queries, and advanced queries without the header, get 501.',
    group: 'statuses',
    change: otherStatuses(legal => (legal.includes(501) && legal.includes('4xx') ? 501 : undefined)),
  },
  {
    name: 'refused-queries-405',
    choices: ['unsupportedQueryStatus', 'advancedQueryStatus'],
    statement: 'Reads with query options that are refused get 405.',
    group: 'statuses',
    change: behaviour => ({
      error: (error, message, at) => {
        const reply = behaviour.error(error, message, at)
        const isQuery = at.request.method === 'GET' && at.request.query !== ''
        return isQuery && (reply.status === 400 || reply.status === 501) ? { ...reply, status: 405 } : reply
      },
    }),
  },
  {
    name: 'other-error-codes',
    choices: [],
    statement: 'Errors have other codes and longer messages.',
    change: behaviour => ({
      error: (error, message, at) => {
        const reply = behaviour.error(error, message, at)
        const inner = isObject(reply.json) ? reply.json['error'] : undefined
        if (!isObject(inner)) return reply
        return {
          ...reply,
          json: { error: { ...inner, code: `SVC-${error.status}`, message: `${message} (see the manual)` } },
        }
      },
    }),
  },
  {
    name: 'asterisk-leaves-out-assumed-relations',
    choices: [],
    statement: '`$expand=*` includes the relations that the interface names, and no others.',
    change: behaviour => ({
      includesRelation: (relation, isExpanded, row, at) => {
        const isNamed = at.options.expand?.some(({ path }) => path.at(-1) === relation.name) === true
        const isAssumed = relation.assumed !== undefined && relation.ref === undefined
        return behaviour.includesRelation(relation, isExpanded && (isNamed || !isAssumed), row, at)
      },
    }),
  },
  {
    name: 'no-head-or-options',
    choices: [],
    statement: 'HEAD and OPTIONS are not supported.',
    change: behaviour => ({
      reply: (reply, at) => {
        const isOther = at.request.method === 'HEAD' || at.request.method === 'OPTIONS'
        const { methodNotAllowed } = at.service.faults
        return isOther && reply.status < 400 ? behaviour.error(methodNotAllowed, 'No.', at) : behaviour.reply(reply, at)
      },
    }),
  },
  {
    name: 'files-have-no-children',
    choices: [],
    // Only the Directory has drive items. Its interface says nothing of their fields.
    conformsTo: ({ name }) => name === 'directory',
    statement: 'The children of a drive item that is no folder are refused with 400.',
    change: behaviour => ({
      reply: (reply, at) => {
        const [, key] = /^\/drive\/items\/([^/]+)\/children$/.exec(at.request.path) ?? []
        const id = key === undefined ? undefined : decodeURIComponent(key)
        const isIt = ({ values }: Entity): boolean => values['id'] === id
        const items = [...at.store.entities].filter(({ type }) => type.name === 'driveItem')
        const isFolder = items.some(item =>
          isIt(item) ? (item.related.get('children') ?? []).length > 0 : item.related.get('parent')?.some(isIt),
        )
        const isFile = id !== undefined && items.some(isIt) && !isFolder
        const { malformedQueryOption } = at.service.faults
        return isFile && reply.status < 300
          ? behaviour.error(malformedQueryOption, 'The item is no folder.', at)
          : behaviour.reply(reply, at)
      },
    }),
  },
  {
    name: 'unset-stamps',
    choices: [],
    conformsTo: ({ entityTypes }) => entityTypes.some(({ properties }) => properties.some(isAssumedStamp)),
    statement: 'A new item has no value for a time that the service is only assumed to set.',
    change: behaviour => ({
      commit: (change, at) => {
        if (change.kind === 'create') {
          const { type, values } = change.entity
          const unset = type.properties.filter(isAssumedStamp).map(({ name }) => [name, null] as const)
          change.entity.values = { ...values, ...Object.fromEntries(unset) }
        }
        behaviour.commit(change, at)
      },
    }),
  },
  {
    name: 'no-location',
    choices: [],
    // Without clauses of its own, a spec has the sentence of the standard, which requires the header.
    conformsTo: ({ clauses }) => clauses.length > 0,
    statement: 'The response to a create has no Location.',
    change: behaviour => ({
      reply: (reply, at) => {
        const { Location: _, ...headers } = reply.headers
        return behaviour.reply({ ...reply, headers }, at)
      },
    }),
  },
  {
    name: 'tags-in-headers-only',
    choices: [],
    statement: 'Entity tags are in headers only.',
    group: 'tags',
    change: behaviour => ({
      item: (item, row, at) => {
        const { '@odata.etag': _, ...others } = behaviour.item(item, row, at)
        return others
      },
    }),
  },
  {
    name: 'tags-in-bodies-only',
    choices: [],
    statement: 'Entity tags are in bodies only.',
    group: 'tags',
    change: behaviour => ({
      reply: (reply, at) => {
        const { ETag: _, ...headers } = reply.headers
        return behaviour.reply({ ...reply, headers }, at)
      },
    }),
  },
  {
    name: 'long-tags',
    choices: [],
    statement: 'Entity tags are long and contain punctuation.',
    change: behaviour => ({
      tag: (row, at) => behaviour.tag(row, at)?.replace(/"$/, '-CQAAABYAAAC4ofQ/+==;x"'),
    }),
  },
  {
    name: 'preferences-ignored',
    choices: [],
    statement: 'Preferences are ignored, as HTTP allows.',
    group: 'preferences',
    change: behaviour => ({
      header: (name, at) => (name === 'Prefer' ? null : behaviour.header(name, at)),
    }),
  },
  ...(['collection', 'item'] as const).map(
    (kind): Variant => ({
      name: `preferences-ignored-on-${kind}s`,
      choices: [],
      statement: 'Preferences are ignored on some endpoints.',
      group: 'preferences',
      change: behaviour => ({
        header: (name, at) => (name === 'Prefer' && at.endpoint.kind === kind ? null : behaviour.header(name, at)),
      }),
    }),
  ),
  {
    name: 'relation-leads-back',
    choices: [],
    statement: 'Each item is the related item of itself. No spec can say that nobody is their own manager.',
    group: 'single relations',
    change: behaviour => ({
      related: (row, relation, at) => {
        const isFree = relation.nullable && relation.constraint.length === 0 && relation.partner === undefined
        const leadsBack = !relation.collection && !relation.contained && isFree && relation.type === row.type
        return leadsBack ? [row] : behaviour.related(row, relation, at)
      },
    }),
  },
  {
    name: 'no-single-relation',
    choices: [],
    statement: 'Single-valued relations are empty.',
    group: 'single relations',
    change: behaviour => ({
      related: (row, relation, at) =>
        relation.collection || relation.contained || !relation.nullable || relation.constraint.length > 0
          ? behaviour.related(row, relation, at)
          : [],
    }),
  },
  {
    name: 'delta-reports-all-again',
    choices: [],
    statement: 'A delta link reports every item again.',
    change: () => ({ changedSince: rows => rows }),
  },
  {
    name: 'unknown-delta-token-starts-again',
    choices: [],
    statement: 'A delta link with an unknown token reports every item, as the first one does.',
    wrap: answer => request => {
      const address = request.url.replace(/([?&])(?:\$|%24)deltatoken=(?!latest)[^&]*[^\d&][^&]*/i, '$1')
      return answer(new Request(address, request))
    },
  },
]
