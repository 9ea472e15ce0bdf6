import type { Problem, Report } from '../diagnostics/problem.js'
import { suggest } from '../diagnostics/suggest.js'
import type { Annotated, SpecDocument } from '../document.js'
import type { Annotations } from '../model/place.js'
import { pointerTo } from '../source/pointer.js'

/** What every part of the resolver needs. */
export interface Resolution {
  readonly document: SpecDocument
  readonly report: Report
  /** The place and the annotations of an element. */
  readonly annotations: (element: Annotated, pointer: string) => Annotations
  /** Elements with `assumed`, in the order they were resolved. */
  readonly assumed: readonly Annotations[]
  /** Whether this part of the document, or something in it, was left out because its shape is wrong. */
  readonly isIncomplete: (pointer: string) => boolean
}

/**
 * @param leftOut pointers of the parts that are missing from the document because their shape is wrong
 */
export function createResolution(document: SpecDocument, leftOut: ReadonlySet<string>, report: Report): Resolution {
  const incomplete = new Set<string>()
  for (const pointer of leftOut) {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1))
      incomplete.add(pointer.slice(0, end))
  }
  const assumed: Annotations[] = []
  return {
    document,
    report,
    assumed,
    isIncomplete: pointer => incomplete.has(pointer),
    annotations: (element, pointer) => {
      const annotations: Annotations = {
        place: { pointer },
        ...(element.ref === undefined ? {} : { ref: element.ref }),
        ...(element.description === undefined ? {} : { description: element.description }),
        ...(element.assumed === undefined ? {} : { assumed: element.assumed }),
      }
      if (element.assumed !== undefined) assumed.push(annotations)
      return annotations
    },
  }
}

/** What a name in the spec refers to. */
export interface Reference<T> {
  /** In words: `error`. */
  readonly kind: string
  readonly name: string
  /** Where the name stands. */
  readonly at: string
  readonly on?: Problem['on']
  /** Where it is declared: the pointer of the chapter. */
  readonly chapter: string
  readonly known: ReadonlyMap<string, T>
}

/** What a name refers to; a name that nothing bears is reported, unless it is declared with a wrong shape. */
export function refer<T>(resolution: Resolution, reference: Reference<T>): T | undefined {
  const { kind, name, at, on, chapter, known } = reference
  const found = known.get(name)
  if (found === undefined && !resolution.isIncomplete(pointerTo(chapter, name))) {
    const suggestion = suggest(name, known.keys())
    const declare = suggestion === undefined ? ` Declare it under \`${chapter.slice(1).replaceAll('/', '.')}\`.` : ''
    resolution.report({
      code: `spec/unknown-${kind.replaceAll(' ', '-')}`,
      message: `There is no ${kind} "${name}".${declare}`,
      at,
      ...(on === undefined ? {} : { on }),
      suggestion,
    })
  }
  return found
}
