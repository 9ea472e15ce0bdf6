import type { Endpoint, EntityType, Property, Service, StructuredType } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { isRow, type Row } from '../json.js'
import { brokenFacet, brokenListFacet, type FacetName, facetNames, facetsOf } from '../lists/facets.js'
import { declaredProperties } from '../lists/properties.js'
import { rowsIn } from '../lists/read-rows.js'
import { isAssumed } from '../lists/type-mismatch.js'

/**
 * What a spec may state about values, queries and errors. `nullable`: a value is never null. `members`: one member of an
 * enumeration. `top`: the greatest `$top` of an endpoint. `error`: an error of an endpoint.
 */
export type ConstraintKeyword = FacetName | 'nullable' | 'members' | 'top' | 'error'

const constraintKeywords: readonly ConstraintKeyword[] = ['nullable', 'members', ...facetNames, 'top', 'error']

/** Which constraints of one kind a run has reached. */
export interface ConstraintCoverage {
  readonly keyword: ConstraintKeyword
  /** The number of constraints that the spec states. Assumed ones do not count. */
  readonly stated: number
  /** Those that at least one value, query or response was about. */
  readonly checked: number
  /** Those that the suite tried to break: with a value, or with a query. */
  readonly broken: number
  /** Where the others are: `copy.condition`, or `books.list` for an endpoint. */
  readonly unchecked: readonly string[]
}

/** Records which constraints the requests and responses of a run are about. */
export interface ConstraintRecord {
  readonly recordExchange: (response: TestResponse, site: Site | undefined) => void
  readonly coverage: () => readonly ConstraintCoverage[]
}

interface Constraint {
  readonly keyword: ConstraintKeyword
  readonly place: string
  isChecked: boolean
  isBroken: boolean
}

/** @param endpointOf the endpoint that a response comes from */
export function createConstraintRecord(
  service: Service,
  endpointOf: (response: TestResponse) => Endpoint | undefined,
): ConstraintRecord {
  const ofProperties = new Map<Property, ReadonlyMap<string, Constraint>>()
  for (const type of [...service.entityTypes, ...service.complexTypes]) {
    for (const property of type.properties) {
      if (!ofProperties.has(property)) ofProperties.set(property, propertyConstraints(property, type))
    }
  }
  const ofEndpoints = new Map(service.endpoints.map(endpoint => [endpoint, endpointConstraints(endpoint)]))
  const record = (row: Row, type: StructuredType, isSent: boolean, depth = 0): void => {
    const properties = type.kind === 'entityType' ? declaredProperties(type, service).properties : undefined
    for (const [name, value] of Object.entries(row)) {
      const property = properties?.get(name) ?? type.properties.find(each => each.name === name)
      const constraints = property && ofProperties.get(property)
      if (property === undefined || constraints === undefined) continue
      if (constraints.size > 0) recordValue(value, property, constraints, isSent)
      if (property.type.kind !== 'complexType' || depth >= maxDepth) continue
      for (const inner of Array.isArray(value) ? value : [value]) {
        if (isRow(inner)) record(inner, property.type, isSent, depth + 1)
      }
    }
  }
  return {
    recordExchange: (response, site) => {
      const { testRequest, json, status } = response
      if (site?.type !== undefined) for (const row of rowsIn(response, site)) record(row, site.type, false)
      const endpoint = endpointOf(response)
      if (endpoint === undefined) return
      const type = writtenType(endpoint)
      if (type !== undefined && isRow(testRequest.body)) record(testRequest.body, type, true)
      if (type !== undefined && isRow(json) && status < 300) record(json, type, false)
      recordQuery(response, endpoint, ofEndpoints.get(endpoint))
    },
    coverage: () => summarize([...ofProperties.values(), ...ofEndpoints.values()].flatMap(each => [...each.values()])),
  }
}

/** How deep complex values are followed. */
const maxDepth = 3

function writtenType(endpoint: Endpoint): EntityType | undefined {
  return endpoint.kind === 'create' || endpoint.kind === 'update' || endpoint.kind === 'replace'
    ? endpoint.type
    : undefined
}

function stated(keyword: ConstraintKeyword, place: string): Constraint {
  return { keyword, place, isChecked: false, isBroken: false }
}

/** By keyword; members of an enumeration by their names. */
function propertyConstraints(property: Property, { name: owner }: StructuredType): ReadonlyMap<string, Constraint> {
  const { assumed, nullable, collection, type } = property
  if (assumed !== undefined || isAssumed(property)) return new Map()
  const place = `${owner}.${property.name}`
  const facets = facetsOf(property)
  const found = new Map<string, Constraint>()
  if (!nullable && !collection) found.set('nullable', stated('nullable', place))
  for (const name of facetNames) {
    if (typeof facets[name] === 'number' || (name === 'pattern' && facets.pattern !== undefined)) {
      found.set(name, stated(name, place))
    }
  }
  if (type.kind === 'enumType' && type.assumed === undefined) {
    for (const { name } of type.members) found.set(`member ${name}`, stated('members', `${place} ${name}`))
  }
  return found
}

function endpointConstraints(endpoint: Endpoint): ReadonlyMap<string, Constraint> {
  const { name, errors } = endpoint
  const top = endpoint.kind === 'collection' ? endpoint.query?.top.max : undefined
  return new Map([
    ...(top === undefined ? [] : [['top', stated('top', name)] as const]),
    ...errors.map(error => [error.name, stated('error', `${name} ${error.name}`)] as const),
  ])
}

function recordValue(
  value: unknown,
  property: Property,
  constraints: ReadonlyMap<string, Constraint>,
  isSent: boolean,
): void {
  const mark = (constraint: Constraint | undefined, isBroken: boolean): void => {
    if (constraint === undefined) return
    constraint.isChecked = true
    if (isBroken && isSent) constraint.isBroken = true
  }
  mark(constraints.get('nullable'), value === null)
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    const broken = brokenListFacet(value.length, property)
    for (const name of ['minItems', 'maxItems'] as const) mark(constraints.get(name), broken === name)
  }
  for (const item of Array.isArray(value) ? value : [value]) {
    // What a response breaks is the business of rules.
    const broken = isSent ? brokenFacet(item, property) : undefined
    for (const name of facetNames) {
      if (name !== 'minItems' && name !== 'maxItems') mark(constraints.get(name), broken === name)
    }
    if (property.type.kind !== 'enumType' || typeof item !== 'string') continue
    const names = item.split(',').map(name => name.trim())
    for (const name of names) mark(constraints.get(`member ${name}`), false)
    const isUnknown = names.some(name => !constraints.has(`member ${name}`))
    if (isUnknown && isSent) for (const [key, each] of constraints) if (key.startsWith('member ')) each.isBroken = true
  }
}

function recordQuery(
  { testRequest: { options }, status, json }: TestResponse,
  endpoint: Endpoint,
  constraints: ReadonlyMap<string, Constraint> | undefined,
): void {
  const top = endpoint.kind === 'collection' ? endpoint.query?.top.max : undefined
  const limit = constraints?.get('top')
  if (limit !== undefined && top !== undefined && options?.top !== undefined && options.top >= top) {
    limit.isChecked = true
    if (options.top > top) limit.isBroken = true
  }
  if (status < 400) return
  const code = isRow(json) && isRow(json['error']) ? json['error']['code'] : undefined
  for (const error of endpoint.errors) {
    const constraint = constraints?.get(error.name)
    if (constraint === undefined || (status !== error.status && code !== error.code)) continue
    constraint.isChecked = true
    constraint.isBroken = true
  }
}

function summarize(all: readonly Constraint[]): readonly ConstraintCoverage[] {
  return constraintKeywords.flatMap(keyword => {
    const stated = all.filter(each => each.keyword === keyword)
    if (stated.length === 0) return []
    const open = stated.filter(({ isChecked, isBroken }) => !isChecked && !isBroken)
    return {
      keyword,
      stated: stated.length,
      checked: stated.length - open.length,
      broken: stated.filter(({ isBroken }) => isBroken).length,
      unchecked: open.map(({ place }) => place),
    }
  })
}
