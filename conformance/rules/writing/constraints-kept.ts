import { type Property, safeIntegerRange } from '../../../spec/language/index.js'
import { isRow, type Json } from '../../json.js'
import { brokenFacet, type FacetName, facetForm, facetNames, facetsOf } from '../../lists/facets.js'
import { primitiveOf } from '../../lists/properties.js'
import { findTypeMismatch, isAssumed } from '../../lists/type-mismatch.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, verdictOf } from '../../rule/verdict.js'
import { newBody } from './accepted-body.js'
import { cannotCreate } from './created-item.js'
import { sampleValue } from './sample-value.js'
import { removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

/** What a value breaks: a facet, nullability, or the list of members of an enumeration. */
type Constraint = FacetName | 'nullable' | 'members'

export const constraintsKept: ActiveRule = {
  kind: 'active',
  id: 'constraints-kept',
  area: 'writing',
  statement:
    'A create with a value that breaks a constraint of the property is rejected, or the new item does not show that value.',
  advice:
    'Check lengths, patterns, ranges, enumeration members and nulls before you write. A typed client relies on them when it reads.',
  aspects: ['property.values', 'error.body'],
  covers: ['properties', 'endpoint.create', 'fault.invalidBody', 'error.invalidBody'],
  severity: 'must',
  writes: true,
  cost: 1,
  weight: 3,
  sites: writeSites,
  cases: (site, session) => {
    const writable = writeSite(site, session)
    return { planned: writable === undefined ? [] : casesFor(writable), skipReason: 'the type states no constraints' }
  },
  check: async ({ name = '', variant }, site, session) => {
    const writable = writeSite(site, session)
    const property = writable?.type.properties.find(each => each.name === name)
    const constraint = property && constraintsOf(property).find(each => each === variant)
    const mayCreate = writable !== undefined && session.ledger?.mayCreate(writable) === true
    const body = mayCreate ? await newBody({}, writable, session) : undefined
    if (writable === undefined || property === undefined || constraint === undefined || body === undefined) {
      return { kind: 'inconclusive', why: cannotCreate }
    }
    const value = valueBeyond(property, constraint, body[name])
    if (value === undefined) return { kind: 'inconclusive', why: 'no value breaks the constraint' }
    const created = await session.ledger?.create(writable, { ...body, [name]: value })
    if (created === undefined) return { kind: 'inconclusive', why: cannotCreate }
    const { response, path } = created
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (response.status >= 400) {
      const { invalidBody, malformedBody, conflict } = session.service.faults
      const finding = errorFinding(response, [invalidBody, malformedBody, conflict], session)
      return verdictOf(finding)
    }
    const shown =
      isRow(response.json) && Object.hasOwn(response.json, name)
        ? response
        : path === undefined
          ? undefined
          : await session.send({ method: 'GET', path, options: { select: [{ path: [name] }] } })
    if (path !== undefined) await removeItem(path, session)
    if (shown === undefined || !isRow(shown.json) || !Object.hasOwn(shown.json, name)) {
      return { kind: 'inconclusive', why: 'the new item does not show the value' }
    }
    const mismatch = findTypeMismatch(shown.json[name], property, true)
    if (mismatch === undefined) return { kind: 'pass' }
    return failure({
      message: `A create was accepted, although ${name} was not ${formOf(property, constraint)}, and the new item shows the value.`,
      expected: 'status 400 with an error object, or an item that meets the constraint',
      received: describeResponse(response),
      answers: shown === response ? [response] : [response, shown],
      features: ['create', 'constraint', `constraint.${constraint}`],
    })
  },
}

/** Constraints in the order in which they are tried, so that each kind is tried early. */
function casesFor(site: WriteSite): readonly { readonly name: string; readonly variant: Constraint }[] {
  // An item with a malformed key could not be addressed, so it would remain.
  const properties = site.type.properties.filter(property => !site.type.key.includes(property))
  const all = properties.flatMap(property => constraintsOf(property).map(variant => ({ name: property.name, variant })))
  const tried = new Map<Constraint, number>()
  const ranked = all.map(each => {
    const rank = tried.get(each.variant) ?? 0
    tried.set(each.variant, rank + 1)
    return { each, rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ each }) => each)
}

/** The constraints to break with a create. Assumed ones are left out. */
function constraintsOf(property: Property): readonly Constraint[] {
  const { computed, assumed, nullable, collection, type } = property
  if (computed || assumed !== undefined || isAssumed(property)) return []
  if (type.kind === 'enumType') {
    return [
      ...(type.assumed === undefined && !type.flags ? (['members'] as const) : []),
      ...(nullable || collection ? [] : (['nullable'] as const)),
    ]
  }
  const facets = facetsOf(property)
  const stated = facetNames.filter(name => typeof facets[name] === 'number' || typeof facets[name] === 'string')
  return [
    // Services round what is more precise.
    ...stated.filter(name => name !== 'precision' && (name !== 'scale' || typeof facets.scale === 'number')),
    ...(nullable || collection ? [] : ['nullable' as const]),
  ]
}

/** Longer bodies could exceed the limit of a body. */
const maxText = 20_000

/**
 * A value that breaks one constraint.
 *
 * @param given the value that the service accepts. A long text starts with it, for the mark of the run.
 */
function valueBeyond(property: Property, constraint: Constraint, given: Json | undefined): Json | undefined {
  const { collection } = property
  const facets = facetsOf(property)
  const one = (value: Json | undefined): Json | undefined => (collection && value !== undefined ? [value] : value)
  switch (constraint) {
    case 'nullable':
      return null
    case 'members':
      return one('noSuchMember')
    case 'minItems':
      return facets.minItems === 0 ? undefined : []
    case 'maxItems': {
      const items = Array.from({ length: (facets.maxItems ?? 0) + 1 }, (_, index) =>
        sampleValue({ ...property, collection: false }, index + 1),
      ).filter(item => item !== undefined)
      return items.length > (facets.maxItems ?? 0) ? items : undefined
    }
    default: {
      const single = collection && Array.isArray(given) ? given[0] : given
      const candidates = [...candidatesBeyond(property, constraint, typeof single === 'string' ? single : '')]
      return one(candidates.find(value => brokenFacet(value, property) === constraint))
    }
  }
}

function* candidatesBeyond(property: Property, constraint: FacetName, given: string): Generator<Json> {
  const { maxLength = 0, minLength = 0, minimum = 0, maximum = 0, scale } = facetsOf(property)
  const primitive = primitiveOf(property.type)
  const [lowest, highest] = safeIntegerRange(primitive ?? '') ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  switch (constraint) {
    case 'maxLength':
      if (maxLength < maxText)
        yield primitive === 'Binary' ? 'A'.repeat(4 * Math.ceil((maxLength + 1) / 3)) : given.padEnd(maxLength + 1, 'x')
      break
    case 'minLength':
      if (minLength > 0) yield 'x'.repeat(minLength - 1)
      break
    case 'pattern':
      for (const text of [' ', '~', 'x', 'X', '0', '€', '\n', given.toLowerCase(), given.toUpperCase(), `${given} `]) {
        yield text.padEnd(minLength, text)
      }
      break
    case 'minimum':
      if (minimum - 1 >= lowest) yield minimum - 1
      break
    case 'maximum':
      if (maximum + 1 <= highest) yield maximum + 1
      break
    case 'scale':
      if (typeof scale === 'number' && scale < 12) yield Number(`1.${'1'.repeat(scale + 1)}`)
      break
    default:
      break
  }
}

function formOf(property: Property, constraint: Constraint): string {
  switch (constraint) {
    case 'nullable':
      return 'a value'
    case 'members':
      return 'a member of the enumeration'
    default:
      return facetForm(constraint, property)
  }
}
