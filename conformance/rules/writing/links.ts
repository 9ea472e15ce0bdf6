import { type Endpoint, isSamePath } from '../../../spec/language/index.js'
import { type Site, siteOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { newBody } from './accepted-body.js'
import type { Body } from './body.js'
import { type CreatedItem, cannotCreate, createItem, eventually, valueMismatches } from './created-item.js'
import {
  containedSites,
  createTargets,
  linkSites,
  type RelationSite,
  refusalVerdict,
  relationMismatch,
  relationPath,
  urlOf,
} from './relation-site.js'
import {
  cannotWrite,
  otherTypes,
  removeItem,
  type WriteSite,
  writeSite,
  writeSiteOf,
  writeSites,
} from './write-site.js'

export const bindLinks: ActiveRule = {
  kind: 'active',
  id: 'bind-links',
  area: 'writing',
  statement: 'A create that links items with `odata.bind` leads to all of them, also by their alternate keys.',
  advice:
    'Store a link for each URL in `name@odata.bind`, in the transaction of the create. The URLs can be absolute. See OData 4.01 JSON Format, 8.5.',
  aspects: ['methods', 'relation.path'],
  covers: ['endpoint.create', 'feature.bind'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 6,
  sites: session =>
    session.service.features.bind === 'none'
      ? []
      : writeSites(session).filter(site => linkSites(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const relations = writable === undefined ? [] : linkSites(writable, session)
    const byAlternateKey = relations.filter(({ targets }) => alternateKeys(targets, session).length > 0)
    return {
      planned: [
        ...relations.map(({ relation }) => ({ variant: 'create', name: relation.name })),
        ...byAlternateKey.map(({ relation }) => ({ variant: alternateKeyVariant, name: relation.name })),
      ],
    }
  },
  check: async ({ variant, name }, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const isByAlternateKey = variant === alternateKeyVariant
    const verdict = await createLinked(name, writable, session, 'bind', ({ relation, targets }, items) => {
      const urls = items.map(item => urlOf(isByAlternateKey ? byAlternateKey(item, targets, session) : item, targets))
      return { [`${relation.name}@odata.bind`]: relation.collection ? urls : (urls[0] ?? null) }
    })
    const isRefusal = verdict.kind === 'fail' && verdict.finding.features.includes('status')
    return isByAlternateKey && isRefusal ? { kind: 'unsupported', constructs: ['bind'] } : verdict
  },
}

/** Creates an item whose body links new targets of a relation, and reads the relation. */
async function createLinked(
  name: string | undefined,
  writable: WriteSite,
  session: Session,
  feature: 'bind' | 'deepInsert',
  linksOf: (at: RelationSite, items: readonly CreatedItem[]) => Body,
): Promise<Verdict> {
  const at = linkSites(writable, session).find(({ relation }) => relation.name === name)
  const { ledger } = session
  if (at === undefined || ledger === undefined) return { kind: 'inconclusive', why: cannotWrite }
  const targets = await createTargets(at, session)
  if (targets.kind === 'ended') return targets.verdict
  const { items } = targets
  const body = ledger.mayCreate(writable) ? await newBody({}, writable, session) : undefined
  if (body === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const foreignKey = new Set(at.relation.constraint.map(({ dependent }) => dependent))
  const values = Object.fromEntries(Object.entries(body).filter(([property]) => !foreignKey.has(property)))
  const { response, path } = await ledger.create(writable, { ...values, ...linksOf(at, items) })
  const made: readonly Pick<CreatedItem, 'path'>[] = path === undefined ? items : [{ path }, ...items]
  try {
    const refused = refusalVerdict(response, feature, session)
    if (refused !== undefined) return refused
    if (path === undefined) return { kind: 'inconclusive', why: cannotCreate }
    return await relationMismatch({ path }, at, items, [], [`feature.${feature}`, 'relation'], session)
  } finally {
    for (const item of made) await removeItem(item.path, session)
  }
}

/** More than one, so that a service cannot ignore the others. */
const nestedItems = 2

export const deepInsert: ActiveRule = {
  kind: 'active',
  id: 'deep-insert',
  area: 'writing',
  statement:
    'A create with related items in its body creates all of them, with their values, and links those that have only an @odata.id.',
  advice:
    'Create the item, everything nested in it, and its links in one transaction. See OData 4.01 Protocol, 11.4.2.1 and 11.4.2.2.',
  aspects: ['methods', 'relation.path'],
  covers: ['endpoint.create', 'feature.deepInsert'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 6,
  sites: session =>
    session.service.features.deepInsert === 'none'
      ? []
      : writeSites(session).filter(
          site => containedSites(site, session).length > 0 || linkSites(site, session).length > 0,
        ),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { planned: [] }
    const contained = containedSites(writable, session).map(({ relation }) => ({
      variant: 'create',
      name: relation.name,
    }))
    const linked = linkSites(writable, session).map(({ relation }) => ({ variant: linkVariant, name: relation.name }))
    return { planned: [...contained, ...linked] }
  },
  check: async ({ name, variant }, site, session) => {
    const writable = writeSite(site, session)
    if (writable !== undefined && variant === linkVariant) {
      return createLinked(name, writable, session, 'deepInsert', ({ relation, targets }, items) => {
        const links = items.map(item => ({ '@odata.id': urlOf(item, targets) }))
        return { [relation.name]: relation.collection ? links : (links[0] ?? null) }
      })
    }
    const at = writable && containedSites(writable, session).find(({ relation }) => relation.name === name)
    const { ledger } = session
    if (writable === undefined || at === undefined || ledger === undefined)
      return { kind: 'inconclusive', why: cannotWrite }
    const nested: Body[] = []
    for (let count = 0; count < nestedItems; count++) {
      const values = await newBody({}, at.targets, session)
      if (values !== undefined) nested.push(values)
    }
    const body = ledger.mayCreate(writable) ? await newBody({}, writable, session) : undefined
    if (body === undefined || nested.length < nestedItems) return { kind: 'inconclusive', why: cannotCreate }
    const { response, path } = await ledger.create(writable, { ...body, [at.relation.name]: nested })
    try {
      const refused = refusalVerdict(response, 'deepInsert', session)
      if (refused !== undefined) return refused
      return path === undefined
        ? { kind: 'inconclusive', why: cannotCreate }
        : await nestedMismatch({ path }, nested, at, session)
    } finally {
      if (path !== undefined) await removeItem(path, session)
    }
  },
}

export const deepUpdate: ActiveRule = {
  kind: 'active',
  id: 'deep-update',
  area: 'writing',
  statement:
    'A PATCH or PUT with a list of related items replaces them. One with a delta adds, changes and removes those that it names, and no others.',
  advice:
    'Find the items by their keys among those that the item contains, or by their @odata.id. A list deletes the contained items that it lacks, and unlinks others; a delta does so with those that have @removed. See OData 4.01 Protocol, 11.4.3.1.',
  aspects: ['update.merge', 'update.replace', 'relation.path'],
  covers: ['endpoint.update', 'endpoint.replace', 'feature.deepUpdate'],
  severity: 'must',
  writes: true,
  cost: 9,
  weight: 7,
  sites: session =>
    session.service.features.deepUpdate === 'none'
      ? []
      : writeSites(session)
          .filter(({ update, replacement }) => update !== undefined || replacement !== undefined)
          .filter(site => containedSites(site, session).length > 0 || linkedByUpdate(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { planned: [] }
    const contained = containedSites(writable, session).map(({ relation }) => ({
      variant: 'list and delta',
      name: relation.name,
    }))
    const linked = linkedByUpdate(writable, session).map(({ relation }) => ({
      variant: linkVariant,
      name: relation.name,
    }))
    return { planned: [...contained, ...linked] }
  },
  check: async ({ name, variant }, site, session) => {
    const writable = writeSite(site, session)
    if (writable !== undefined && variant === linkVariant) return checkLinked(name, writable, session)
    const at = writable && containedSites(writable, session).find(({ relation }) => relation.name === name)
    if (at === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const items: Body[] = []
    for (let count = 0; count < nestedItems + 2; count++) {
      const values = await newBody({}, at.targets, session)
      if (values !== undefined) items.push(values)
    }
    const owner = await createItem({}, at.site, session)
    if (owner.kind === 'ended') return owner.verdict
    try {
      const changed = at.site.update === undefined ? undefined : await replaceAndChange(owner.item, items, at, session)
      if (at.site.replacement === undefined || (changed !== undefined && changed.kind !== 'pass'))
        return changed ?? { kind: 'inconclusive', why: cannotWrite }
      return await putContained(owner.item, items, at, session)
    } finally {
      await removeItem(owner.item.path, session)
    }
  },
}

const linkVariant = 'links'

/** The relations of a site that a PATCH can link to items by their URLs. */
function linkedByUpdate(site: WriteSite, session: Session): readonly RelationSite[] {
  return site.update === undefined ? [] : linkSites(site, session)
}

async function checkLinked(name: string | undefined, site: WriteSite, session: Session): Promise<Verdict> {
  const at = linkedByUpdate(site, session).find(({ relation }) => relation.name === name)
  if (at === undefined) return { kind: 'inconclusive', why: cannotWrite }
  return withNewItems(at, session, linkAndUnlink)
}

/** Creates an item and targets of its relation for a check, and removes them. */
async function withNewItems(
  at: RelationSite,
  session: Session,
  check: (owner: CreatedItem, items: readonly CreatedItem[], at: RelationSite, session: Session) => Promise<Verdict>,
): Promise<Verdict> {
  const targets = await createTargets(at, session)
  if (targets.kind === 'ended') return targets.verdict
  const owner = await createItem({}, at.site, session)
  if (owner.kind === 'ended') return owner.verdict
  try {
    return await check(owner.item, targets.items, at, session)
  } finally {
    for (const { path } of [owner.item, ...targets.items]) await removeItem(path, session)
  }
}

/** Links all items by a list, then only the last one; then links the first one and unlinks the last one by a delta. */
async function linkAndUnlink(
  owner: CreatedItem,
  items: readonly CreatedItem[],
  at: RelationSite,
  session: Session,
): Promise<Verdict> {
  const { relation, targets } = at
  const headers = at.site.update?.ifMatch === 'none' ? {} : { 'if-match': '*' }
  const update = async (body: Body, present: readonly CreatedItem[], absent: readonly CreatedItem[]) => {
    const response = await session.send({ method: 'PATCH', path: owner.path, headers, body })
    const refused = refusalVerdict(response, 'deepUpdate', session)
    return refused ?? relationMismatch(owner, at, present, absent, ['feature.deepUpdate', 'links'], session)
  }
  const link = (item: CreatedItem): Body => ({ '@odata.id': urlOf(item, targets) })
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined) return { kind: 'inconclusive', why: cannotCreate }
  if (!relation.collection) {
    const linked = await update({ [relation.name]: link(first) }, [first], [])
    return linked.kind === 'pass' ? update({ [relation.name]: null }, [], [first]) : linked
  }
  const linked = await update({ [relation.name]: items.map(link) }, items, [])
  if (linked.kind !== 'pass') return linked
  const replaced = await update({ [relation.name]: [link(last)] }, [last], [first])
  if (replaced.kind !== 'pass') return replaced
  const delta = [link(first), { ...link(last), '@removed': { reason: 'changed' } }]
  const changed = await update({ [`${relation.name}@odata.delta`]: delta }, [first], [last])
  if (changed.kind !== 'pass') return changed
  const response = await session.send({ method: 'GET', path: last.path })
  if (response.status !== 404) return changed
  return failure({
    message: `An update that removed an item from ${relation.name} deleted the item.`,
    expected: 'status 200: the relation does not contain its items',
    received: describeResponse(response),
    answers: [response],
    features: ['feature.deepUpdate', 'deleted'],
  })
}

/** Replaces the item twice, with two contained items and then with another one. */
async function putContained(
  owner: CreatedItem,
  [one, two, three]: readonly Body[],
  at: RelationSite,
  session: Session,
): Promise<Verdict> {
  const { relation, site } = at
  if (one === undefined || two === undefined || three === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const headers = site.replacement?.ifMatch === 'none' ? {} : { 'if-match': '*' }
  const values = await newBody({}, site, session)
  if (values === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const { type } = site
  const fixed = new Set(
    type.properties.filter(each => each.createOnly || type.key.includes(each)).map(each => each.name),
  )
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => !fixed.has(name)))
  for (const items of [[one, two], [three]]) {
    const body = { ...own, [relation.name]: items }
    const response = await session.send({ method: 'PUT', path: owner.path, headers, body })
    const refused = refusalVerdict(response, 'deepUpdate', session)
    const verdict = refused ?? (await nestedMismatch(owner, items, at, session, 'deepUpdate'))
    if (verdict.kind !== 'pass') return verdict
  }
  return { kind: 'pass' }
}

/** Replaces the contained items by two, then by one of them and a new one, then adds one and removes one by a delta. */
async function replaceAndChange(
  owner: CreatedItem,
  [one, two, three, four]: readonly Body[],
  at: RelationSite,
  session: Session,
): Promise<Verdict> {
  const { relation } = at
  if (one === undefined || two === undefined || three === undefined || four === undefined)
    return { kind: 'inconclusive', why: cannotCreate }
  const headers = at.site.update?.ifMatch === 'none' ? {} : { 'if-match': '*' }
  const update = async (body: Body, expected: readonly Body[]): Promise<Verdict> => {
    const response = await session.send({ method: 'PATCH', path: owner.path, headers, body })
    const refused = refusalVerdict(response, 'deepUpdate', session)
    return refused ?? nestedMismatch(owner, expected, at, session, 'deepUpdate')
  }
  const keysOf = async (values: Body): Promise<Body | undefined> => {
    const { rows } = await session.list({ method: 'GET', path: relationPath(owner, at) })
    const row = rows.find(each => valueMismatches(each, values, at.targets, session).length === 0)
    const names = at.targets.type.key.map(({ name }) => name)
    const keys = names.flatMap(name => {
      const value = row?.[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
    })
    return keys.length < names.length ? undefined : Object.fromEntries(keys)
  }
  const replaced = await update({ [relation.name]: [one, two] }, [one, two])
  if (replaced.kind !== 'pass') return replaced
  const kept = await keysOf(one)
  if (kept === undefined) return { kind: 'inconclusive', why: 'the nested items cannot be read' }
  const again = await update({ [relation.name]: [kept, three] }, [one, three])
  if (again.kind !== 'pass') return again
  return update({ [`${relation.name}@odata.delta`]: [{ ...kept, '@removed': { reason: 'deleted' } }, four] }, [
    three,
    four,
  ])
}

/** Reads the nested items until they are those of the body. */
async function nestedMismatch(
  owner: { readonly path: string },
  nested: readonly Body[],
  at: RelationSite,
  session: Session,
  feature: 'deepInsert' | 'deepUpdate' = 'deepInsert',
): Promise<Verdict> {
  let verdict: Verdict = { kind: 'inconclusive', why: 'the nested items cannot be read' }
  await eventually(async () => {
    const { rows, pages, end } = await session.list({ method: 'GET', path: relationPath(owner, at) })
    if (end !== 'complete') return undefined
    const items = rows.filter(isRow)
    const missing = nested.filter(
      values => !items.some(row => valueMismatches(row, values, at.targets, session).length === 0),
    )
    if (missing.length === 0 && items.length === nested.length) {
      verdict = { kind: 'pass' }
      return undefined
    }
    verdict = failure({
      message: `The items in ${at.relation.name} are not those of the body that ${feature === 'deepInsert' ? 'created' : 'changed'} their owner.`,
      expected: `${nested.length} items, with the values of the body`,
      received: `${items.length} items, of which ${missing.length} of the body are missing`,
      answers: pages,
      features: [`feature.${feature}`, 'relation'],
    })
    return verdict
  }, session)
  return verdict
}

export const referencesChange: ActiveRule = {
  kind: 'active',
  id: 'references-change',
  area: 'writing',
  statement:
    'Adding, setting and removing a reference changes what the relation leads to, and nothing else, also by an alternate key.',
  advice:
    'POST to a $ref path adds a link, PUT sets that of a relation to one item, and DELETE removes one link: that of $id, or the only one. See OData 4.01 Protocol, 11.4.6.',
  aspects: ['methods', 'relation.path'],
  covers: ['endpoint.update', 'feature.references'],
  severity: 'must',
  writes: true,
  cost: 8,
  weight: 9,
  sites: session =>
    session.service.features.references === 'none'
      ? []
      : writeSites(session)
          .filter(({ update }) => update !== undefined)
          .filter(site => linkSites(site, session).length > 0)
          // Few sites have an alternate key.
          .toSorted((a, b) => alternateKeys(b, session).length - alternateKeys(a, session).length),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const relations = writable === undefined ? [] : linkSites(writable, session)
    const [first] = relations
      .filter(at => alternateKeysOfLink(at, session) > 0)
      .toSorted((a, b) => alternateKeysOfLink(b, session) - alternateKeysOfLink(a, session))
    return {
      planned: [
        // This also finds what the others find, in a service that does not refuse it.
        ...(first === undefined ? [] : [{ variant: alternateKeyVariant, name: first.relation.name }]),
        ...relations.map(({ relation }) => ({ variant: addAndRemoveVariant, name: relation.name })),
      ],
    }
  },
  check: async ({ variant, name }, site, session) => {
    const writable = writeSite(site, session)
    const at = writable && linkSites(writable, session).find(({ relation }) => relation.name === name)
    if (at === undefined) return { kind: 'inconclusive', why: cannotWrite }
    return withNewItems(at, session, (owner, items) => {
      if (variant !== alternateKeyVariant) return addAndRemove(owner, items, at, owner.path, session)
      const { path } = byAlternateKey(owner, at.site, session)
      const named = items.map(item => byAlternateKey(item, at.targets, session))
      return addAndRemove(owner, named, at, path, session, true)
    })
  },
}

const addAndRemoveVariant = 'add and remove'
/** The interface need not say that links take alternate keys. */
const alternateKeyVariant = 'by an alternate key'

/** The endpoints that read an item of a site by an alternate key. */
function alternateKeys({ endpoint: { resolved } }: WriteSite, { service }: Session): readonly Endpoint[] {
  return service.endpoints.filter(each => {
    const isByAlternateKey = each.kind === 'item' && each.resolved.at(-1)?.kind === 'alternateKey'
    return isByAlternateKey && isSamePath(each.resolved.slice(0, -1), resolved)
  })
}

/** The path of a created item by an alternate key. Undefined: no response shows its values. */
function alternatePath({ expected, row }: CreatedItem, site: WriteSite, session: Session): string | undefined {
  const [endpoint] = alternateKeys(site, session)
  return endpoint === undefined ? undefined : siteOf(endpoint, { site, row: { ...expected, ...row } })?.path
}

/** An item at the path with its alternate key, if it has one that responses show. */
function byAlternateKey(item: CreatedItem, site: WriteSite, session: Session): CreatedItem {
  return { ...item, path: alternatePath(item, site, session) ?? item.path }
}

/** The alternate keys that a link of a relation can use: those of the item, and those of the items that it leads to. */
function alternateKeysOfLink({ site, targets }: RelationSite, session: Session): number {
  return alternateKeys(site, session).length + alternateKeys(targets, session).length
}

/** @see OData 4.01 URL Conventions, 4.11 (addressing derived types) */
export const referencesCast: ActiveRule = {
  ...referencesChange,
  id: 'references-cast',
  statement: 'Behind a cast, references of items of the type change, and those of other items do not.',
  advice:
    'A path with a cast, /books/1/library.audiobook/sequels/$ref, leads to the same item as the path without it, or to none if the item is not of the type: 404.',
  aspects: ['methods', 'relation.path', 'item.type'],
  sites: session => referencesChange.sites(session).filter(site => castSite(site, session) !== undefined),
  cases: (site, session) => {
    const at = castSite(site, session)
    return { planned: at === undefined ? [] : [{ variant: 'add and remove', name: at.relation.name }] }
  },
  check: async (_test, site, session) => {
    const at = castSite(site, session)
    return at === undefined ? { kind: 'inconclusive', why: cannotWrite } : behindCast(at, session)
  },
}

/** The first relation of a site whose items can also be of a derived type. */
function castSite(site: Site, session: Session): RelationSite | undefined {
  const writable = writeSite(site, session)
  if (writable === undefined || otherTypes(writable, session).length === 0) return undefined
  return linkSites(writable, session)[0]
}

/** Changes the links of an item of a derived type behind a cast, and tries the same with an item that is not of the type. */
async function behindCast(at: RelationSite, session: Session): Promise<Verdict> {
  const [type] = otherTypes(at.site, session)
  if (type === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const derived = { ...at, site: writeSiteOf(type, at.site) }
  return withNewItems(derived, session, async (owner, items) => {
    const changed = await addAndRemove(owner, items, at, `${owner.path}/${type.qualifiedName}`, session)
    if (changed.kind !== 'pass') return changed
    const other = await createItem({}, at.site, session)
    if (other.kind === 'ended') return changed
    try {
      const path = `${other.item.path}/${type.qualifiedName}`
      const [first] = items
      const added = first === undefined ? undefined : await sendLink(first, at, path, session)
      if (added === undefined || inconclusiveVerdict(added) !== undefined) return changed
      return await relationMismatch(other.item, at, [], items, ['feature.references', 'cast'], session)
    } finally {
      await removeItem(other.item.path, session)
    }
  })
}

/** Adds a link to an item, or sets the one link. */
function sendLink(item: CreatedItem, at: RelationSite, ownerPath: string, session: Session): Promise<TestResponse> {
  const headers = at.site.update?.ifMatch === 'none' ? {} : { 'if-match': '*' }
  const method = at.relation.collection ? 'POST' : 'PUT'
  const body = { '@odata.id': urlOf(item, at.targets) }
  return session.send({ method, path: `${relationPath({ path: ownerPath }, at)}/$ref`, headers, body })
}

/**
 * @param ownerPath a path of the owner: with its key, with an alternate key, or behind a cast
 * @param mayRefuse whether the service need not know the URLs
 */
async function addAndRemove(
  owner: CreatedItem,
  items: readonly CreatedItem[],
  at: RelationSite,
  ownerPath: string,
  session: Session,
  mayRefuse: boolean = ownerPath !== owner.path,
): Promise<Verdict> {
  const { relation } = at
  const refusal = (response: TestResponse): Verdict | undefined => {
    if (mayRefuse && response.status >= 400)
      return inconclusiveVerdict(response) ?? { kind: 'unsupported', constructs: ['references'] }
    return refusalVerdict(response, 'references', session)
  }
  for (const item of items) {
    const refused = refusal(await sendLink(item, at, ownerPath, session))
    if (refused !== undefined) return refused
  }
  const linked = await relationMismatch(owner, at, items, [], ['feature.references', 'add'], session)
  if (linked.kind !== 'pass') return linked
  const [first, ...others] = items
  if (first === undefined) return linked
  const path = `${relationPath({ path: ownerPath }, at)}/$ref`
  const headers = at.site.update?.ifMatch === 'none' ? {} : { 'if-match': '*' }
  const query = relation.collection ? { rawQuery: `$id=${encodeURIComponent(urlOf(first, at.targets))}` } : {}
  const refused = refusal(await session.send({ method: 'DELETE', path, headers, ...query }))
  if (refused !== undefined) return refused
  return relationMismatch(owner, at, others, [first], ['feature.references', 'remove'], session)
}
