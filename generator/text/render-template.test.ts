import { afterAll, describe, expect, it, vi } from 'vitest'
import { sampleSpec } from '../testing/sample-spec.js'
import { noImports, renderTemplate } from './render-template.js'

/** Members of views by template, `client: .resources[].docs`: those that views have, and those that templates read. */
const seen = { present: new Set<string>(), read: new Set<string>() }

const watched: typeof renderTemplate = (name, view, file) => {
  for (const field of fields(view, `${name}: `)) seen.present.add(field)
  const proxy = recorded(view, `${name}: `)
  if (typeof proxy !== 'object' || proxy === null) throw new Error('a view is an object')
  return renderTemplate(name, proxy, file)
}

/** The generator, with views that record what templates read. */
async function watchedGenerator(): Promise<typeof import('../generate.js')> {
  vi.resetModules()
  vi.doMock('./render-template.js', () => ({ noImports, renderTemplate: watched }))
  return import('../generate.js')
}

afterAll(() => {
  vi.doUnmock('./render-template.js')
  vi.resetModules()
})

/** What Handlebars reads of any object. */
const engineReads: ReadonlySet<string> = new Set(['length', 'toHTML', 'toJSON', 'then', 'constructor'])

/** A view that records what is read of it, and throws when that is missing. */
function recorded(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof name === 'symbol' || engineReads.has(name)) return member
      if (!Object.hasOwn(target, name)) {
        if (Array.isArray(target)) return member
        throw new Error(`${path}.${name} is read, but the view lacks it`)
      }
      const inner = Array.isArray(target) ? `${path}[]` : `${path}.${name}`
      seen.read.add(inner)
      return recorded(member, inner)
    },
  })
}

function fields(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => fields(item, `${path}[]`))
  return Object.entries(value).flatMap(([name, inner]) => [`${path}.${name}`, ...fields(inner, `${path}.${name}`)])
}

describe('a template', () => {
  it('uses every field of its view, and no other', async () => {
    const { generate } = await watchedGenerator()
    const sources = [{ path: 'sample.yaml', text: JSON.stringify(sampleSpec('A text.')) }]
    const { files, diagnostics } = generate(sources, { only: ['types', 'client', 'server'] })
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    for (const { path, text } of files) {
      expect(text.endsWith('\n'), path).toBe(true)
      expect(text, path).not.toMatch(/\[object|\n\n\n| $/m)
    }
    expect(seen.present.size).toBeGreaterThan(80)
    expect([...seen.present].filter(field => !seen.read.has(field))).toEqual([])
  })

  it('prints its own lines and those of its view, nothing else', () => {
    const interfaces = [
      {
        docs: ['A note.'],
        name: 'Note',
        base: 'Base',
        members: [{ docs: ['Its */ id.'], key: "'@odata.etag'", optional: true, type: 'string' }],
        sameAs: '',
      },
      { docs: [], name: 'Empty', base: '', members: [], sameAs: '' },
      { docs: [], name: 'Same', base: '', members: [], sameAs: 'Empty' },
    ]
    const view = {
      openEnum: true,
      interfaces,
      enumerations: [
        { docs: ['How urgent.'], name: 'Urgency', members: [{ docs: ['Soon.'], name: "it's", value: "it's" }] },
        { docs: [], name: 'Nothing', members: [] },
      ],
      definitions: [{ docs: ['Digits.'], name: 'Isbn', type: 'string' }],
    }
    expect(renderTemplate('types', view, { header: '// head', runtime: name => name, imports: () => [] })).toBe(
      `// head

/** A member of \`T\`, or one that the service added later. */
export type OpenEnum<T extends string> = T | (string & {})

/** A note. */
export interface Note extends Base {
  /** Its *\\/ id. */
  readonly '@odata.etag'?: string
}

export interface Empty {}

export type Same = Empty

/** How urgent. */
export const Urgency = {
  /** Soon. */
  "it's": "it's",
} as const
export type Urgency = (typeof Urgency)[keyof typeof Urgency]

export const Nothing = {} as const
export type Nothing = (typeof Nothing)[keyof typeof Nothing]

/** Digits. */
export type Isbn = string
`,
    )
  })
})
