import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'

interface Completion {
  readonly from: number
  readonly options: readonly { readonly label: string; readonly apply?: string }[]
}

interface Shared {
  readonly spec: string
  readonly query?: string
}

interface Playground {
  readonly completeFilter: (text: string, position: number, filter?: unknown) => Completion
  readonly toFragment: (state: Shared) => Promise<string | undefined>
  readonly fromFragment: (fragment: string) => Promise<Shared | undefined>
}

const load = (name: string) => import(pathToFileURL(join(root, 'site', 'playground', name)).href)
const { completeFilter }: Pick<Playground, 'completeFilter'> = await load('filter-completion.js')
const { fromFragment, toFragment }: Pick<Playground, 'fromFragment' | 'toFragment'> = await load('share.js')

const filter = {
  properties: [
    { path: 'title', type: 'String', collection: false, nullable: true },
    { path: 'priority', type: 'priority', collection: false, nullable: false, members: ['low', 'high'] },
    { path: 'tags', type: 'String', collection: true, nullable: false },
  ],
  operators: ['eq', 'and', 'not'],
  functions: ['contains'],
  lambdas: ['any'],
}

describe('the completion of a filter', () => {
  const operands = ['title', 'priority', 'contains', 'tags/any', 'not']

  it.each<readonly [string, readonly string[], number]>([
    ['', operands, 0],
    ['tit', operands, 0],
    ['title ', ['eq', 'and'], 6],
    ['title e', ['eq', 'and'], 6],
    ['title eq ', ["''", 'null', 'title', 'priority'], 9],
    ['priority eq ', ["'low'", "'high'", 'title', 'priority'], 12],
    ["priority eq 'h", ["'low'", "'high'", 'title', 'priority'], 12],
    ["title eq 'it''s' ", ['eq', 'and'], 17],
    ["title eq 'a' and ", operands, 17],
    ['contains(', operands, 9],
    ["contains(title,'a') ", ['eq', 'and'], 20],
  ])('after %j proposes %j', (text, labels, from) => {
    const found = completeFilter(text, text.length, filter)
    expect(found.options.map(({ label }) => label)).toEqual(labels)
    expect(found.from).toBe(from)
  })

  it('proposes nothing where the endpoint declares nothing', () => {
    expect(completeFilter('ti', 2).options).toEqual([])
  })
})

describe('a link of the playground', () => {
  it('contains the spec and the request', async () => {
    const state = { spec: 'title: "é\u{1f600}"\n', query: '$top=5' }
    expect(await fromFragment(`#${await toFragment(state)}`)).toEqual(state)
  })

  it('is not created when it would be too long', async () => {
    const spec = Array.from({ length: 60_000 }, (_, index) => ((index * 7919) % 104_729).toString(36)).join('')
    expect(await toFragment({ spec })).toBeUndefined()
  })

  it.each(['', '#s=', '#s=!!!', '#s=AAAA', `#s=${'A'.repeat(40_000)}`])(
    'that cannot be read is ignored: %.20s',
    async fragment => {
      expect(await fromFragment(fragment)).toBeUndefined()
    },
  )

  it.each([[null], [[]], [{ spec: 1 }], ['text']])('is ignored without the text of a spec: %j', async value => {
    const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
    const text = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
    expect(await fromFragment(`#s=${text}`)).toBeUndefined()
  })

  it('is ignored when it expands to more than the limit', async () => {
    const fragment = await toFragment({ spec: ' '.repeat(300_000) })
    expect(fragment).toBeDefined()
    expect(await fromFragment(`#${fragment}`)).toBeUndefined()
  })
})
