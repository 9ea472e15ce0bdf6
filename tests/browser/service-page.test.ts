import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { killAll, type ServeProcess, startServe } from '../serve/serve-process.js'
import { accessibilityFaults, findBrowser, openBrowser, openPage } from './browser.js'

const executable = findBrowser()
const folder = temporaryFolders()

afterAll(killAll)

describe.skipIf(executable === undefined)('the page of specwright serve, in a browser,', () => {
  let browser: Browser
  let service: ServeProcess
  let origin: string

  beforeAll(async () => {
    service = await startServe(['--port', '0', '--log', 'off'])
    origin = new URL(service.url).origin
    browser = await openBrowser(executable ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** The address that `serve` prints, which signs in. */
  const signedIn = (): string => /^page +(\S+)$/m.exec(service.err())?.[1] ?? ''

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await openPage(browser, options)
    await page.goto(address)
    return page
  }

  const ready = (page: Page) => page.locator('api-request .btn-execute').waitFor()

  /** Waits until the console shows an endpoint. */
  async function shows(page: Page, endpoint: string): Promise<void> {
    const [method = '', path = ''] = endpoint.split(' ')
    await page.locator(`api-request[method="${method.toLowerCase()}"][path="${path}"]`).waitFor()
  }

  /** Selects an endpoint, fills in some of its parameters, sends the request, and returns the response. */
  async function ask(page: Page, endpoint: string, parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    await page.getByRole('link', { name: endpoint, exact: true }).click()
    await page
      .getByText(endpoint.slice(endpoint.indexOf(' ') + 1), { exact: true })
      .last()
      .waitFor()
    for (const [name, value] of Object.entries(parameters)) {
      await page.locator(`api-request input[data-pname="${name}"]`).fill(value)
    }
    await page.getByRole('button', { name: 'Execute' }).click()
    const status = page.locator('api-request .response-message')
    await status.first().waitFor()
    const text = await page.locator('api-request syntax-highlighter pre').first().textContent()
    return `${await status.first().textContent()} ${text}`.replaceAll(/\s+/g, ' ').trim()
  }

  it('shows the title and all endpoints without a script', async () => {
    const page = await open(origin, { javaScriptEnabled: false })
    expect(await page.locator('h1').textContent()).toBe('Directory and Mailbox')
    expect(await page.locator('nav li').count()).toBe(17)
    expect(await page.locator('nav .method').count()).toBe(23)
    expect(await page.locator('nav li', { hasText: '/me/messages/{id}' }).locator('.method').allTextContents()).toEqual(
      ['GET', 'PATCH', 'DELETE'].map(method => `${method} /me/messages/{id}`),
    )
    await page.close()
  })

  it('signs in whoever opens the printed address, and shows the result of a query', async () => {
    const page = await open(signedIn())
    await ready(page)
    expect(new URL(page.url()).hash).not.toContain('token')
    const answer = await ask(page, 'GET /users', { $filter: "startsWith(displayName,'Mira')", $top: '2' })
    expect(answer).toMatch(/OK \(200\).*"displayName": "Mira Özdemir"/)
    await page.close()
  })

  it('encodes spaces, signs and quotes of a query as the query language requires, also in the curl command', async () => {
    const page = await open(signedIn())
    await ready(page)
    const query = { $filter: "importance eq 'high' and subject ne 'A+B & C''s'", $top: '1' }
    expect(await ask(page, 'GET /me/messages', query)).toMatch(/OK \(200\).*"importance": "high"/)
    await page.locator('api-request .tab-btn[data-tab="curl"]').click()
    const shown = await page.locator('api-request syntax-highlighter pre', { hasText: 'curl' }).first().textContent()
    const sent = /\?([^\s"]+)"/
      .exec(shown ?? '')?.[1]
      ?.split('&')
      .map(decodeURIComponent)
    expect(sent).toEqual(Object.entries(query).map(option => option.join('=')))
    await page.close()
  })

  it('stays signed in after a reload, and signs out', async () => {
    const page = await open(signedIn())
    await ready(page)
    await page.reload()
    await ready(page)
    expect(await ask(page, 'GET /me')).toMatch(/OK \(200\).*"id": "mira"/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await ask(page, 'GET /me/calendar')).toMatch(/\(401\)/)
    await page.close()
  })

  it('contains no token, and accepts a pasted one', async () => {
    const page = await open(origin)
    await ready(page)
    expect(await ask(page, 'GET /me')).toMatch(/\(401\).*InvalidAuthenticationToken/)
    const [, token = ''] = /^token +(\S+)$/m.exec(service.err()) ?? []
    expect(await page.content()).not.toContain(token)
    await page.getByLabel('Bearer token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await ask(page, 'GET /me/manager')).toMatch(/OK \(200\).*"id": "jonas"/)
    await page.close()
  })

  it('sends requests only to its own server, and violates no rule of its content security policy', async () => {
    const page = await openPage(browser)
    const elsewhere: string[] = []
    const complaints: string[] = []
    page.on('request', request => new URL(request.url()).origin === origin || elsewhere.push(request.url()))
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(String(error)))
    await page.goto(signedIn())
    await ready(page)
    await ask(page, 'GET /users')
    expect(await ask(page, 'POST /me/messages')).toMatch(/Created \(201\).*"subject"/)
    expect(elsewhere.filter(url => !url.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  describe.each(['light', 'dark'] as const)('in a %s colour scheme,', colorScheme => {
    let page: Page
    beforeAll(async () => {
      // The content security policy of the page forbids axe, which the test injects.
      page = await open(signedIn(), { colorScheme, bypassCSP: true })
      await ready(page)
    })
    afterAll(() => page?.close())

    it.each<readonly [string, () => Promise<unknown>]>([
      ['when it opens', async () => {}],
      ['with the result of a query', () => ask(page, 'GET /me/messages')],
      ['with the result of a create', () => ask(page, 'POST /me/messages')],
      ['signed out', () => page.getByRole('button', { name: 'Sign out' }).click()],
    ])('%s, has no accessibility fault and is not wider than the screen', async (_, step) => {
      await step()
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await accessibilityFaults(page), `${width} pixels`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    })
  })

  it('can be used by keyboard: the first tab stop skips to the console, and keys open an endpoint and send the request', async () => {
    const page = await open(signedIn(), { viewport: { width: 1280, height: 800 } })
    await ready(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the console')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('console')
    await page.getByRole('link', { name: 'GET /groups', exact: true }).focus()
    await page.keyboard.press('Enter')
    await shows(page, 'GET /groups')
    expect(await page.locator('nav .method[aria-current]').allTextContents()).toEqual(['GET /groups'])
    await page.getByRole('button', { name: 'Execute' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('OK (200)').waitFor()
    await page.close()
  })

  it('goes back to the previous endpoint', async () => {
    const page = await open(signedIn())
    await ready(page)
    await page.getByRole('link', { name: 'GET /users', exact: true }).click()
    await shows(page, 'GET /users')
    await page.getByRole('link', { name: 'GET /groups', exact: true }).click()
    await shows(page, 'GET /groups')
    await page.goBack()
    await shows(page, 'GET /users')
    await page.close()
  })

  it('runs no script and sends no request from the texts of a spec', async () => {
    const cwd = folder()
    const hostile = '<script>document.title=1</script><img src=https://evil.example/x onerror=document.title=2>'
    const link = '[x](javascript:document.title=3) ![x](https://evil.example/y)'
    writeFileSync(
      join(cwd, 'hostile.yaml'),
      `specwright: 1
service: { name: notes, version: v1, title: Notes, description: "${hostile} ${link}" }
authentication: { scheme: none }
resources:
  note:
    kind: entityType
    key: [id]
    description: "${hostile} ${link}"
    properties: { id: { type: String, computed: true, description: "${hostile} ${link}" } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection, description: "${hostile} ${link}" } }
errors: {}
`,
    )
    const notes = await startServe(['hostile.yaml', '--port', '0', '--log', 'off'], cwd)
    const own = new URL(notes.url).origin
    const page = await openPage(browser)
    const elsewhere: string[] = []
    await page.route('https://evil.example/**', route => {
      elsewhere.push(route.request().url())
      return route.abort()
    })
    await page.goto(own)
    await ready(page)
    expect(await ask(page, 'GET /notes')).toMatch(/OK \(200\)/)
    for (const anchor of await page.locator('a', { hasText: /^x$/ }).all()) await anchor.click()
    expect(await page.title()).toBe('Notes')
    expect(elsewhere).toEqual([])
    await page.close()
    await notes.stop()
  })
})

describe('the page of specwright serve, over HTTP,', () => {
  const quick = ['--port', '0', '--log', 'off', '--token', 'let-me-in']

  it('answers GET and HEAD, and contains no token', async () => {
    const service = await startServe(quick)
    const page = await fetch(new URL('/', service.url))
    const text = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(text).toContain(`<code>${service.url}</code>`)
    const head = await fetch(new URL('/', service.url), { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(await head.text()).toBe('')
    const openapi = await (await fetch(new URL('/openapi.json', service.url))).text()
    expect(JSON.parse(openapi)).toMatchObject({ openapi: '3.1.1', servers: [{ url: service.url }] })
    expect(text + openapi + service.err()).not.toContain('let-me-in')
    expect(service.err()).toContain(`page       ${new URL('/', service.url).href}\n`)
    await service.stop()
  })

  it('needs no credential only for health checks when it is disabled', async () => {
    const service = await startServe([...quick, '--no-page'])
    for (const path of ['/', '/openapi.json', '/$page/page.css', '/v1.0/$metadata']) {
      expect((await fetch(new URL(path, service.url))).status, path).toBe(401)
    }
    expect((await fetch(new URL('/healthz', service.url))).status).toBe(200)
    expect(service.err()).not.toContain('page ')
    await service.stop()
  })
})
