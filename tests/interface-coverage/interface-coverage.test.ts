import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { interfaceGaps } from './interface-coverage.js'
import { interfaceSections } from './interface-document.js'

const specPath = new URL('../../spec/directory.yaml', import.meta.url).pathname
const specText = readFileSync(specPath, 'utf8')
const interfaceText = readFileSync(new URL('../../spec/directory.interface.md', import.meta.url), 'utf8')

type Step = string | number

/** The service of the spec without some elements. */
async function without(...paths: readonly (readonly Step[])[]): Promise<Service> {
  const document = parseDocument(specText)
  for (const path of paths) {
    expect(document.hasIn(path), `${path.join('/')} is in the spec`).toBe(true)
    document.deleteIn(path)
  }
  return serviceOf(document.toString())
}

async function serviceOf(text: string): Promise<Service> {
  const { service, diagnostics } = await loadSpecText(text, specPath)
  if (!service) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return service
}

const relation = (set: string, index: number): readonly Step[] => ['queryOptions', set, 'expand', 'relations', index]

const rowsFound = (service: Service): readonly string[] => [
  ...new Set(interfaceGaps(interfaceText, service).map(({ row }) => row)),
]

describe('the Directory spec', () => {
  it('has a counterpart for every row of its interface', async () => {
    expect(interfaceGaps(interfaceText, await serviceOf(specText))).toEqual([])
  })
})

describe('the check of interface coverage', () => {
  const fields = interfaceSections(interfaceText).flatMap(({ number, title, rows }) =>
    /^2\.[123]$/.test(number)
      ? rows.map(([field = '']) => ({ type: title.toLowerCase(), row: `${number} ${field}`, field }))
      : [],
  )

  it('reads the 25 fields of 2.1 to 2.3', () => {
    expect(fields).toHaveLength(25)
  })

  const declaredIn = (type: string, field: string): readonly Step[] => {
    const owner = ['id', 'displayName', 'mail'].includes(field) && type !== 'message' ? 'directoryObject' : type
    const document = parseDocument(specText)
    const chapter = document.hasIn(['resources', owner, 'properties', field]) ? 'properties' : 'navigation'
    return ['resources', owner, chapter, field]
  }

  /** The elements that must be removed with a field, so that the rest is valid. */
  const dependents: Readonly<Record<string, readonly (readonly Step[])[]>> = {
    manager: [['paths', '/me/manager'], relation('users.list', 0), relation('users.item', 0)],
    attachments: [relation('mail.list', 0), relation('mail.item', 0)],
    singleValueExtendedProperties: [relation('mail.list', 1), relation('mail.item', 1)],
    body: [['preferences', 'bodyContentType', 'property']],
    securityEnabled: [['operations', 'getMemberGroups', 'meaning', 'filter']],
  }

  it.each(fields.filter(({ field }) => field !== 'id'))(
    'reports $row if the spec lacks it',
    async ({ type, row, field }) => {
      const found = rowsFound(await without(declaredIn(type, field), ...(dependents[field] ?? [])))
      const inherited = field === 'displayName' ? ['2.1 displayName', '2.3 displayName'] : [row]
      expect(found.filter(other => other.startsWith('2.'))).toEqual(inherited)
    },
  )

  const operations = interfaceSections(interfaceText).flatMap(({ number, rows }) =>
    number === '4.1' ? rows.map(([method = '', shape = '']) => ({ method, shape })) : [],
  )

  it('reads the 20 operations of 4.1', () => {
    expect(operations).toHaveLength(20)
  })

  it.each(operations)('reports $method $shape if the spec lacks it', async ({ method, shape }) => {
    const found = rowsFound(await without(['paths', shape.replaceAll('<id>', '{id}'), method.toLowerCase()]))
    expect(found).toEqual([`4.1 ${method} ${shape}`])
  })

  const query = (set: string, ...rest: readonly Step[]): readonly Step[] => ['queryOptions', set, ...rest]

  it.each<readonly [rows: string, paths: readonly (readonly Step[])[]]>([
    ['1 groups', [['container', 'groups', 'ref']]],
    ['2.4 @odata.count', [['clauses', 'envelope.count']]],
    ['2.5 driveItem', [['resources', 'driveItem', 'ref']]],
    ['2.5 thumbnails', [['resources', 'driveItem', 'navigation', 'thumbnails', 'ref']]],
    [
      '2.5 memberGroupsResult, 4.1 POST /me/getMemberGroups',
      [
        ['operations', 'getMemberGroups', 'returns', 'collection'],
        ['operations', 'getMemberGroups', 'meaning'],
      ],
    ],
    ['4.1 GET /drive/items/<id>/children', [query('children.list', 'expand', 'relations', 'thumbnails')]],
    ['4.1 Change tracking', [['paths', '/users/delta']]],
    ['4.1 Count', [['paths', '/users/$count']]],
    ['4.1 Count', [query('users.count', 'filter', 'support')]],
    [
      '4.1 Reminder view for the signed-in user',
      [['operations', 'reminderView', 'parameters', 'endDateTime', 'minLength']],
    ],
    ['4.2 $skip, 4.2 rule 4', [query('drive.list', 'skip')]],
    ['4.2 $search', [query('mail.list', 'search')]],
    ['4.2 ge', [query('groups.list', 'filter', 'operators', 3)]],
    ['4.2 not', [query('members.list', 'filter', 'operators', 8)]],
    ['4.2 tolower', [query('users.list', 'filter', 'functions', 3)]],
    ['4.2 any', [query('users.list', 'filter', 'lambdas', 0)]],
    ['4.2 rule 1', [query('mail.list', 'requires', 0, 'when', 1)]],
    ['4.2 rule 1', [query('children.list', 'requires', 0)]],
    ['4.2 rule 2', [['clauses', 'options.supported', 'open']]],
    ['4.2 rule 5', [['clauses', 'top.ordered']]],
    [
      '4.3 Prefer',
      [
        ['paths', '/me/messages', 'get', 'prefer'],
        ['paths', '/me/messages/{id}', 'get', 'prefer'],
      ],
    ],
    ['4.3 If-None-Match', [['clauses', 'header.ifNoneMatch']]],
    ['5 A request without valid authentication fails with status 401.', [['clauses', 'authentication.missing']]],
    ['7 item does not exist', [['errors', 'itemNotFound', 'ref']]],
    ['7 filter or other parameter not supported by the endpoint', [['errors', 'unsupportedQueryOption', 'legal']]],
    ['8 $top maximum', [query('users.list', 'top', 'max')]],
    ['8 $expand depth', [['limits', 'expandDepth']]],
    ['9 v1.0', [['clauses', 'version.path']]],
  ])('reports %s if the spec lacks %j', async (rows, paths) => {
    expect(rowsFound(await without(...paths)).join(', ')).toBe(rows)
  })

  it('reports a new row of the interface', async () => {
    const gained = interfaceText.replace('| jobTitle |', '| nickname | string |\n| jobTitle |')
    expect(interfaceGaps(gained, await serviceOf(specText))).toEqual([
      { row: '2.1 nickname', problem: 'no such property' },
    ])
  })

  it('reports an unknown table', async () => {
    const gained = interfaceText.replace(
      'States and transitions of',
      '| State | Next |\n|---|---|\n| a | b |\n\nStates and transitions of',
    )
    expect(interfaceGaps(gained, await serviceOf(specText))).toEqual([
      { row: '3', problem: 'nothing checks this table' },
    ])
  })
})
