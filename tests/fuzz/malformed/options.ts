import type { Random } from '../random.js'
import { type RawRequest, rawRequest } from '../wire.js'

const collections = [
  '/me/messages',
  '/me/drive/items',
  '/drive/items/folder-root/children',
  '/users',
  '/groups',
  '/groups/product/members',
] as const

const numbers = [
  '-1',
  '1.5',
  'abc',
  '',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  'null',
  'true',
  "'1'",
  '1;2',
  '--1',
  '1 OR 1=1',
  '٣',
  '1,2',
  '%00',
] as const

const values: Readonly<Record<string, readonly [string, ...string[]]>> = {
  $top: numbers,
  $skip: numbers,
  $count: ['maybe', '1', 'yes', 'null', '', "'true'", 'true,true', 'tru%65x', '%00'],
  $select: [
    'nope',
    'id,',
    ',',
    'id nope',
    'id,,id',
    '(',
    'id)',
    '__proto__',
    'constructor',
    'toString',
    "'id'",
    'id%00',
    'id/x',
    '%',
    '1',
  ],
  $orderby: [
    'nope',
    'id sideways',
    'id desc asc',
    ',',
    'id,',
    'id desc,nope',
    '(',
    '__proto__',
    'constructor desc',
    'id%00',
    '%',
    'id eq',
  ],
  $expand: [
    'nope',
    'id',
    '(',
    'nope($select=id)',
    '*nope',
    '__proto__',
    'constructor($select=id)',
    ',',
    '%00',
    '$it',
    '*/nope',
  ],
  $filter: ['', '%', '%zz', '%00'],
  $format: ['xml', 'yaml', 'application/pdf', '', 'application/xml', '%00'],
  $skiptoken: ['x', '', '%00', 'eyJhbGciOiJub25lIn0', '1', "'", 'AAAA.BBBB', '..'],
  $deltatoken: ['x', 'latest', '1'],
  $apply: ['aggregate(id with max as x)'],
  $nope: ['1', ''],
  $filte: ['id eq 1'],
  $$top: ['1'],
  $: [''],
  '%24nope': ['1'],
  '$to%zz': ['1'],
}

const names = Object.keys(values)

/** Options that a path does not have. */
const inapplicable = [
  "/me?$filter=id eq 'x'",
  '/me?$top=1',
  '/me?$orderby=id',
  '/me?$search="displayName:x"',
  '/me/calendar?$expand=events',
  '/me/calendar?$skip=1',
  '/users/mira?$top=1',
  '/users/mira?$count=true',
  '/users/$count?$top=1',
  '/users/$count?$select=id',
  "/users/delta?$filter=id eq 'x'",
  '/users/delta?$top=1',
  '/users/delta?$orderby=id',
  '/users/delta?$deltatoken=x',
  '/users/delta?$deltatoken=',
  '/users/delta?$skiptoken=x',
  '/users/delta?$deltatoken=%00',
  '/me/messages/msg-01?$filter=isRead eq true',
  '/groups/product?$skip=1',
] as const

/** A query option that is no option, has no such value, comes twice, or does not belong there. */
export function malformedOption(random: Random): RawRequest {
  const base = random.pick(collections)
  const headers = random.below(2) === 0 ? {} : { ConsistencyLevel: 'eventual' }
  switch (random.below(6)) {
    case 0:
      return rawRequest({ path: random.pick(inapplicable), headers })
    case 1: {
      const [first, second] = random.pick([
        ['$top=1', '$top=2'],
        ['$select=id', '%24select=id'],
        ['$skip=0', 'skip=0'],
        ["$filter=id eq 'a'", "$FILTER=id eq 'a'"],
        ['$count=true', '$count=false'],
        ['$orderby=id', '$orderby=id desc'],
      ] as const)
      return rawRequest({ path: `${base}?${first}&${second}`, headers })
    }
    case 2:
      return rawRequest({ path: `${base}?$skiptoken=${random.bytes(40).toString('base64url')}`, headers })
    case 3:
      return rawRequest({ path: `/users/delta?$deltatoken=${random.bytes(40).toString('base64url')}`, headers })
    case 4: {
      const custom = encodeURIComponent(random.text(1 + random.below(9)))
      return rawRequest({
        path: `${base}?${custom}=${encodeURIComponent(random.text(9))}`,
        headers,
        expected: 'harmless',
      })
    }
    default: {
      const name = names[random.below(names.length)] ?? '$top'
      return rawRequest({ path: `${base}?${name}=${random.pick(values[name] ?? ['x'])}`, headers })
    }
  }
}
