import { forbiddenCharacter } from '../../../spec/language/index.js'
import { omission, type ReportFinding } from '../finding.js'
import { type Compact, compact } from '../spec-document.js'
import type { Catalogue } from './catalogue.js'
import {
  type AnnotationValue,
  type CsdlElement,
  childrenOf,
  isList,
  isRecord,
  namespaceOf,
  textOf,
  xmlValue,
} from './csdl-element.js'

/** An annotation with the term's name: `Core.Description` for those of OData, qualified for all others. */
interface Annotation {
  readonly term: string
  readonly value: AnnotationValue | undefined
  readonly element: CsdlElement
  /** It has a qualifier, so it applies to some readers only. */
  readonly isQualified: boolean
  /** It annotates another annotation, or a part of its value. */
  readonly isNested: boolean
}

/** Looks up an annotation of one element by its term. */
export type TermLookup = (term: string) => AnnotationValue | undefined

/** All annotations of a document, inline or by target. */
export interface AnnotationIndex {
  /**
   * The annotations of an element. A term that is looked up counts as read.
   *
   * @param target its path, `ns.type/property`
   */
  readonly of: (element: CsdlElement, target: string) => TermLookup
  /** The annotations that were never looked up. */
  readonly unread: () => readonly Annotation[]
  /** The annotations that were looked up. */
  readonly read: () => readonly Annotation[]
}

const noAnnotations: TermLookup = () => undefined

export function annotationIndex({ schemas, qualify }: Catalogue): AnnotationIndex {
  const inline = new Map<CsdlElement, Annotation[]>()
  const targeted = new Map<string, Annotation[]>()
  const all: Annotation[] = []
  const read = new Set<Annotation>()
  const annotationOf = (element: CsdlElement, { isQualified = false, isNested = false } = {}): Annotation => {
    const annotation = {
      term: shortTerm(qualify(element.attributes.get('Term') ?? '')),
      value: xmlValue(element),
      element,
      isQualified: isQualified || element.attributes.has('Qualifier'),
      isNested,
    }
    all.push(annotation)
    for (const child of annotationsWithin(element)) annotationOf(child, { isNested: true })
    return annotation
  }
  const visit = (element: CsdlElement): void => {
    if (element.name === 'Annotations') {
      const target = qualifiedTarget(element.attributes.get('Target') ?? '', qualify)
      const known = targeted.get(target) ?? []
      targeted.set(target, known)
      const isQualified = element.attributes.has('Qualifier')
      for (const child of childrenOf(element, 'Annotation')) known.push(annotationOf(child, { isQualified }))
      return
    }
    for (const child of element.children) {
      if (child.name !== 'Annotation') {
        if (child.children.length > 0) visit(child)
        continue
      }
      const known = inline.get(element)
      if (known === undefined) inline.set(element, [annotationOf(child)])
      else known.push(annotationOf(child))
    }
  }
  for (const schema of schemas) visit(schema)
  return {
    of: (element, target) => {
      const own = inline.get(element) ?? []
      const others = targeted.get(target) ?? []
      if (own.length + others.length === 0) return noAnnotations
      return term => {
        const found = [...own, ...others].find(each => each.term === term && !each.isQualified)
        if (found === undefined || found.value === undefined) return undefined
        read.add(found)
        return found.value
      }
    },
    unread: () => all.filter(annotation => !read.has(annotation)),
    read: () => [...read],
  }
}

/** The annotations of an annotation, and of the parts of its value, but not their own annotations. */
function annotationsWithin({ children }: CsdlElement): readonly CsdlElement[] {
  return children.flatMap(child => (child.name === 'Annotation' ? [child] : annotationsWithin(child)))
}

/** `Org.OData.Core.V1.Description` -> `Core.Description`. */
function shortTerm(term: string): string {
  const standard = /^Org\.OData\.(\w+)\.V1\.(\w+)$/.exec(term)
  if (standard !== null) return `${standard[1]}.${standard[2]}`
  return term.startsWith('Specwright.V1.') ? `Specwright.${term.slice('Specwright.V1.'.length)}` : term
}

/** A target with its aliases resolved, including those in the parentheses of an overload, and without blanks there. */
function qualifiedTarget(target: string, qualify: (name: string) => string): string {
  return target.replace(/\s+/g, '').replace(/[^/(),]+/g, name => (name.includes('.') ? qualify(name) : name))
}

interface Descriptions {
  readonly ref: string | undefined
  readonly description: string | undefined
}

/** The descriptions of an element. */
export function descriptionsOf(lookup: TermLookup): Compact<Descriptions> {
  const parts = [lookup('Core.Description'), lookup('Core.LongDescription')].flatMap(value => plainText(value) ?? [])
  return compact<Descriptions>({
    ref: plainText(lookup('Specwright.Ref')),
    description: parts.length === 0 ? undefined : [...new Set(parts)].join('\n\n'),
  })
}

/** The name in code of an element, if it is one. */
export function renameOf(lookup: TermLookup): { readonly rename?: string } {
  const rename = textOf(lookup('Specwright.Rename'))
  return rename === undefined || rename.length > 128 || !/^[A-Za-z]\w*$/.test(rename) ? {} : { rename }
}

const forbidden = new RegExp(forbiddenCharacter, 'g')

/** A text that YAML can represent; undefined if it is blank. */
function plainText(value: AnnotationValue | undefined): string | undefined {
  const text = textOf(value)
  if (text === undefined || text.trim() === '') return undefined
  return text
    .replace(/\r\n?/g, '\n')
    .replace(forbidden, '\ufffd')
    .replace(/\p{Cs}/gu, '\ufffd')
}

/** Terms that do not describe the service. */
const irrelevantTerms: ReadonlySet<string> = new Set([
  'Core.SchemaVersion',
  'Core.ODataVersions',
  'Core.ConformanceLevel',
])

/** Terms that an exported document has for other readers. Our own terms express the same and more. */
const isRedundantInExport = (term: string): boolean =>
  term.startsWith('Capabilities.') ||
  term === 'Aggregation.ApplySupported' ||
  term === 'Core.OptimisticConcurrency' ||
  term === 'Core.LongDescription'

/** Reports the annotations that were never looked up, and the members of records that were never read. */
export function noteUnreadAnnotations(index: AnnotationIndex, isExport: boolean, report: ReportFinding): void {
  const ofVendors = new Map<string, { readonly terms: Set<string>; count: number; readonly first: Annotation }>()
  for (const annotation of index.unread()) {
    const { term } = annotation
    const vendor = vendorVocabulary(term)
    if (vendor !== undefined) {
      const known = ofVendors.get(vendor) ?? { terms: new Set(), count: 0, first: annotation }
      known.terms.add(term)
      known.count++
      ofVendors.set(vendor, known)
      continue
    }
    if (!irrelevantTerms.has(term) && !(isExport && isRedundantInExport(term)))
      report(omission('annotation', reasonFor(annotation), '', annotation.element.location))
  }
  for (const annotation of index.read()) unreadMembers(annotation, report)
  for (const [vendor, { terms, count, first }] of ofVendors) {
    const message = `The vocabulary ${vendor} is ignored: ${count} ${count === 1 ? 'annotation' : 'annotations'} with ${terms.size} ${terms.size === 1 ? 'term' : 'terms'}`
    report(omission('vocabulary', message, '', first.element.location))
  }
}

/** The vocabularies of OData, which reports name without their namespace, and ours. */
const knownVocabularies: ReadonlySet<string> = new Set([
  ...['Core', 'Capabilities', 'Validation', 'Measures', 'Authorization', 'Aggregation', 'Temporal', 'Repeatability'],
  ...['JSON', 'Display', 'Specwright'],
])

/** The vocabulary of a term that is neither of OData nor ours; undefined for these. */
function vendorVocabulary(term: string): string | undefined {
  const vocabulary = namespaceOf(term)
  return vocabulary === '' || knownVocabularies.has(vocabulary) ? undefined : vocabulary
}

function reasonFor({ term, value, isQualified, isNested }: Annotation): string {
  if (isNested) return `A spec cannot say ${term} of an annotation`
  if (isQualified) return `A spec cannot say ${term} with a qualifier`
  if (value === undefined) return `${term} depends on data, and a spec cannot say it`
  if (pathTerms.has(term)) return `${term} annotates an element that no path of the spec reaches`
  const advice = adviceByTerm.get(term)
  return `A spec cannot say ${term}${advice === undefined ? '' : ` (${advice})`}`
}

/** Advice for terms that a spec cannot express. */
const adviceByTerm: ReadonlyMap<string, string> = new Map([['Core.AlternateKeys', 'of an entity type only']])

/** Terms that paths and query options are derived from. */
const pathTerms: ReadonlySet<string> = new Set(
  [
    ...['ReadRestrictions', 'InsertRestrictions', 'UpdateRestrictions', 'DeleteRestrictions', 'IndexableByKey'],
    ...['CountRestrictions', 'ChangeTracking', 'NavigationRestrictions', 'SelectSupport', 'TopSupported'],
    ...['SkipSupported', 'FilterRestrictions', 'FilterFunctions', 'SortRestrictions', 'SearchRestrictions'],
    ...['ExpandRestrictions'],
  ].map(term => `Capabilities.${term}`),
)

function unreadMembers({ term, value, element }: Annotation, report: ReportFinding): void {
  const visit = (part: AnnotationValue | undefined, path: string): void => {
    if (isList(part)) for (const item of part) visit(item, path)
    else if (isRecord(part)) {
      for (const [name, member] of part.members) {
        if (part.read.has(name)) visit(member, `${path}/${name}`)
        else report(omission('annotation', `A spec cannot say ${path}/${name}`, '', element.location))
      }
    }
  }
  visit(value, term)
}
