import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { isLoopback } from './page.js'
import { pageRenderer } from './render-page.js'

const spec = (service: string, scheme = 'bearer'): string => `specwright: 1
service: ${service}
authentication: { scheme: ${scheme} }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection }, post: { creates: note } }
  /notes/{id}: { delete: { deletes: note } }
errors: {}
`
const render = async (text: string): Promise<string> => {
  const renderPage = await pageRenderer(await readFile('templates/page/page.hbs', 'utf8'))
  return renderPage(await loadValid(text), 'http://127.0.0.1:1/v1')
}

describe('the page', () => {
  it('lists each path once, and each method with its address in the console', async () => {
    const page = await render(spec('{ name: notes, version: v1 }'))
    expect(page.match(/<code>\/notes.*?<\/code>/g)).toEqual(['<code>/notes</code>', '<code>/notes<wbr>/{id}</code>'])
    expect([...page.matchAll(/data-route="([^"]+)"/g)].map(([, route]) => route)).toEqual([
      'get-/notes',
      'post-/notes',
      'delete-/notes/-id-',
    ])
    expect(page).toContain('3 on 2 paths')
    expect(page).toContain('data-first="get-/notes"')
  })

  it('asks for a token only if the service requires one', async () => {
    expect(await render(spec('{ name: notes, version: v1 }'))).toContain('id="sign-in"')
    expect(await render(spec('{ name: notes, version: v1 }', 'none'))).not.toMatch(/id="sign-in"|Authorization/)
  })

  it('shows the texts of a spec as text', async () => {
    const hostile = `</title><script>alert(1)</script>`
    const page = await render(
      spec(
        `{ name: notes, version: v1, title: "${hostile}", description: "${hostile}\\n\\n<img src=x onerror=alert(1)>" }`,
      ),
    )
    expect(page).not.toMatch(/<script>|<img/)
    expect(page).toContain('&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;')
    expect(page).toContain('<h1>&lt;/title&gt;&lt;script&gt;')
  })
})

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.0.0.1:8080', true],
    ['127.1.2.3', true],
    ['localhost:80', true],
    ['LOCALHOST', true],
    ['[::1]:8080', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.2', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['evil.example:8080', false],
    ['', false],
  ])('%s: %s', (host, expected) => expect(isLoopback(host)).toBe(expected))
})
