import type { Problem, Report } from '../diagnostics/diagnostic.js'
import { suggest } from '../diagnostics/suggest.js'
import type { Annotated, SpecDocument } from '../document.js'
import type { Annotations, Renamed } from '../model/types.js'
import { pointerKeys, pointerTo } from '../source/json-pointer.js'

/** The context of the resolver. */
export interface Resolution {
  readonly document: SpecDocument
  readonly report: Report
  /** The location and the annotations of an element. */
  readonly annotations: (element: Annotated, pointer: string) => Annotations
  /** The name of a type or operation in CSDL: its own, or the service's namespace and its key. */
  readonly qualified: (name: string, element: { readonly qualifiedName?: string }) => string
  /** Elements with `assumed`, in the order they were resolved. */
  readonly assumed: readonly Annotations[]
  /** Whether something is wrong with this part of the document or within it, so that what it lacks in the model may be written. */
  readonly isIncomplete: (pointer: string) => boolean
  /** Marks a part as incomplete without a report of its own. */
  readonly mark: (pointer: string) => void
}

/**
 * @param leftOut pointers of the parts that are missing from the document because their shape is wrong
 */
export function createResolution(document: SpecDocument, leftOut: ReadonlySet<string>, report: Report): Resolution {
  const incomplete = new Set<string>()
  const mark = (pointer: string): void => {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      incomplete.add(pointer.slice(0, end))
    }
  }
  for (const pointer of leftOut) mark(pointer)
  const assumed: Annotations[] = []
  const { name: serviceName, namespace = serviceName } = document.service
  return {
    document,
    report: problem => {
      mark(problem.at)
      report(problem)
    },
    assumed,
    mark,
    isIncomplete: pointer => incomplete.has(pointer) || isWithin(pointer, leftOut),
    qualified: (name, { qualifiedName }) => qualifiedName ?? `${namespace}.${name}`,
    annotations: (element, pointer) => {
      const annotations: Annotations = {
        location: { pointer },
        ...(element.ref === undefined ? {} : { ref: element.ref }),
        ...(element.description === undefined ? {} : { description: element.description }),
        ...(element.assumed === undefined ? {} : { assumed: element.assumed }),
      }
      if (element.assumed !== undefined) assumed.push(annotations)
      return annotations
    },
  }
}

/** The name in code that an element has in the spec. */
export function renamed({ rename }: Renamed): Renamed {
  return rename === undefined ? {} : { rename }
}

/** Whether a part of the document lies within one of others. */
function isWithin(pointer: string, others: ReadonlySet<string>): boolean {
  if (others.size === 0) return false
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    if (others.has(pointer.slice(0, end))) return true
  }
  return false
}

/** What a name in the spec refers to. */
interface Reference<T> {
  /** In words: `error`. */
  readonly kind: string
  readonly name: string
  /** Where the name is. */
  readonly at: string
  readonly on?: Problem['on']
  /** Where it is declared: the pointer of the chapter. */
  readonly chapter: string
  readonly known: ReadonlyMap<string, T>
}

/** Resolves a name. Reports an unknown name, unless its declaration has an error itself. */
export function resolveReference<T>(resolution: Resolution, reference: Reference<T>): T | undefined {
  const { kind, name, at, on, chapter, known } = reference
  const found = known.get(name)
  if (found !== undefined || mayBeDeclared(resolution, chapter, name)) return found
  const where = on === undefined ? { at } : { at, on }
  const other = chapter === '/resources' ? resolution.document.resources[name]?.kind : undefined
  if (other !== undefined) {
    const message = `"${name}" is declared as \`${other}\`. Expected ${article(kind)} ${kind}.`
    resolution.report({ code: 'spec/wrong-kind', message, ...where })
    return undefined
  }
  const suggestion = suggest(name, known.keys())
  const declare = suggestion === undefined ? ` Declare it under \`${pointerKeys(chapter).join('.')}\`.` : ''
  resolution.report({
    code: `spec/unknown-${kind.replaceAll(' ', '-')}`,
    message: `There ${kind.endsWith('s') ? 'are' : 'is'} no ${kind} "${name}".${declare}`,
    ...where,
    suggestion,
  })
  return undefined
}

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a')

/** Whether a name may be declared: if its declaration, or the base of its type, has an error itself. */
function mayBeDeclared({ isIncomplete }: Resolution, chapter: string, name: string): boolean {
  const member = /^(.*)\/(?:properties|navigation)$/.exec(chapter)?.[1]
  return isIncomplete(pointerTo(chapter, name)) || (member !== undefined && isIncomplete(`${member}/base`))
}

/** A part of the model while it is being built: types refer to each other in cycles, so they exist before they are filled. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] }
