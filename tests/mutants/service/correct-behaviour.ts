import type { ErrorDefinition, Service } from '../../../spec/language/index.js'
import { type Behaviour, environmentOf, type Reply, type RequestContext } from './behaviour.js'
import { compare } from './comparison.js'
import { calculate, callService, evaluate, lambda, readProperty } from './evaluate.js'
import { call } from './functions.js'
import { traverseRelation } from './operations.js'
import { countOf, cutPage, linkQuery, removalsSince } from './reads.js'
import { changeReference } from './relation-writes.js'
import { convertText, expandedEnd, expandedValue, includesProperty } from './representation.js'
import { valueProblem } from './request-body.js'
import { compareSortValues, matchesTerm, search, sortRows } from './rows.js'
import { isNamedType, relatedEntities } from './store.js'
import { aggregateValues, groupsOf } from './transformations.js'
import { commit, matchesTag, merge, tagOf } from './writes.js'

/** The behaviour that follows the spec, with the reference value of each open choice. */
export function correctBehaviour(service: Service): Behaviour {
  return {
    choices: { ...defaultChoices, ...Object.fromEntries(service.open.map(({ name, reference }) => [name, reference])) },
    authenticates: credential => credential === 'right',
    readQuery: text => text,
    reject: () => undefined,
    rejectMalformed: (message, at) => ({ kind: 'refused', error: at.service.faults.malformedQueryOption, message }),
    rejectUnsupported: (message, at) => ({ kind: 'refused', error: at.service.faults.unsupportedQueryOption, message }),
    nestedSelect: ({ path, options }) =>
      options?.select?.map(inner => ({ ...inner, path: [...path, ...inner.path] })) ?? [{ path }],
    interpret: options => options,
    header: (name, at) => at.request.headers.get(name),
    parseKey: text => text,
    byAlternateKey: found => found,
    containedChange: change => change,
    linkedChange: change => change,
    compare,
    combine: (operator, left, right) => {
      const decisive = operator === 'or'
      if (left === decisive) return decisive
      const other = right()
      if (other === decisive) return decisive
      return left === null || other === null ? null : !decisive
    },
    negate: operand => (operand === null ? null : !operand),
    call,
    callService: callService,
    lambda,
    calculate,
    readProperty: readProperty,
    castKeeps: isNamedType,
    search,
    matchesTerm: matchesTerm,
    filter: (rows, test) => rows.filter(row => test(row) === true),
    compareSortValues: compareSortValues,
    sortRows: sortRows,
    aggregate: (method, values, at) => aggregateValues(method, values, at),
    groups: groupsOf,
    page: cutPage,
    nextLinkQuery: (position, at) => linkQuery('skiptoken', position, at),
    count: (matching, _page, at) => countOf(matching, at),
    countPath: matching => matching.length,
    includesProperty: includesProperty,
    formatValue: value => value,
    related: (row, relation, at) => relatedEntities(at.store, row, relation),
    includesRelation: (_relation, isRequested) => isRequested,
    nested: options => options,
    expandedEnd,
    expanded: (items, relation, _row, at) => expandedValue(items, relation, at),
    item: item => item,
    convertText,
    omits: (value, { default: initial = null }, omitted) => value === (omitted === 'nulls' ? null : initial),
    links: urls => urls.map(url => ({ '@odata.id': url })),
    propertyValue: value => value,
    tag: tagOf,
    sentStream: stream => stream,
    announcedStream: stream => stream,
    storedStream: given => given,
    valueProblem,
    create: values => values,
    bound: targets => targets,
    inserted: items => items,
    insertedLinks: targets => targets,
    changeReference,
    storesComputed: false,
    merge: (old, changes, row) => merge(old, changes, row.type),
    upserts: at => at.request.headers.get('If-Match') === null,
    commit,
    updatedItem: (_before, after) => after,
    matchesTag: matchesTag,
    operationResult: rows => rows,
    traverse: traverseRelation,
    satisfiesFilter: (row, filter, parameters, at) => evaluate(filter, environmentOf(row, at, parameters)) === true,
    changedSince: (rows, since) => rows.filter(row => row.changedAt > since),
    removedSince: removalsSince,
    error: errorReply,
    reply: reply => reply,
  }
}

/** Default behaviour for choices that a spec does not declare: what OData defines. */
const defaultChoices: Readonly<Record<string, string | number>> = {
  defaultPageSize: 'declared',
  topMeaning: 'total',
  topAboveMaximum: 'clamp',
  topZero: 'empty',
  nextLinkForm: 'absolute',
  countOnLaterPages: 'every',
  unknownOption: 'error',
  unknownProperty: 'error',
  expandDepth: 'declared',
  expandedItems: 'all',
  unselected: 'absent',
  unselectedKey: 'absent',
  defaultProjection: 'all',
  emptyRelation: 'null',
  stringComparison: 'ordinal',
  functionComparison: 'ordinal',
  nullEquality: 'twoValued',
  nullRelational: 'twoValued',
  nullFunction: 'threeValued',
  enumOrder: 'value',
  stringOrder: 'ordinal',
  nullOrder: 'lowest',
  searchMatching: 'word',
  searchComparison: 'caseInsensitive',
}

/** An error in the format of the spec. */
function errorReply(error: ErrorDefinition, message: string, { service }: RequestContext): Reply {
  const challenge = error === service.authentication.missing ? { 'WWW-Authenticate': 'Bearer' } : {}
  return { status: error.status, headers: challenge, json: { error: { code: error.code, message } } }
}
