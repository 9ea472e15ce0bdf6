import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../spec/language/index.js'
import { assumptionsPage, csdlVocabularyPage, withFunctionTable } from './pages.js'

const load = async (name: string): Promise<Service> => {
  const { service } = await loadSpec(new URL(`../../spec/${name}.yaml`, import.meta.url).pathname)
  if (!service) throw new Error(`${name} does not load`)
  return service
}

const directory = await load('directory')

describe('the page of assumptions', () => {
  it('is up to date', () => {
    const checkedIn = readFileSync(new URL('../../docs/assumptions.md', import.meta.url), 'utf8')
    expect(checkedIn).toBe(assumptionsPage([directory]))
  })

  it('has a row for each assumption and each choice', () => {
    const rows = assumptionsPage([directory])
      .split('\n')
      .filter(line => line.startsWith('| `'))
    expect(rows).toHaveLength(directory.assumptions.length + directory.open.length)
  })

  it('omits a service without assumptions', async () => {
    const library = await load('library')
    expect(library.assumptions).toEqual([])
    expect(assumptionsPage([directory, library])).toBe(assumptionsPage([directory]))
  })

  it.each([
    ['a | b', 'a \\| b'],
    ['line\n\n## heading', 'line ## heading'],
    ['<script>', '&lt;script>'],
  ])('keeps the text %j inside its cell', (why, cell) => {
    const place = { pointer: '/resources/user' }
    const hostile: Service = {
      ...directory,
      open: [],
      assumptions: [{ element: 'resources/user', why, location: place }],
    }
    expect(assumptionsPage([hostile])).toContain(`| \`user\` |  | ${cell} |`)
  })
})

it('the page of the vocabulary is up to date', () => {
  const checkedIn = readFileSync(new URL('../../docs/csdl-vocabulary.md', import.meta.url), 'utf8')
  expect(checkedIn).toBe(csdlVocabularyPage())
})

it('docs/query-language.md lists the canonical functions, as `npm run docs` writes it', () => {
  const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8')
  expect(page).toBe(withFunctionTable(page))
})
