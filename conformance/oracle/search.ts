import { propertyTerm, type SearchExpression } from '../../runtime/query/index.js'
import type { Property, SearchCapabilities } from '../../spec/language/index.js'
import type { Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import type { ServiceKnowledge } from './comparison-semantics.js'
import { anyTruth, both, either, isFalse, isTrue, negated, type TruthSet } from './truth-set.js'

/**
 * Whether a search finds a row, as far as the matching rules are known. Services split words differently. So a row must
 * be found only if the term stands between spaces, and it may be found if anything that could be a word matches.
 */
export function searchTruth(
  search: SearchExpression,
  row: Row,
  snapshot: Snapshot,
  capabilities: SearchCapabilities,
  knowledge: ServiceKnowledge,
): TruthSet {
  const truth = (part: SearchExpression): TruthSet => searchTruth(part, row, snapshot, capabilities, knowledge)
  switch (search.kind) {
    case 'and':
      return both(truth(search.left), truth(search.right))
    case 'or':
      return either(truth(search.left), truth(search.right))
    case 'not':
      return negated(truth(search.operand))
    default:
      return termTruth(search.text, row, snapshot, capabilities, knowledge)
  }
}

function termTruth(
  text: string,
  row: Row,
  { site, properties }: Snapshot,
  { syntax, properties: searched }: SearchCapabilities,
  knowledge: ServiceKnowledge,
): TruthSet {
  const named = syntax === 'propertyTerms' ? propertyTerm(text) : undefined
  if (syntax === 'propertyTerms' && named === undefined) return anyTruth
  const term = named?.term ?? text
  const all = site.type?.properties ?? []
  const declared = all.filter(({ name }) => (named === undefined ? searched.includes(name) : name === named.property))
  const truths = declared.map(property => {
    const found = propertyTruth(property, term, row, properties, knowledge)
    // A service may search fewer properties than it has.
    return found === isTrue && !searched.includes(property.name) ? isTrue | isFalse : found
  })
  const sure = truths.reduce<TruthSet>((sum, each) => either(sum, each), isFalse)
  // A service may search more properties than it must, unless the term names one.
  const elsewhere = named === undefined && JSON.stringify(row).toLowerCase().includes(term.toLowerCase())
  return elsewhere ? sure | isTrue : sure
}

function propertyTruth(
  property: Property,
  term: string,
  row: Row,
  shown: ReadonlySet<string>,
  knowledge: ServiceKnowledge,
): TruthSet {
  const value = Object.hasOwn(row, property.name) ? row[property.name] : undefined
  if (value === undefined && !shown.has(property.name)) return anyTruth
  if (typeof value !== 'string') return isFalse
  const may = mayFind(term, value, property.search !== 'words', knowledge)
  const must = may && mustFind(term, value, property.search === 'prefix', knowledge)
  return must ? isTrue : may ? isTrue | isFalse : isFalse
}

function learned(knowledge: ServiceKnowledge, name: string): string | undefined {
  const value = knowledge.choices.get(name)
  return value === undefined ? undefined : String(value)
}

function mayFind(term: string, text: string, isPrefix: boolean, knowledge: ServiceKnowledge): boolean {
  const fold = learned(knowledge, 'searchComparison') === 'ordinal' ? identity : withoutAccentsAndCase
  const matching = learned(knowledge, 'searchMatching')
  const words = wordsOf(fold(text))
  if (isPrefix || matching === undefined || matching === 'substring') return fold(text).includes(fold(term))
  const termWords = wordsOf(fold(term))
  const [first] = termWords
  if (first === undefined || termWords.length > 1) return fold(text).includes(fold(term))
  return words.some(word => (matching === 'prefix' ? word.startsWith(first) : word === first))
}

/** Matches whole words between spaces. A property that is searched by prefix matches its first word. */
function mustFind(term: string, text: string, isPrefix: boolean, knowledge: ServiceKnowledge): boolean {
  const fold =
    learned(knowledge, 'searchComparison') === 'caseInsensitive' ? (each: string) => each.toLowerCase() : identity
  const words = fold(text).split(' ')
  return isPrefix ? words[0] === fold(term) : words.includes(fold(term))
}

const identity = (text: string): string => text

function withoutAccentsAndCase(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Runs of letters and digits, and the texts between spaces. */
function wordsOf(text: string): readonly string[] {
  return [...(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []), ...text.split(/\s+/u)]
}
