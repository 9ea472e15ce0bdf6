import { onePerEndpoint } from '../discover/site.js'
import { readItem } from '../lists/read-rows.js'
import { isTag, tagOf } from '../rules/entity-tags/entity-tag.js'
import { absenceShown, isSingleRelation } from '../rules/items/single-relation.js'
import { argumentsToTry, callOperation, callRequest, queryCalls } from '../rules/operations/call.js'
import { expectedResult, readRelatedItems, resultKey } from '../rules/operations/expected-result.js'
import { setOf } from '../rules/operations/relation-graph.js'
import { type Observation, observingCalibrator } from './calibrator.js'

const maxPaths = 3

export const absentRelation = observingCalibrator(
  'absentRelation',
  'every single-valued navigation property has a value',
  async session => {
    const observations: Observation[] = []
    for (const site of session.sites.filter(isSingleRelation).slice(0, maxPaths)) {
      const { status, json, transportError } = await session.send({ method: 'GET', path: site.path })
      const shown = transportError === undefined ? absenceShown(status, json) : undefined
      if (shown === undefined) continue
      const evidence = `GET ${site.path} returned ${shown === 'null' ? 'null' : status}`
      observations.push({ value: shown, evidence, site })
    }
    return observations
  },
)

export const entityTag = observingCalibrator('entityTag', 'no item could be read', async session => {
  const observations: Observation[] = []
  const items = onePerEndpoint(session.sites).filter(({ endpoint, type }) => {
    return endpoint.kind === 'item' && type !== undefined && type.entityTag !== 'none'
  })
  for (const site of items.slice(0, 4)) {
    const { path, type } = site
    if (type === undefined) continue
    const response = await readItem(path, type, session)
    if (response.status !== 200) continue
    const tag = tagOf(response)
    if (tag !== undefined && !isTag(tag)) continue
    const shown = tag === undefined ? 'none' : tag.startsWith('W/') ? 'weak' : 'strong'
    observations.push({
      value: shown,
      evidence: `GET ${path} returned ${tag === undefined ? 'no tag' : `the tag ${tag}`}`,
      site,
    })
  }
  return observations
})

export const membershipClosure = observingCalibrator(
  'membershipClosure',
  'no indirect membership was found',
  async session => {
    // The first operation decides what the report says. Each operation may have a way of its own.
    for (const call of onePerEndpoint(queryCalls(session))) {
      if (!call.meaning.transitive) continue
      const set = setOf(call.meaning.of.type, session)
      const rows = set === undefined ? [] : (session.snapshot(set)?.rows ?? [])
      const [given] = argumentsToTry(call, rows)
      const ask = given === undefined ? undefined : callRequest(call, given)
      if (given === undefined || ask === undefined) continue
      const from = await readRelatedItems(call, session)
      const [all, direct] = (from?.readings ?? []).map(keys => {
        return from === undefined ? new Set<string>() : expectedResult(call, given, keys, from, session).must
      })
      if (all === undefined || direct === undefined || all.size === direct.size) continue
      const result = await callOperation(ask, session)
      if (result.kind === 'other') continue
      const shown = new Set(result.values.map(value => resultKey(value, call)))
      if (![...direct].every(value => shown.has(value))) continue
      const behind = [...all].filter(value => !direct.has(value))
      const found = behind.filter(value => shown.has(value)).length
      if (found > 0 && found < behind.length) continue
      const name = call.endpoint.operation.name
      const text = `${name} returned ${found} of ${behind.length} indirect members`
      return [{ value: found === 0 ? 'direct' : 'transitive', evidence: text }]
    }
    return []
  },
  ['expandedItems'],
)
