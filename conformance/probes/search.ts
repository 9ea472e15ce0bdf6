import type { SearchExpression } from '../../runtime/query/index.js'
import type { SearchCapabilities } from '../../spec/language/index.js'
import { onePerEndpoint, type Site, type Snapshot } from '../discover/site.js'
import { listSites } from '../lists/related-items.js'
import type { Session } from '../session/session.js'
import { observedValues } from './observed-values.js'

/** A word in the data, its property, and the search for it. */
export interface SearchTerm {
  readonly property: string
  readonly word: string
  readonly search: SearchExpression
}

/** The search for a word: with the property's name if the syntax has one, or else for the word alone. */
export function searchFor(word: string, property: string, { syntax }: SearchCapabilities): SearchExpression {
  return syntax === 'propertyTerms' ? { kind: 'phrase', text: `${property}:${word}` } : { kind: 'term', text: word }
}

/**
 * ASCII words between spaces, in properties that are searched by words. They are long enough not to be stop words.
 * Takes the properties in turn.
 */
export function searchTerms(snapshot: Snapshot, capabilities: SearchCapabilities): readonly SearchTerm[] {
  const queues = searchedByWords(snapshot.site, capabilities).map(property =>
    wordsIn(snapshot, property).map(word => ({ property, word })),
  )
  const longest = Math.max(0, ...queues.map(queue => queue.length))
  const found: SearchTerm[] = []
  for (let index = 0; index < longest; index++) {
    for (const queue of queues) {
      const next = queue[index]
      if (next !== undefined) found.push({ ...next, search: searchFor(next.word, next.property, capabilities) })
    }
  }
  return found
}

/**
 * The beginnings of values of properties that are searched by prefix, as terms of their own. A service may search other
 * properties than the spec says, so it may refuse them.
 */
export function prefixTerms({ rows, site }: Snapshot, capabilities: SearchCapabilities): readonly SearchTerm[] {
  return (site.type?.properties ?? [])
    .filter(({ name, search }) => capabilities.properties.includes(name) && search === 'prefix')
    .flatMap(({ name: property }) => {
      const beginnings = observedValues(rows, [property]).flatMap(text =>
        typeof text === 'string' ? (/^[A-Za-z][A-Za-z0-9]{2,29}/.exec(text) ?? []) : [],
      )
      return ownFirst([...new Set(beginnings)], rows, searchedByWords(site, capabilities))
        .slice(0, 2)
        .map(word => ({
          property,
          word,
          search: searchFor(word, property, capabilities),
        }))
    })
}

/** A word with letters beyond ASCII in a property that is searched by words, as a term. */
export function letterTerms({ rows, site }: Snapshot, capabilities: SearchCapabilities): readonly SearchTerm[] {
  return searchedByWords(site, capabilities).flatMap(property => {
    const words = observedValues(rows, [property]).flatMap(text => (typeof text === 'string' ? text.split(' ') : []))
    const word = words.find(each => /^[\p{L}]{3,30}$/u.test(each) && /[^\0-\x7F]/.test(each))
    return word === undefined ? [] : [{ property, word, search: searchFor(word, property, capabilities) }]
  })
}

/**
 * Words of other properties as terms of a property that has them in no row: what finds a row searches too many properties.
 * None unless a term names its property.
 */
export function strayTerms({ rows, site }: Snapshot, capabilities: SearchCapabilities): readonly SearchTerm[] {
  if (capabilities.syntax !== 'propertyTerms') return []
  const properties = site.type?.properties ?? []
  return searchedByWords(site, capabilities).flatMap(property => {
    const own = JSON.stringify(observedValues(rows, [property])).toLowerCase()
    const others = properties.filter(({ name }) => name !== property).flatMap(({ name }) => wordsIn({ rows }, name))
    const word = others.find(each => !own.includes(each.toLowerCase()))
    return word === undefined ? [] : [{ property, word, search: searchFor(word, property, capabilities) }]
  })
}

/** How many properties to search that the spec does not name for search. */
const maxOtherProperties = 3

/**
 * Words of properties that the spec does not name for search, those with null first. A service may refuse them, but must not find
 * other items. None unless a term names its property.
 */
export function otherTerms({ rows, site }: Snapshot, capabilities: SearchCapabilities): readonly SearchTerm[] {
  if (capabilities.syntax !== 'propertyTerms') return []
  const keys = site.type?.key.map(({ name }) => name) ?? []
  const names = (site.type?.properties ?? []).flatMap(({ name, collection }) =>
    collection || keys.includes(name) || capabilities.properties.includes(name) ? [] : name,
  )
  const nulls = (name: string): number => Number(rows.some(row => row[name] === null))
  return names
    .toSorted((a, b) => nulls(b) - nulls(a))
    .flatMap(property =>
      ownFirst(wordsIn({ rows }, property), rows, searchedByWords(site, capabilities))
        .slice(0, 1)
        .map(word => ({ property, word, search: searchFor(word, property, capabilities) })),
    )
    .slice(0, maxOtherProperties)
}

/** Words that none of the given properties has come first: they show in which property a service has looked. */
function ownFirst(words: readonly string[], rows: Snapshot['rows'], properties: readonly string[]): readonly string[] {
  const others = JSON.stringify(properties.map(name => observedValues(rows, [name]))).toLowerCase()
  const isOther = (word: string): number => Number(others.includes(word.toLowerCase()))
  return words.toSorted((a, b) => isOther(a) - isOther(b))
}

/** The terms that the most rows contain as a word, and how many, those with the most rows first. */
export function frequentTerms(
  snapshot: Snapshot,
  capabilities: SearchCapabilities,
): readonly (SearchTerm & { readonly rows: number })[] {
  const has = ({ property, word }: SearchTerm): number =>
    snapshot.rows.filter(row =>
      String(row[property] ?? '')
        .split(' ')
        .includes(word),
    ).length
  return searchTerms(snapshot, capabilities)
    .map(term => ({ ...term, rows: has(term) }))
    .sort((a, b) => b.rows - a.rows)
}

function searchedByWords({ type }: Site, { properties }: SearchCapabilities): readonly string[] {
  const all = type?.properties ?? []
  return all.filter(({ name, search }) => properties.includes(name) && search === 'words').map(({ name }) => name)
}

function wordsIn({ rows }: Pick<Snapshot, 'rows'>, property: string): readonly string[] {
  const words = observedValues(rows, [property]).flatMap(text => (typeof text === 'string' ? text.split(' ') : []))
  return [...new Set(words)].filter(word => /^[A-Za-z][A-Za-z0-9]{3,29}$/.test(word) && !/^(?:AND|OR|NOT)$/i.test(word))
}

/** Lists that can be searched: the most informative one of each endpoint first. */
export function searchSites(
  session: Session,
  allows: (search: SearchCapabilities) => boolean = () => true,
): readonly Site[] {
  const all = listSites(session, ({ search }) => search.support !== 'none' && allows(search))
  return [...new Set([...onePerEndpoint(all), ...all])]
}

/** The search capabilities of a site; absent if it has none. */
export function searchCapabilitiesOf({ endpoint }: Site): SearchCapabilities | undefined {
  if (endpoint.kind !== 'collection' || endpoint.query === undefined) return undefined
  return endpoint.query.search.support === 'none' ? undefined : endpoint.query.search
}
