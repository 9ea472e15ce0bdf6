import { beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../../spec/language/index.js'
import { loadService } from '../../testing/emitted.js'
import { sampleSpec } from '../../testing/sample-spec.js'
import { buildCsdl } from './build-csdl.js'
import type { Annotation, AnnotationValue } from './csdl-document.js'
import { vocabularyTerms } from './vocabulary.js'

const own = 'Specwright.'

/** All annotations of a document, wherever they stand. */
function annotationsIn(value: unknown): readonly Annotation[] {
  if (typeof value !== 'object' || value === null) return []
  if (isAnnotation(value)) return [value]
  return Object.values(value).flatMap(annotationsIn)
}

function isAnnotation(value: object): value is Annotation {
  return 'term' in value && 'value' in value
}

/** The paths of all members of a value's records: `Errors/Name`. */
function memberPaths(value: AnnotationValue, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (value.kind === 'Collection') return value.items.flatMap(item => memberPaths(item, path))
  if (value.kind !== 'Record') return []
  return value.members.flatMap(([name, member]) => [`${path}/${name}`, ...memberPaths(member, `${path}/${name}`)])
}

function usedPaths(service: Service): ReadonlySet<string> {
  const annotations = annotationsIn(buildCsdl(service)).filter(({ term }) => term.startsWith(own))
  return new Set(
    annotations.flatMap(({ term, value }) => [term.slice(own.length), ...memberPaths(value, term.slice(own.length))]),
  )
}

const declared: ReadonlySet<string> = new Set(
  vocabularyTerms.flatMap(term => [
    term.name,
    ...(term.members ?? []).map(({ name }) => `${term.name}/${name}`),
    ...Object.entries(term.nested ?? {}).flatMap(([path, members]) =>
      members.map(({ name }) => `${term.name}/${path}/${name}`),
    ),
  ]),
)

let used: ReadonlySet<string>

beforeAll(async () => {
  const services = [await loadService(JSON.stringify(sampleSpec('A text.')))]
  for (const path of ['spec/directory.yaml', 'spec/library.yaml']) {
    const { service } = await loadSpec(path)
    if (service === undefined) throw new Error(`${path} is not clean.`)
    services.push(service)
  }
  used = new Set(services.flatMap(service => [...usedPaths(service)]))
})

describe('the vocabulary', () => {
  it('declares every term and member that documents use', () => {
    expect([...used].filter(path => !declared.has(path))).toEqual([])
  })

  it('declares no unused term', () => {
    expect([...declared].filter(path => !used.has(path))).toEqual([])
  })
})
