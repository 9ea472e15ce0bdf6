import type { Json } from '../../json.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { createBody } from './body.js'
import { createItem, removeItem } from './created-item.js'
import { type WriteSite, writeSite, writeSites } from './write-site.js'

export const duplicateKey: ActiveRule = {
  kind: 'active',
  id: 'duplicate-key',
  area: 'writing',
  statement: 'A create with the key of an existing item, or with an existing value of a unique property, is rejected.',
  advice:
    'Let the store enforce uniqueness, and translate its constraint violation to a 4xx error. Do not return 500 or a success status.',
  clauses: ['methods', 'error.shape'],
  covers: ['fault.conflict', 'error.conflictingValue'],
  severity: 'must',
  writes: true,
  cost: 3,
  weight: 5,
  sites: session => writeSites(session).filter(site => uniqueNames(site).names.length > 0),
  cases: () => ({ planned: [{ variant: 'twice' }] }),
  check: async (_test, site, session) => {
    const at = writeSite(site, session)
    if (at === undefined) return { kind: 'inconclusive', why: 'items cannot be created and deleted here' }
    const making = await createItem({}, at, session)
    if (making.kind === 'ended') return making.verdict
    try {
      return await createDuplicate(at, making.item.expected, session)
    } finally {
      await removeItem(making.item.path, session)
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

/** The unique properties of a type. */
function uniqueNames({ type }: WriteSite): UniqueProperties {
  if (type.key.every(({ computed }) => !computed)) {
    return { names: type.key.map(({ name }) => name), isKey: true, isDeclared: true }
  }
  const unique = type.properties.filter(property => property.unique && !property.computed)
  const said = unique.filter(({ assumed }) => assumed === undefined)
  const isSaid = said.length > 0
  return { names: (isSaid ? said : unique).map(({ name }) => name), isKey: false, isDeclared: isSaid }
}

async function createDuplicate(
  site: WriteSite,
  made: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<Awaited<ReturnType<ActiveRule['check']>>> {
  const { ledger } = session
  const fresh = createBody(site, {}, session)
  if (ledger?.mayCreate() !== true || fresh === undefined) {
    return { kind: 'inconclusive', why: 'no more items may be created, or no body can be generated' }
  }
  const same: Record<string, Json> = {}
  const { names, isDeclared: isSaid, isKey } = uniqueNames(site)
  for (const name of names) {
    const value = made[name]
    if (typeof value === 'string' || typeof value === 'number') same[name] = value
  }
  const given = Object.keys(same).length
  // A service may generate an omitted key, and a missing value conflicts with nothing.
  if (given === 0 || (isKey && given < names.length)) {
    return { kind: 'inconclusive', why: 'the unique properties are optional, and the item has no value for them' }
  }
  const { answer, path } = await ledger.create(site, { ...fresh, ...same })
  if (path !== undefined) await removeItem(path, session)
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return nothing
  // If uniqueness is only assumed, the service may accept the item.
  if (!isSaid && answer.status < 300) return { kind: 'pass', vacuous: true }
  const { conflict, invalidBody } = session.service.faults
  const finding = errorFinding(answer, [conflict, invalidBody], session)
  return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
}
