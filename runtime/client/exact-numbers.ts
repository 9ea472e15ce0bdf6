import type { Interceptor, JsonFormat } from './connection.js'

const compatible = 'application/json;IEEE754Compatible=true'

/**
 * Requests Int64 and Decimal as strings, and says that the bodies of requests have them as strings, so that no digit is
 * lost. Counts stay numbers.
 *
 * @see OData JSON Format 4.01, 3.2 (IEEE754Compatible)
 */
export const exactNumbers: Interceptor = next => async (url, request) => {
  for (const name of ['accept', 'content-type']) {
    if (request.headers.get(name) === 'application/json') request.headers.set(name, compatible)
  }
  const response = await next(url, request)
  if (!/json/.test(response.headers.get('content-type') ?? '')) return response
  const text = (await response.text()).replace(/("(?:[^"\\]|\\.)*@odata\.count":)"(\d+)"/g, '$1$2')
  const { status, statusText, headers } = response
  return new Response(text || null, { status, statusText, headers })
}

/**
 * Where the values of a service are Int64: the name of an entity set, a singleton or a type, and its type, or the types of its
 * members. Only what leads to an Int64 is there.
 */
export interface Int64Members {
  readonly [name: string]: string | TypesOfMembers
}

interface TypesOfMembers {
  readonly [member: string]: string
}

/**
 * JSON whose Int64 are bigints. Its responses must have Int64 as strings, as `exactNumbers` requests them. What a query computes
 * stays as it is.
 *
 * @see OData JSON Format 4.01, 4.6.1 (context) and 4.6.3 (type)
 */
export const bigIntJson = (given: Int64Members): JsonFormat => {
  const named = (name: string): Int64Members[string] | undefined => own(given, name)
  /** The type of an entity set or singleton, or what a type definition stands for. */
  const typeNamed = (name: string): string => {
    const type = named(name)
    return typeof type === 'string' ? typeNamed(type) : name
  }
  const membersOf = (type: string): TypesOfMembers | undefined => {
    const members = named(type)
    return typeof members === 'string' ? undefined : members
  }
  const converted = (value: unknown, type: string): unknown => {
    if (Array.isArray(value)) return value.map(item => converted(item, type))
    if (type === int64) return /^-?\d+$/.test(`${value}`) ? BigInt(`${value}`) : value
    if (!isObject(value)) return value
    const members = membersOf(`${value['@odata.type']}`.replace(/^.*#/, '')) ?? membersOf(type) ?? {}
    for (const name of Object.keys(value)) {
      const inner = own(members, name)
      if (inner !== undefined) value[name] = converted(value[name], inner)
    }
    return value
  }
  /** The type behind `#` in a context URL: `sums(1)/parts`, `Collection(shop.part)`, `Edm.Int64`. */
  const typeOfContext = (fragment: string): string => {
    let path = fragment.replace(/'[^']*'/g, '').replace(/^Collection\((.*)\)$/, '$1')
    // Keys, and lists of selected members, which nest.
    for (let longer = ''; longer !== path; ) {
      longer = path
      path = path.replace(/\([^()]*\)/g, '')
    }
    let type = ''
    for (const name of path.split('/')) {
      if (/^[$@]/.test(name)) continue
      type = type === '' || name.includes('.') ? typeNamed(name) : (own(membersOf(type) ?? {}, name) ?? none)
    }
    return type
  }
  return {
    parse: text => {
      const json: unknown = JSON.parse(text)
      if (!isObject(json)) return json
      const fragment = /#(.*)/.exec(`${json['@odata.context']}`)?.[1] ?? none
      const type = typeOfContext(fragment)
      if (type !== int64 && (fragment.endsWith('/$entity') || !Array.isArray(json['value'])))
        return converted(json, type)
      json['value'] = converted(json['value'], type)
      return json
    },
    stringify: value => JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)),
  }
}

const int64 = 'Edm.Int64'

/** The type of what leads to no Int64. */
const none = '?'

const own = <Value>(values: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
