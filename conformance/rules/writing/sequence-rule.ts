import type { Arbitrary } from 'fast-check'
import { isSamePath } from '../../../spec/language/index.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { leafValue } from '../../lists/properties.js'
import { isPlainText } from '../../lists/values.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, RuleMetadata, TestCase, TestStep } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { untriedOrAccepted } from './accepted-body.js'
import {
  type Body,
  clearingBodies,
  emptyBodies,
  fullBody,
  longBody,
  oddBodies,
  oddUpdates,
  partialBody,
  partialComplexBody,
  patchBody,
  updatedBody,
  writableProperties,
} from './body.js'
import { createItem, eventually, readBack } from './created-item.js'
import { updateWithAnotherKey } from './duplicate-key.js'
import { runSequence, writeSequences } from './model.js'
import { valueWithText } from './odd-text.js'
import {
  cannotWrite,
  needsCredential,
  otherTypes,
  removeItem,
  type WriteSite,
  writeSite,
  writeSiteOf,
  writeSites,
} from './write-site.js'

interface SequenceRule extends Pick<RuleMetadata, 'id' | 'statement' | 'advice' | 'aspects' | 'covers'> {
  readonly cost: number
  readonly weight: number
  readonly sites?: (session: Session) => readonly WriteSite[]
  /** Sequences that always run, before the random ones. */
  readonly planned: (site: WriteSite) => readonly (readonly TestStep[])[]
  readonly random?: (site: WriteSite) => Arbitrary<TestCase>
}

/** More derived types have no cases of their own. */
const maxTypes = 8

/** A rule that runs sequences of writes and reads with items of each type that derives from the declared one. */
export function derivedSequenceRule({ sites = writeSites, ...rule }: Omit<SequenceRule, 'random'>): ActiveRule {
  const typesOf = (site: WriteSite, session: Session) => otherTypes(site, session).slice(0, maxTypes)
  return {
    ...sequenceRule(rule),
    sites: session => sites(session).filter(site => typesOf(site, session).length > 0),
    cases: (site, session) => {
      const writable = writeSite(site, session)
      if (writable === undefined) return { skipReason: cannotWrite }
      const types = typesOf(writable, session)
      const sequences = types.map(type => rule.planned(writeSiteOf(type, writable)))
      const longest = Math.max(...sequences.map(({ length }) => length))
      const turns = Array.from({ length: longest }, (_, turn) => turn)
      // The first sequence with each type, then the second one, and so on.
      return {
        planned: turns.flatMap(turn =>
          types.flatMap(({ qualifiedName }, index) => {
            const steps = sequences[index]?.[turn]
            return steps === undefined ? [] : [{ variant: qualifiedName, steps }]
          }),
        ),
      }
    },
    check: async ({ steps = [], variant }, site, session) => {
      const writable = writeSite(site, session)
      const type = writable && typesOf(writable, session).find(({ qualifiedName }) => qualifiedName === variant)
      if (writable === undefined || type === undefined) return { kind: 'inconclusive', why: cannotWrite }
      return runSequence(steps, writeSiteOf(type, writable), session)
    },
  }
}

/** A rule that runs sequences of writes and reads against a model. */
function sequenceRule({ sites = writeSites, planned, random, ...metadata }: SequenceRule): ActiveRule {
  return {
    kind: 'active',
    area: 'writing',
    severity: 'must',
    writes: true,
    ...metadata,
    sites,
    cases: (site, session) => {
      const writable = writeSite(site, session)
      if (writable === undefined) return { skipReason: cannotWrite }
      const { deletion } = writable
      const cases = planned(writable).map(steps =>
        steps.filter(({ action }) => action !== 'delete' || deletion !== undefined),
      )
      return {
        planned: cases.map(steps => ({ steps })),
        // Items that remain must be few.
        ...(random === undefined || deletion === undefined ? {} : { random: random(writable) }),
      }
    },
    check: async ({ steps = [] }, site, session) => {
      const writable = writeSite(site, session)
      return writable === undefined ? { kind: 'inconclusive', why: cannotWrite } : runSequence(steps, writable, session)
    },
  }
}

const creating = sequenceRule({
  id: 'create-keeps',
  statement:
    'A create stores the values that the client sent and returns the new item, which can be read from then on.',
  advice:
    'Compare the response with the request. Values that are truncated, escaped, trimmed or converted on the way to the store are changed values.',
  aspects: ['create.item', 'methods'],
  covers: ['endpoint.create', 'open.createStatus', 'open.readYourWrites'],
  cost: 3,
  weight: 16,
  planned: site =>
    [
      ...oddBodies(site).slice(0, 2),
      fullBody(site, 1),
      fullBody(site, 2),
      ...oddBodies(site).slice(2),
      fullBody(site, 3),
    ].map(body => [{ action: 'create', body }, { action: 'read' }]),
})

const inPreferredForm = 'in the preferred form'
const withLongText = 'with a long text'

export const createKeeps: ActiveRule = {
  ...creating,
  cases: (site, session) => {
    const cases = creating.cases(site, session)
    const writable = writeSite(site, session)
    const special = writable !== undefined && markedBodies(writable).length > 0 ? [{ variant: inPreferredForm }] : []
    const long = writable !== undefined && longBody(writable) !== undefined ? [{ variant: withLongText }] : []
    const planned = cases.planned ?? []
    return {
      ...cases,
      planned: [...planned.slice(0, 1), ...special, ...planned.slice(1, 2), ...long, ...planned.slice(2)],
    }
  },
  check: async (test, site, session) => {
    if (test.variant !== inPreferredForm && test.variant !== withLongText) return creating.check(test, site, session)
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    return test.variant === withLongText
      ? createWithLongText(writable, session)
      : readInPreferredForm(writable, session)
  },
}

/** A service may refuse a long text, but must not cut it. */
async function createWithLongText(site: WriteSite, session: Session): Promise<Verdict> {
  const body = longBody(site) ?? {}
  const outcome = await createItem(body, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path, expected, response } = outcome.item
  try {
    const [name] = Object.keys(body)
    const written = name === undefined ? undefined : expected[name]
    if (name === undefined || written === undefined) return { kind: 'pass', vacuous: true }
    const read = await session.send({ method: 'GET', path })
    const shown = [response, read].flatMap(each =>
      each.status < 300 && isRow(each.json) ? [{ answer: each, value: each.json[name] }] : [],
    )
    for (const { answer, value } of shown) {
      const cut = shortenedText(written, value)
      if (cut === undefined) continue
      return failure({
        message: `A text of ${cut.written} characters in ${name} comes back with ${cut.shown}.`,
        expected: 'the whole text, or an error with status 4xx',
        received: `a text of ${cut.shown} characters`,
        answers: [answer],
        features: ['create', 'long text'],
      })
    }
    return { kind: 'pass', vacuous: shown.length === 0 }
  } finally {
    await removeItem(path, session)
  }
}

/** The lengths of the first text in a value that is shown with fewer characters than were written. */
function shortenedText(
  written: unknown,
  shown: unknown,
): { readonly written: number; readonly shown: number } | undefined {
  if (isRow(written) && isRow(shown)) {
    for (const [name, value] of Object.entries(written)) {
      const found = shortenedText(value, shown[name])
      if (found !== undefined) return found
    }
    return undefined
  }
  const [before, after] = [withoutSpace(written), withoutSpace(shown)]
  if (typeof before !== 'string' || typeof after !== 'string' || after.length >= before.length) return undefined
  return { written: String(written).length, shown: String(shown).length }
}

/** In plain text, this is no markup. */
const likeMarkup = 'a <b> c &amp; d < e > f'

/** Bodies with a text that looks like markup, in the form of plain text, which a preference may ask for. */
function markedBodies(
  site: WriteSite,
): readonly { readonly body: Body; readonly outer: string; readonly inner: string; readonly name: string }[] {
  return (site.reading?.preferences ?? []).flatMap(({ name, values, property = '' }) => {
    const [outer = '', inner, ...others] = property.split('/')
    const form = values.find(isPlainText)
    const declared = writableProperties(site).find(each => each.name === outer)
    const value = declared && valueWithText(declared, likeMarkup, site)
    if (form === undefined || inner === undefined || others.length > 0 || !isRow(value)) return []
    return [{ body: { [outer]: { ...value, [inner]: form } }, outer, inner, name }]
  })
}

/** A preference for the form that a text has already changes nothing of it. */
async function readInPreferredForm(site: WriteSite, session: Session): Promise<Verdict> {
  const [marked] = markedBodies(site)
  if (marked === undefined) return { kind: 'pass', vacuous: true }
  const { body, outer, inner, name } = marked
  const outcome = await createItem(body, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path } = outcome.item
  try {
    const shown = async (
      headers: Readonly<Record<string, string>>,
    ): Promise<readonly [TestResponse, Row | undefined]> => {
      const response = await session.send({ method: 'GET', path, headers })
      const value = response.status === 200 && isRow(response.json) ? response.json[outer] : undefined
      return [response, isRow(value) ? value : undefined]
    }
    const form = isRow(body[outer]) ? body[outer][inner] : undefined
    const [plain, before] = await shown({})
    const [preferred, after] = await shown({ prefer: `${name}="${form}"` })
    const inconclusive = inconclusiveVerdict(plain) ?? inconclusiveVerdict(preferred)
    if (inconclusive !== undefined) return inconclusive
    const written = outcome.item.expected[outer]
    // A service may keep texts in another form, such as HTML, and what it refuses was left out.
    const isKept = isRow(written) && written[inner] === form && before?.[inner] === form
    if (!isKept || after === undefined || after[inner] !== form) return { kind: 'pass', vacuous: true }
    const texts = Object.keys(written).filter(each => written[each] === likeMarkup)
    const isAsWritten = (each: string, shown: Row): boolean =>
      !Object.hasOwn(shown, each) || withoutSpace(shown[each]) === withoutSpace(likeMarkup)
    const changed = texts.find(each => !isAsWritten(each, after))
    if (changed === undefined) return { kind: 'pass', vacuous: texts.length === 0 }
    const isByPreference = before !== undefined && isAsWritten(changed, before)
    return failure({
      message: isByPreference
        ? `Prefer: ${name}="${form}" changes ${outer}/${changed}, which has that form already.`
        : `${outer}/${changed} was written in the form "${form}", and a read in this form shows another text.`,
      expected: JSON.stringify(likeMarkup),
      received: JSON.stringify(after[changed]),
      answers: [plain, preferred],
      features: ['create', `prefer.${name}`],
    })
  } finally {
    await removeItem(path, session)
  }
}

/** The ends of lines, and of the text, may differ. */
function withoutSpace(text: unknown): unknown {
  return typeof text === 'string' ? text.replaceAll(/\s/g, '') : text
}

const patching = sequenceRule({
  id: 'patch-keeps',
  statement:
    'PATCH sets the named properties, clears those that are null, and leaves all others unchanged. Without a valid credential, it changes nothing.',
  advice: 'Merge the body into the item instead of replacing the item, and return the item as it is afterwards.',
  aspects: ['update.merge', 'methods'],
  covers: ['endpoint.update', 'open.updateStatus', 'open.complexUpdate'],
  cost: 3,
  weight: 14,
  sites: session => writeSites(session).filter(({ update }) => update !== undefined),
  // Most faults show in the response to the update. The read checks that the service has stored it.
  planned: site => [
    [
      { action: 'create', body: fullBody(site, 1) },
      { action: 'patch', body: patchBody(site, 1) },
    ],
    ...emptiedValues(site),
    ...selectedBeforeAndAfter(site),
    ...[1, 2].flatMap(number => partOfComplex(site, number)),
    ...oddUpdates(site)
      .slice(0, 2)
      .map((body): readonly TestStep[] => [
        { action: 'create', body: fullBody(site, 1) },
        { action: 'patch', body },
        { action: 'read' },
      ]),
    ...clearingBodies(site, 4).map(([value, cleared]) => [
      { action: 'create', body: fullBody(site, 4) },
      { action: 'patch', body: value },
      { action: 'patch', body: cleared },
      { action: 'read' },
    ]),
    ...[3, 5].map(number => [
      { action: 'create', body: fullBody(site, number) },
      { action: 'patch', body: patchBody(site, number) },
      { action: 'read' },
    ]),
  ],
})

const withPreference = 'with a preference'
const withAnotherKey = 'with another key'

export const patchKeeps: ActiveRule = {
  ...patching,
  cases: (site, session) => {
    const cases = patching.cases(site, session)
    const hasPreferred = writeSite(site, session)?.reading?.preferences.some(({ property }) => property !== undefined)
    const special = [
      ...(hasPreferred === true ? [{ variant: withPreference }] : []),
      ...(needsCredential(session) ? [{ variant: withoutCredential }] : []),
      { variant: withAnotherKey },
    ]
    const planned = cases.planned ?? []
    return { ...cases, planned: [...planned.slice(0, 3), ...special, ...planned.slice(3)] }
  },
  check: async (test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    switch (test.variant) {
      case withPreference:
        return patchWithPreference(writable, session)
      case withoutCredential:
        return writeWithoutCredential('PATCH', writable, session)
      case withAnotherKey:
        return updateWithAnotherKey(writable, session)
      default:
        return patching.check(test, site, session)
    }
  },
}

/** What a request prefers is the form of its response. The update of another property does not store that form. */
async function patchWithPreference(site: WriteSite, session: Session): Promise<Verdict> {
  // The forms of a property alternate from number to number.
  for (const number of [1, 2]) {
    const outcome = await createItem(fullBody(site, number), site, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { path } = outcome.item
    try {
      for (const { name, values, property } of site.reading?.preferences ?? []) {
        const [value] = values
        if (property === undefined || value === undefined) continue
        const members = property.split('/')
        const shown = async (): Promise<readonly [TestResponse, unknown]> => {
          // The header makes it a read of its own: what an earlier check has read says nothing of the state now.
          const response = await session.send({ method: 'GET', path, headers: { 'cache-control': 'no-cache' } })
          const isItem = response.status === 200 && isRow(response.json)
          return [response, isItem ? leafValue(response.json, members) : undefined]
        }
        const [before, old] = await shown()
        if (typeof old !== 'string' || old === value || (await session.ledger?.mayUpdate(path)) !== true) continue
        const changes = Object.entries(patchBody(site, number)).filter(([each]) => each !== members[0])
        const body = untriedOrAccepted('PATCH', Object.fromEntries(changes), site, session)
        if (Object.keys(body).length === 0) continue
        const headers = {
          prefer: `${name}="${value}"`,
          ...(site.update?.ifMatch === 'required' ? { 'if-match': '*' } : {}),
        }
        const updated = await session.send({ method: 'PATCH', path, headers, body })
        if (updated.status >= 300) continue
        const [after, now] = await shown()
        if (now !== value) return { kind: 'pass' }
        return failure({
          message: `An update of other properties with Prefer: ${name}="${value}" changes ${property}.`,
          expected: `${property}: ${JSON.stringify(old)}`,
          received: `${property}: ${JSON.stringify(now)}`,
          answers: [before, updated, after],
          features: ['update', `prefer.${name}`],
        })
      }
    } finally {
      await removeItem(path, session)
    }
  }
  return { kind: 'pass', vacuous: true }
}

/**
 * Updates all properties that can have a value that many languages take for false: `false`, zero, an empty text, an empty
 * collection. A service that tests values for truth ignores such an update.
 */
function emptiedValues(site: WriteSite): readonly (readonly TestStep[])[] {
  return emptyBodies(site).map(({ empty, full }) => [
    { action: 'create', body: {} },
    { action: 'patch', body: full },
    { action: 'patch', body: empty },
    { action: 'read' },
  ])
}

/** Reads the properties of an update with one URL before and after it. */
function selectedBeforeAndAfter(site: WriteSite): readonly (readonly TestStep[])[] {
  const body = patchBody(site, 6)
  const select = Object.keys(body)
  if (select.length === 0 || site.reading === undefined) return []
  return [
    [
      { action: 'create', body: fullBody(site, 6) },
      { action: 'read', select },
      { action: 'patch', body },
      { action: 'read', select },
    ],
  ]
}

/** Members that an update of a complex value omits stay, too, unless the service may replace objects (`complexUpdate`). */
function partOfComplex(site: WriteSite, number: number): readonly (readonly TestStep[])[] {
  const body = partialComplexBody(site, number)
  if (Object.keys(body).length === 0) return []
  return [[{ action: 'create', body: fullBody(site, number) }, { action: 'patch', body }, { action: 'read' }]]
}

export const replaceSets = sequenceRule({
  id: 'replace-sets',
  statement: 'PUT sets every property: a property that the body omits gets its default value or null.',
  advice:
    'PUT is not PATCH: start from an empty item, not from the stored one. Only keys and properties that are set on create keep their values.',
  aspects: ['update.replace'],
  covers: ['endpoint.replace', 'open.updateStatus'],
  cost: 5,
  weight: 6,
  sites: session => writeSites(session).filter(({ replacement }) => replacement !== undefined),
  planned: site =>
    [1, 2].map(number => [
      { action: 'create', body: fullBody(site, number) },
      { action: 'replace', body: partialBody(site, number) },
      { action: 'read' },
    ]),
})

const removing = sequenceRule({
  id: 'delete-removes',
  statement:
    'A deleted item is gone: reading it, or a list below it, returns 404. A delete without a valid credential removes nothing.',
  advice:
    'If you mark items as deleted, exclude them from every read. Look for reads by key that do not check the mark.',
  aspects: ['delete.item'],
  covers: ['endpoint.delete', 'open.deleteStatus'],
  cost: 3,
  weight: 7,
  sites: session => writeSites(session).filter(({ deletion }) => deletion !== undefined),
  planned: () => [[{ action: 'create', body: {} }, { action: 'delete' }]],
})

const withoutCredential = 'without a credential'

export const deleteRemoves: ActiveRule = {
  ...removing,
  cases: (site, session) => {
    const cases = removing.cases(site, session)
    const writable = writeSite(site, session)
    const hasLists = writable !== undefined && listsBelow(writable, session).length > 0
    const planned = [
      ...(cases.planned ?? []),
      ...(hasLists ? [{ variant: belowIt }] : []),
      ...(needsCredential(session) ? [{ variant: withoutCredential }] : []),
    ]
    return { ...cases, planned }
  },
  check: async (test, site, session) => {
    const special = test.variant === withoutCredential || test.variant === belowIt
    if (!special) return removing.check(test, site, session)
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    return test.variant === belowIt
      ? readBelowDeleted(writable, session)
      : writeWithoutCredential('DELETE', writable, session)
  },
}

const belowIt = 'a list below it'

/** The paths of lists below an item for which the spec declares the error, from the path of the item on. */
function listsBelow({ deletion }: WriteSite, { service }: Session): readonly string[] {
  return service.endpoints.flatMap(({ kind, resolved, path, errors }) => {
    if (!errors.includes(service.faults.itemNotFound)) return []
    const isBelow = deletion !== undefined && isSamePath(resolved.slice(0, -1), deletion.resolved)
    return kind === 'collection' && isBelow ? [path.template.slice(path.template.lastIndexOf('/'))] : []
  })
}

/** A list of an item that was deleted is no empty list. */
async function readBelowDeleted(site: WriteSite, session: Session): Promise<Verdict> {
  const outcome = await createItem({}, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path } = outcome.item
  const [list = ''] = listsBelow(site, session)
  const before = await session.send({ method: 'GET', path: `${path}${list}` })
  const removed = await removeItem(path, session)
  if (before.status !== 200 || removed === undefined || removed.status >= 300) return { kind: 'pass', vacuous: true }
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    // The header makes it a read of its own: what was read before the delete says nothing of the state now.
    const headers = { 'cache-control': 'no-cache' }
    const response = await session.send({ method: 'GET', path: `${path}${list}`, headers })
    if (response.status !== 200) return undefined
    return {
      message: 'A list below an item that was deleted can still be read.',
      expected: 'status 404, as for the item',
      received: describeResponse(response),
      answers: [removed, response],
      features: ['delete', 'list below'],
    }
  }, session)
  return verdictOf(finding)
}

/** The check of the credential comes before the write. */
async function writeWithoutCredential(method: 'DELETE' | 'PATCH', site: WriteSite, session: Session): Promise<Verdict> {
  const outcome = await createItem(method === 'PATCH' ? fullBody(site, 6) : {}, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path, expected } = outcome.item
  // An item that is not this run's must not be in danger, whatever the service does without a credential.
  if ((await session.ledger?.isOwned(path)) !== true) return { kind: 'pass', vacuous: true }
  const body = method === 'PATCH' ? { body: updatedBody(site, 17) } : {}
  const response = await session.send({ method, path, credential: 'none', ...body })
  const message = `A ${method} without a credential removes, or changes, the item.`
  const features = [method === 'PATCH' ? 'update' : 'delete', 'no credential']
  const reading = await readBack(path, { expected, message, features }, site, session)
  await removeItem(path, session)
  if (reading.kind === 'inconclusive') return reading
  if (reading.kind === 'matches') return { kind: 'pass' }
  return failure({ ...reading.finding, answers: [response, ...reading.finding.answers] })
}

export const lifeCycle = sequenceRule({
  id: 'life-cycle',
  statement:
    'After any sequence of creates, updates and deletes, every read and list shows the state of the last write.',
  advice:
    'A fault that shows only after several writes comes from shared or retained state: caches, indexes or reused identifiers.',
  aspects: ['create.item', 'update.merge', 'delete.item', 'methods'],
  covers: ['endpoint.create', 'endpoint.update', 'endpoint.delete'],
  cost: 4,
  weight: 20,
  planned: site => [
    // One item in all its states: this checks with few requests what the other rules look at more closely.
    [
      { action: 'create', body: fullBody(site, 1) },
      { action: 'read' },
      { action: 'patch', body: patchBody(site, 1) },
      { action: 'read' },
      { action: 'list' },
      { action: 'delete' },
      { action: 'list' },
    ],
    [
      { action: 'create', body: fullBody(site, 4) },
      { action: 'create', body: fullBody(site, 5) },
      { action: 'create', body: fullBody(site, 6) },
      { action: 'patch', item: 1, body: patchBody(site, 1) },
      { action: 'read', item: 0 },
      { action: 'delete', item: 1 },
      { action: 'read', item: 0 },
      { action: 'read', item: 2 },
      { action: 'list' },
    ],
  ],
  random: writeSequences,
})
