import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFaults, findBrowser, openBrowser, openPage } from '../browser/browser.js'
import { root } from '../root.js'
import { serveFolder } from './static-server.js'

const site = join(root, 'site', 'dist')

/** The identifiers that a link can lead to, of each file of the site. */
const identifiers = new Map<string, ReadonlySet<string>>()

function identifiersOf(file: string): ReadonlySet<string> {
  const known = identifiers.get(file)
  if (known !== undefined) return known
  const found = new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
  identifiers.set(file, found)
  return found
}

let origin: string
let close: () => void
let browser: Browser

beforeAll(async () => {
  // `npm run soak` has built the package.
  const options = { cwd: join(root, 'site'), stdio: 'pipe' } as const
  if (!existsSync(join(root, 'site', 'node_modules'))) execFileSync('npm', ['ci', '--ignore-scripts'], options)
  execFileSync('npm', ['run', 'build'], options)
  ;({ origin, close } = await serveFolder(site))
  browser = await openBrowser(findBrowser() ?? '')
})
afterAll(async () => {
  await browser?.close()
  close?.()
})

describe('the documentation site, built,', () => {
  const open = async (path: string, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await openPage(browser, { colorScheme })
    await page.goto(origin + path)
    await page.waitForLoadState('networkidle')
    return page
  }

  it('has no link to a page or a heading that does not exist', () => {
    const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.html'))
    expect(pages.length).toBeGreaterThan(30)
    const broken = pages.flatMap(page =>
      [...readFileSync(join(site, page), 'utf8').matchAll(/ href="([^"]+)"/g)].flatMap(([, href = '']) => {
        if (/^(?:[a-z]+:)/.test(href)) return []
        const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://localhost/${page}`)
        const path = decodeURIComponent(pathname)
        const name = path.endsWith('/') ? `${path}index.html` : path
        const file = [name, `${name}.html`].map(each => join(site, each)).find(each => existsSync(each))
        if (file === undefined) return [`${page}: ${href}`]
        const anchor = decodeURIComponent(hash.slice(1))
        return anchor === '' || !file.endsWith('.html') || identifiersOf(file).has(anchor) ? [] : [`${page}: ${href}`]
      }),
    )
    expect([...new Set(broken)]).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no accessibility fault and fits on a phone, %s', async colorScheme => {
    for (const path of ['/', '/tutorial.html', '/spec-language.html', '/rules.html', '/command-line.html']) {
      const page = await open(path, colorScheme)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await accessibilityFaults(page), `${path}, ${width} pixels`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width)
      }
      await page.close()
    }
  })

  it('finds a page by a word', async () => {
    const page = await open('/', 'light')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('#localsearch-input').fill('keyset')
    const found = page.locator('#localsearch-list a').first()
    await found.waitFor()
    expect(await found.getAttribute('href')).toContain('/glossary')
    await page.close()
  })
})

describe('the playground', () => {
  const running = 'The service runs in this page'

  async function play(fragment = '', colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await openPage(browser, { colorScheme, viewport: { width: 1280, height: 900 } })
    await page.goto(`${origin}/playground.html${fragment}`)
    await page.getByText(running).waitFor()
    await page.locator('.status').waitFor()
    return page
  }
  const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const answer = (page: Page) => page.getByRole('region', { name: 'Response' })

  /** Replaces the text of an editor. */
  async function write(page: Page, name: string, text: string): Promise<void> {
    await editor(page, name).focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text)
  }

  it('shows a spec and its types before any script runs', () => {
    const html = readFileSync(join(site, 'playground.html'), 'utf8')
    expect(html).toContain('name: todo')
    expect(html).toContain('export interface List {')
  })

  it('shows types, and the answer of the service to a first query', async () => {
    const page = await play()
    await page.getByText('export interface List {').waitFor()
    expect(JSON.parse((await answer(page).textContent()) ?? '').value.length).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'CSDL' }).click()
    await page.getByText('<edmx:Edmx').first().waitFor()
    await page.close()
  })

  it('follows the spec as you type, and marks errors', async () => {
    const page = await play()
    const text = readFileSync(join(root, 'spec', 'starter.yaml'), 'utf8')
    await write(page, 'Spec', text.replace('maxLength: 100', 'maxLength: 77'))
    await page.getByText('At most 77 characters.').first().waitFor()
    await write(page, 'Spec', text.replace('to: task\n', 'to: tusk\n'))
    const diagnostics = page.getByRole('list', { name: 'Diagnostics' })
    await diagnostics.getByText('tusk').waitFor()
    await page.getByText('The service runs as soon as the spec has no error.').waitFor()
    // The editor shows the end of the text. The line of the error is a link to it.
    await diagnostics.getByRole('button').first().click()
    await page.locator('.cm-lint-marker-error').first().waitFor()
    await page.close()
  })

  it('takes a spec with hundreds of endpoints', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `thing${index}`)
    const properties = Array.from(
      { length: 25 },
      (_, index) => `      property${index}: { type: String, nullable: true, description: A text that nobody needs }\n`,
    ).join('')
    const lines = (line: (name: string) => string): string => names.map(line).join('')
    const text = `specwright: 1
service: { name: large, version: v1.0 }
authentication: { scheme: none }
errors: {}
resources:
${lines(name => `  ${name}:\n    kind: entityType\n    key: [id]\n    properties:\n      id: { type: String }\n${properties}`)}
container:
${lines(name => `  ${name}s: { entitySet: ${name} }\n`)}
paths:
${lines(name => `  /${name}s: { get: { returns: collection }, post: { creates: ${name} } }\n  /${name}s/{id}: { get: { returns: item } }\n`)}`
    expect(text.length).toBeGreaterThan(300_000)
    const page = await play()
    await editor(page, 'Spec').focus()
    await page.keyboard.press('Control+A')
    await page.evaluate(`
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))`)
    await page.waitForFunction("document.querySelectorAll('select option').length === 600")
    await page.getByText('export interface Thing0 {').waitFor()
    expect(await page.getByRole('list', { name: 'Diagnostics' }).count()).toBe(0)
    await page.close()
  })

  it('completes a filter with what the endpoint declares, and sends it', async () => {
    const page = await play()
    // A value that the data has.
    const { priority: wanted } = JSON.parse((await answer(page).textContent()) ?? '').value[0]
    const line = editor(page, '$filter')
    const proposals = page.locator('.cm-tooltip-autocomplete li')
    await line.focus()
    await proposals.getByText('title', { exact: true }).waitFor()
    await proposals.getByText('contains', { exact: true }).waitFor()
    await page.keyboard.type('pri')
    await proposals.getByText('priority', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type(`ority eq '${wanted}'`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.target').getByText(`$filter=priority%20eq%20'${wanted}'`).waitFor()
    await page.waitForFunction(
      `JSON.parse(document.querySelector('.answer pre').textContent).value.every(each => each.priority === '${wanted}')`,
    )
    const { value } = JSON.parse((await answer(page).textContent()) ?? '')
    expect(new Set(value.map(({ priority }: { readonly priority: string }) => priority))).toEqual(new Set([wanted]))
    await page.close()
  })

  it('restores the spec and the request of a link', async () => {
    const page = await play()
    await write(page, '$filter', 'done eq true')
    await page.getByRole('button', { name: 'Share' }).click()
    await page.waitForFunction("location.hash.startsWith('#s=')")
    const { hash } = new URL(page.url())
    await page.close()
    const other = await play(hash)
    expect(await editor(other, '$filter').textContent()).toBe('done eq true')
    expect(await answer(other).textContent()).not.toContain('"done": false')
    await other.close()
  })

  it('runs no script of a link, and sends no request to another server', async () => {
    const hostile = '<script>document.title=1</script><img src=https://evil.example/x onerror=document.title=2>'
    const spec = readFileSync(join(root, 'spec', 'starter.yaml'), 'utf8')
      .replace('title: To-do lists', `title: '${hostile}'`)
      .replace('priority:\n        type', `'${hostile}':\n        type`)
    for (const text of [spec, `${spec}\n${hostile}`]) {
      const state = { spec: text, endpoint: hostile, query: `$filter=${hostile}`, body: hostile }
      const bytes = deflateRawSync(JSON.stringify(state)).toString('base64url')
      const page = await openPage(browser)
      const elsewhere: string[] = []
      page.on('request', request => new URL(request.url()).origin === origin || elsewhere.push(request.url()))
      await page.goto(`${origin}/playground.html#s=${bytes}`)
      await page.getByRole('list', { name: 'Diagnostics' }).waitFor()
      expect(await page.title()).toMatch(/^Playground/)
      expect(elsewhere.filter(url => !/^(?:data|blob):/.test(url))).toEqual([])
      await page.close()
    }
  })

  it('ignores a link that expands to more than the limit', async () => {
    const bomb = deflateRawSync(JSON.stringify({ spec: ' '.repeat(5_000_000) })).toString('base64url')
    expect(bomb.length).toBeLessThan(30_000)
    const page = await openPage(browser)
    await page.goto(`${origin}/playground.html#s=${bomb}`)
    await page.getByText('This link cannot be read.').waitFor()
    await page.close()
  })

  it.each(['light', 'dark'] as const)('has no accessibility fault and fits on a phone, %s', async colorScheme => {
    const page = await play('', colorScheme)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await accessibilityFaults(page), `${width} pixels`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    await page.close()
  })
})
