import type { Service } from '../../../spec/language/index.js'
import type { Behaviour } from './behaviour.js'
import { defaultChoices } from './default-choices.js'
import { calculate } from './evaluate/calculate.js'
import { call } from './evaluate/call.js'
import { compare } from './evaluate/compare.js'
import { environmentOf } from './evaluate/environment.js'
import { evaluate } from './evaluate/evaluate.js'
import { memberOf } from './evaluate/follow-path.js'
import { lambda } from './evaluate/lambda.js'
import { reach } from './operate/reach.js'
import { cutPage } from './read/cut-page.js'
import { linkQuery } from './read/next-link.js'
import { countOf } from './read/read-collection.js'
import { removalsSince } from './read/read-delta.js'
import { finds, search } from './read/search.js'
import { order, sort } from './read/sort.js'
import { errorReply } from './reply/error-reply.js'
import { expanded } from './reply/expand-into.js'
import { showsProperty } from './reply/shows-property.js'
import { tagOf } from './reply/tag-of.js'
import { related } from './world/related.js'
import { matchesTag } from './write/check-condition.js'
import { commit } from './write/commit.js'
import { merge } from './write/merge.js'

/** A service that does everything as its spec says, and chooses what the spec's own service chooses. */
export function correctBehaviour(service: Service): Behaviour {
  return {
    choices: { ...defaultChoices, ...Object.fromEntries(service.open.map(({ name, reference }) => [name, reference])) },
    admits: credential => credential === 'right',
    readQuery: text => text,
    refuse: () => undefined,
    refuseMalformed: (message, at) => ({ kind: 'refused', error: at.service.faults.malformedQueryOption, message }),
    refuseUnsupported: (message, at) => ({ kind: 'refused', error: at.service.faults.unsupportedQueryOption, message }),
    understand: options => options,
    header: (name, at) => at.request.headers.get(name),
    readKey: text => text,
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
    lambda,
    calculate,
    step: memberOf,
    search,
    finds,
    filter: (rows, test) => rows.filter(row => test(row) === true),
    sort,
    order,
    page: cutPage,
    link: (position, at) => linkQuery('skiptoken', position, at),
    count: (matching, _page, at) => countOf(matching, at),
    countPath: matching => matching.length,
    shows: showsProperty,
    write: value => value,
    related: (row, relation, at) => related(at.world, row, relation),
    expands: (_relation, asked) => asked,
    nested: options => options,
    expanded: (items, relation, _row, at) => expanded(items, relation, at),
    item: item => item,
    tag: tagOf,
    create: values => values,
    merge: (old, changes, row) => merge(old, changes, row.type),
    commit,
    changed: (_before, after) => after,
    matches: matchesTag,
    operate: rows => rows,
    reaches: reach,
    meets: (row, filter, parameters, at) => evaluate(filter, environmentOf(row, at, parameters)) === true,
    changes: (rows, since) => rows.filter(row => row.changed > since),
    removals: removalsSince,
    error: errorReply,
    reply: reply => reply,
  }
}
