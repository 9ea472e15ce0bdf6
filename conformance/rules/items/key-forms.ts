import { keyOf, onePerEndpoint, type Site, sitePath } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

const forms = ['percent-encoded', 'quoted', 'in parentheses'] as const

export const keyForms: ActiveRule = {
  kind: 'active',
  id: 'key-forms',
  area: 'items',
  statement: 'A key that is written in another form leads to the same item, or is rejected.',
  advice:
    'Decode the key, check its form, and look for exactly this key. Rejecting the form is fine; another item is not. See RFC 3986, section 6.2.2.2, and OData 4.01 URL Conventions, 4.3.',
  aspects: ['item.read'],
  covers: ['endpoint.item'],
  severity: 'should',
  writes: false,
  cost: 1,
  weight: 1.5,
  sites: ({ sites }) => onePerEndpoint(sites).filter(site => forms.some(form => pathIn(form, site) !== undefined)),
  cases: site => ({
    planned: forms.flatMap(variant => (pathIn(variant, site) === undefined ? [] : [{ variant }])),
  }),
  check: async ({ variant }, site, session) => {
    const form = forms.find(each => each === variant)
    const path = form === undefined ? undefined : pathIn(form, site)
    const { type } = site
    if (path === undefined || type === undefined) return { kind: 'inconclusive', why: 'the key has no such form' }
    const response = await session.send({ method: 'GET', path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const found = response.status === 200 && isRow(response.json) ? keyOf(response.json, type) : undefined
    // A rejection is legal: no other form of the key is promised.
    if (found === undefined) return { kind: 'pass', vacuous: true }
    const [asked] = Object.values(lastKey(site) ?? {})
    if (found.toLowerCase() === asked?.toLowerCase()) return { kind: 'pass' }
    return failure({
      message: `A key that is ${variant} finds another item.`,
      expected: `the item with the key ${asked}, or an error`,
      received: `the item with the key ${found}`,
      answers: [response],
      features: ['key', `key.${variant}`],
    })
  },
}

/** The value of the key that the path ends in. Absent if it has several parts, or the path ends in something else. */
function lastKey({ endpoint, keys }: Site): Readonly<Record<string, string>> | undefined {
  const step = endpoint.resolved.at(-1)
  const [variable, ...others] = step?.kind === 'key' ? step.variables : []
  const value = variable === undefined ? undefined : keys[variable]
  return variable === undefined || value === undefined || others.length > 0 ? undefined : { [variable]: value }
}

/** The path with its last key in another form. Absent if the path has no such key, or the key has no such form. */
function pathIn(form: (typeof forms)[number], site: Site): string | undefined {
  const { endpoint, keys } = site
  const step = endpoint.resolved.at(-1)
  const [entry] = Object.entries(lastKey(site) ?? {})
  const property = endpoint.keys.at(-1)?.property
  if (endpoint.kind !== 'item' || entry === undefined || step?.kind !== 'key' || property === undefined)
    return undefined
  const [variable, value] = entry
  // A mark of our own, so that only the last key changes.
  const mark = 'specwright-key'
  const path = sitePath(endpoint, { ...keys, [variable]: mark })
  const end = step.style === 'parentheses' ? path.slice(path.lastIndexOf('(')) : `/${mark}`
  if (!path.endsWith(end)) return undefined
  const parent = path.slice(0, -end.length)
  const literal = primitiveOf(property.type) === 'String' ? `'${value.replaceAll("'", "''")}'` : value
  switch (form) {
    case 'percent-encoded':
      return /[A-Za-z0-9]/.test(value) ? path.replace(mark, encodeAll(value)) : undefined
    case 'quoted':
      return step.style === 'parentheses' ? undefined : `${parent}/${encodeURIComponent(`'${value}'`)}`
    default:
      return step.style === 'parentheses' ? undefined : `${parent}(${encodeURIComponent(literal)})`
  }
}

/** Percent-encodes letters and digits, too. */
function encodeAll(text: string): string {
  return encodeURIComponent(text).replace(/%[0-9A-F]{2}|[A-Za-z0-9]/g, part =>
    part.length > 1 ? part : `%${part.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
