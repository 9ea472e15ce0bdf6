import { isSubtype, type NavigationInfo, type StructuredTypeInfo } from '../../query/index.js'
import type { ResolveReference } from '../routing/references.js'
import type { Feature } from '../service-table.js'
import { structuredType } from '../type-lookup.js'
import type { ReadContext } from '../value/read-value.js'

/** What bodies may say about relations. */
export interface LinkRules {
  readonly features?: readonly Feature[] | undefined
  /** Resolves the URLs of items. Undefined: a body can't name other items. */
  readonly references?: ResolveReference | undefined
}

/** `name@odata.bind`, which links items; `name@odata.delta`, which adds and removes links. */
const linkMember = /^([^@]+)@(?:odata\.)?(bind|delta)$/

/**
 * Reads a member that links existing items, and reports what is wrong with it. The value stays as in the body: URLs, which the
 * handler resolves. If the relation has a referential constraint to the key of the target, its properties get their values.
 *
 * @returns whether the member is one
 * @see OData JSON Format 4.01, 8.5 (bind operation)
 */
export function readLinks(
  name: string,
  json: unknown,
  type: StructuredTypeInfo,
  value: Record<string, unknown>,
  target: string,
  { features = [], references }: LinkRules,
  reading: ReadContext,
): boolean {
  const [, relation = '', kind = ''] = linkMember.exec(name) ?? []
  if (relation === '') return false
  const path = target === '' ? name : `${target}/${name}`
  const report = (problem: string): true => {
    reading.problems.push({ target: path.slice(0, maxPath), message: `${path.slice(0, maxPath)}${problem}.` })
    return true
  }
  const info = Object.hasOwn(type.navigation, relation) ? type.navigation[relation] : undefined
  const isAllowed =
    kind === 'bind' ? features.includes('bind') || features.includes('references') : features.includes('references')
  if (info === undefined || references === undefined || !isAllowed || info.contained === true) {
    return kind === 'bind' ? report(': navigation properties cannot be set here') : true
  }
  if (json === null) {
    if (info.collection === true || kind === 'delta') return report(' must be a list')
    if (info.nullable !== true) return report(' is required, and cannot be removed')
    for (const dependent of Object.keys(info.constraint ?? {})) value[dependent] = null
    value[`${relation}@odata.bind`] = null
    return true
  }
  const given = kind === 'delta' ? deltaUrls(json) : info.collection === true ? json : [json]
  if (!Array.isArray(given) || !given.every(url => typeof url === 'string')) {
    return report(info.collection === true ? ' must be a list of URLs' : ' must be a URL')
  }
  for (const url of given) {
    const item = references(url)
    const fits =
      item !== undefined &&
      (isSubtype(item.type, info.type, reading.types) || isSubtype(info.type, item.type, reading.types))
    if (item === undefined || !fits)
      return report(`: ${JSON.stringify(url.slice(0, maxPath))} is not the URL of a ${info.type}`)
    if (info.collection !== true) setConstrained(info, item.keys, value)
  }
  value[`${relation}@odata.${kind}`] = json
  return true
}

const maxPath = 200

/** The URLs in a delta: `{"@odata.id": …}`, with `@removed` or without. */
function deltaUrls(json: unknown): unknown {
  if (!Array.isArray(json)) return undefined
  return json.map((item: unknown) =>
    typeof item === 'object' && item !== null ? Reflect.get(item, '@odata.id') : item,
  )
}

/** The dependent properties of a relation to one item get the values of its key. */
function setConstrained(
  { constraint = {} }: NavigationInfo,
  keys: Readonly<Record<string, unknown>>,
  value: Record<string, unknown>,
): void {
  for (const [dependent, principal] of Object.entries(constraint)) {
    if (Object.hasOwn(keys, principal)) value[dependent] = keys[principal]
  }
}

/** The properties that get their values from the item that contains a nested item, or that the nested item is related to. */
export function dependentsOf(info: NavigationInfo, types: ReadContext['types']): ReadonlySet<string> {
  const partner = info.partner === undefined ? undefined : structuredType(types, info.type)?.navigation[info.partner]
  return new Set(Object.keys(partner?.constraint ?? {}))
}
