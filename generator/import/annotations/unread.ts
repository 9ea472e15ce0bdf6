import { loss, type Note } from '../finding.js'
import type { Annotation, AnnotationIndex } from './annotation-index.js'
import { isList, isRecord, type Value } from './value.js'

/** Terms that say nothing of the service: a spec need not hold them. */
const immaterial: ReadonlySet<string> = new Set(['Core.SchemaVersion', 'Core.ODataVersions', 'Core.ConformanceLevel'])

/** What an exported document tells readers that do not know our own terms, which tell more. */
const isToldTwice = (term: string): boolean =>
  term.startsWith('Capabilities.') || term === 'Core.OptimisticConcurrency' || term === 'Core.LongDescription'

/** Notes the annotations that nobody asked for, and the members of records that nobody looked at. */
export function noteUnreadAnnotations(index: AnnotationIndex, isExport: boolean, note: Note): void {
  for (const annotation of index.unread()) {
    const { term } = annotation
    if (!immaterial.has(term) && !(isExport && isToldTwice(term)))
      note(loss('annotation', reasonFor(annotation), '', annotation.element.spot))
  }
  for (const annotation of index.read()) unreadMembers(annotation, note)
}

function reasonFor({ term, value, isQualified, isNested }: Annotation): string {
  if (isNested) return `A spec cannot say ${term} of an annotation`
  if (isQualified) return `A spec cannot say ${term} with a qualifier`
  if (value === undefined) return `${term} depends on data, and a spec cannot say it`
  if (pathTerms.has(term)) return `${term} is about what no path of the spec leads to`
  const advice = instead.get(term)
  return `A spec cannot say ${term}${advice === undefined ? '' : ` (${advice})`}`
}

/** What can be done about terms that a spec cannot say. */
const instead: ReadonlyMap<string, string> = new Map([['Core.AlternateKeys', 'find items by such a key with $filter']])

/** Terms that paths and query options are made from. */
const pathTerms: ReadonlySet<string> = new Set(
  [
    ...['ReadRestrictions', 'InsertRestrictions', 'UpdateRestrictions', 'DeleteRestrictions', 'IndexableByKey'],
    ...['CountRestrictions', 'ChangeTracking', 'NavigationRestrictions', 'SelectSupport', 'TopSupported'],
    ...['SkipSupported', 'FilterRestrictions', 'FilterFunctions', 'SortRestrictions', 'SearchRestrictions'],
    ...['ExpandRestrictions'],
  ].map(term => `Capabilities.${term}`),
)

function unreadMembers({ term, value, element }: Annotation, note: Note): void {
  const visit = (part: Value | undefined, path: string): void => {
    if (isList(part)) for (const item of part) visit(item, path)
    else if (isRecord(part)) {
      for (const [name, member] of part.members) {
        if (part.read.has(name)) visit(member, `${path}/${name}`)
        else note(loss('annotation', `A spec cannot say ${path}/${name}`, '', element.spot))
      }
    }
  }
  visit(value, term)
}
