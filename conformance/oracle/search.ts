import { propertyTerm, type SearchExpression } from '../../runtime/query/index.js'
import type { Property, SearchCapabilities } from '../../spec/language/index.js'
import type { Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import type { ServiceKnowledge } from './comparison-semantics.js'
import { anyTruth, both, either, isFalse, isTrue, negated, type TruthSet } from './truth-set.js'

/**
 * Whether a search finds a row, as far as the matching is known. What is a word services see differently, so a row must be
 * found only where the term stands between spaces; and where it may be found, all that could be a word counts.
 */
export function searchTruth(
  search: SearchExpression,
  row: Row,
  snapshot: Snapshot,
  capabilities: SearchCapabilities,
  known: ServiceKnowledge,
): TruthSet {
  const truth = (part: SearchExpression): TruthSet => searchTruth(part, row, snapshot, capabilities, known)
  switch (search.kind) {
    case 'and':
      return both(truth(search.left), truth(search.right))
    case 'or':
      return either(truth(search.left), truth(search.right))
    case 'not':
      return negated(truth(search.operand))
    default:
      return termTruth(search.text, row, snapshot, capabilities, known)
  }
}

function termTruth(
  text: string,
  row: Row,
  { site, properties }: Snapshot,
  { syntax, properties: searched }: SearchCapabilities,
  known: ServiceKnowledge,
): TruthSet {
  const named = syntax === 'propertyTerms' ? propertyTerm(text) : undefined
  if (syntax === 'propertyTerms' && named === undefined) return anyTruth
  const term = named?.term ?? text
  const all = site.type?.properties ?? []
  const declared = all.filter(({ name }) => (named === undefined ? searched.includes(name) : name === named.property))
  const truths = declared.map(property => propertyTruth(property, term, row, properties, known))
  const sure = truths.reduce<TruthSet>((sum, each) => either(sum, each), isFalse)
  // A service may look into more than it must, unless the term names the property.
  const elsewhere = named === undefined && JSON.stringify(row).toLowerCase().includes(term.toLowerCase())
  return elsewhere ? sure | isTrue : sure
}

function propertyTruth(
  property: Property,
  term: string,
  row: Row,
  shown: ReadonlySet<string>,
  known: ServiceKnowledge,
): TruthSet {
  const value = Object.hasOwn(row, property.name) ? row[property.name] : undefined
  if (value === undefined && !shown.has(property.name)) return anyTruth
  if (typeof value !== 'string') return isFalse
  const may = mayFind(term, value, property.search === 'prefix', known)
  const must = may && mustFind(term, value, property.search === 'prefix', known)
  return must ? isTrue : may ? isTrue | isFalse : isFalse
}

function learned(known: ServiceKnowledge, name: string): string | undefined {
  const value = known.choices.get(name)
  return value === undefined ? undefined : String(value)
}

function mayFind(term: string, text: string, isPrefix: boolean, known: ServiceKnowledge): boolean {
  const fold = learned(known, 'searchComparison') === 'ordinal' ? identity : withoutAccentsAndCase
  const matching = learned(known, 'searchMatching')
  const words = wordsOf(fold(text))
  if (isPrefix || matching === undefined || matching === 'substring') return fold(text).includes(fold(term))
  const wanted = wordsOf(fold(term))
  const [first] = wanted
  if (first === undefined || wanted.length > 1) return fold(text).includes(fold(term))
  return words.some(word => (matching === 'prefix' ? word.startsWith(first) : word === first))
}

/** A whole word between spaces or the ends; of a property that is matched by its beginning, the first. */
function mustFind(term: string, text: string, isPrefix: boolean, known: ServiceKnowledge): boolean {
  const fold =
    learned(known, 'searchComparison') === 'caseInsensitive' ? (each: string) => each.toLowerCase() : identity
  const words = fold(text).split(' ')
  return isPrefix ? words[0] === fold(term) : words.includes(fold(term))
}

const identity = (text: string): string => text

function withoutAccentsAndCase(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Runs of letters and digits, with and without what joins them. */
function wordsOf(text: string): readonly string[] {
  return [...(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []), ...text.split(/\s+/u)]
}
