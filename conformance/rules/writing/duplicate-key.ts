import type { Json, Row } from '../../json.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { newBody } from './accepted-body.js'
import { cannotCreate, createItem } from './created-item.js'
import { cannotWrite, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const duplicateKey: ActiveRule = {
  kind: 'active',
  id: 'duplicate-key',
  area: 'writing',
  statement: 'A create with the key of an existing item, or with an existing value of a unique property, is rejected.',
  advice:
    'Let the store enforce uniqueness, and translate its constraint violation to a 4xx error. Do not return 500 or a success status.',
  aspects: ['methods', 'error.body'],
  covers: ['fault.conflict', 'error.conflictingValue'],
  severity: 'must',
  writes: true,
  cost: 3,
  weight: 5,
  sites: session => writeSites(session).filter(site => uniqueNames(site).names.length > 0),
  cases: () => ({ planned: [{ variant: 'twice' }] }),
  check: async (_test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    try {
      return await createDuplicate(writable, outcome.item.expected, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

interface UniqueProperties {
  readonly names: readonly string[]
  /** Whether the combination is unique (a key), or each property by itself. */
  readonly isKey: boolean
  /** Whether the interface declares it; otherwise it is an assumption of the spec. */
  readonly isDeclared: boolean
}

function uniqueNames({ type }: WriteSite): UniqueProperties {
  if (type.key.every(({ computed }) => !computed)) {
    return { names: type.key.map(({ name }) => name), isKey: true, isDeclared: true }
  }
  const unique = type.properties.filter(property => property.unique && !property.computed)
  const declared = unique.filter(({ assumed }) => assumed === undefined)
  const isDeclared = declared.length > 0
  return { names: (isDeclared ? declared : unique).map(({ name }) => name), isKey: false, isDeclared }
}

async function createDuplicate(site: WriteSite, existing: Row, session: Session): Promise<Verdict> {
  const { ledger } = session
  const body = ledger?.mayCreate(site) === true ? await newBody({}, site, session) : undefined
  if (ledger === undefined || body === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const duplicates: Record<string, Json> = {}
  const { names, isDeclared, isKey } = uniqueNames(site)
  for (const name of names) {
    const value = existing[name]
    if (typeof value === 'string' || typeof value === 'number') duplicates[name] = value
  }
  const given = Object.keys(duplicates).length
  // A service may generate an omitted key, and a missing value conflicts with nothing.
  if (given === 0 || (isKey && given < names.length)) {
    return { kind: 'inconclusive', why: 'the unique properties are optional, and the item has no value for them' }
  }
  const { response, path } = await ledger.create(site, { ...body, ...duplicates })
  if (path !== undefined) await removeItem(path, session)
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  // If uniqueness is only assumed, the service may accept the item.
  if (!isDeclared && response.status < 300) return { kind: 'pass', vacuous: true }
  const { conflict, invalidBody } = session.service.faults
  const finding = errorFinding(response, [conflict, invalidBody], session)
  return verdictOf(finding)
}
