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

function reasonFor({ term, element, value }: Annotation): string {
  if (element.attributes.has('Qualifier')) return `A spec cannot say ${term} with a qualifier`
  if (value === undefined) return `${term} depends on data, and a spec cannot say it`
  return pathTerms.has(term) ? `${term} is about what no path of the spec leads to` : `A spec cannot say ${term}`
}

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
