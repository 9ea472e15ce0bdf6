import type { Catalogue } from '../csdl/catalogue.js'
import { type CsdlElement, childrenOf } from '../csdl/csdl-element.js'
import type { Value } from './value.js'
import { xmlValue } from './xml-value.js'

/** An annotation with the term's name: `Core.Description` for those of OData, qualified for all others. */
export interface Annotation {
  readonly term: string
  readonly value: Value | undefined
  readonly element: CsdlElement
  /** It holds for some readers only. */
  readonly isQualified: boolean
  /** It is about another annotation, or about a part of its value. */
  readonly isNested: boolean
}

/** What the annotations of one element say, by term. */
export type Said = (term: string) => Value | undefined

/** All annotations of a document, inline or by target. */
export interface AnnotationIndex {
  /**
   * What is said of an element. What is asked for counts as told in the spec.
   *
   * @param target its path, `ns.type/property`
   */
  readonly of: (element: CsdlElement, target: string) => Said
  /** Annotations for which nobody asked. */
  readonly unread: () => readonly Annotation[]
  /** Annotations that somebody asked for. */
  readonly read: () => readonly Annotation[]
}

const silent: Said = () => undefined

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
      if (own.length + others.length === 0) return silent
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

/** The annotations of an annotation, and of the parts of its value; not those of these. */
function annotationsWithin({ children }: CsdlElement): readonly CsdlElement[] {
  return children.flatMap(child => (child.name === 'Annotation' ? [child] : annotationsWithin(child)))
}

/** `Org.OData.Core.V1.Description` -> `Core.Description`. */
function shortTerm(term: string): string {
  const standard = /^Org\.OData\.(\w+)\.V1\.(\w+)$/.exec(term)
  if (standard !== null) return `${standard[1]}.${standard[2]}`
  return term.startsWith('Specwright.V1.') ? `Specwright.${term.slice('Specwright.V1.'.length)}` : term
}

/** A target with its aliases resolved, also those in the parentheses of an overload, and without blanks there. */
function qualifiedTarget(target: string, qualify: (name: string) => string): string {
  return target.replace(/\s+/g, '').replace(/[^/(),]+/g, name => (name.includes('.') ? qualify(name) : name))
}
