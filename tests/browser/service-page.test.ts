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

  /** Waits until the console shows some endpoint. */
  const ready = (page: Page) => page.locator('#endpoint[data-name] #request').waitFor()

  /** Opens an endpoint, such as `GET /users`, and waits until the console shows it. */
  async function openEndpoint(page: Page, endpoint: string): Promise<void> {
    const link = page.getByRole('link', { name: endpoint, exact: true })
    await link.click()
    await shows(page, (await link.getAttribute('data-endpoint')) ?? '')
  }

  /** Waits until the console shows an endpoint. */
  const shows = (page: Page, name: string) => page.locator(`#endpoint[data-name="${name}"]`).waitFor()

  /** Opens an endpoint, fills in some of its parameters, sends the request, and returns the response. */
  async function ask(page: Page, endpoint: string, parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    await openEndpoint(page, endpoint)
    for (const [name, value] of Object.entries(parameters)) await page.locator(`#request [name="${name}"]`).fill(value)
    return send(page)
  }

  async function send(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.locator('#response .status').waitFor()
    return `${await page.locator('#response').textContent()}`.replaceAll(/\s+/g, ' ')
  }

  it('shows the title, all endpoints and all types without a script', async () => {
    const page = await open(origin, { javaScriptEnabled: false })
    expect(await page.locator('h1').textContent()).toBe('Directory and Mailbox')
    expect(await page.locator('nav li:has(.method)').count()).toBe(17)
    expect(await page.locator('nav .method').count()).toBe(23)
    expect(await page.locator('nav li', { hasText: '/me/messages/{id}' }).locator('.method').allTextContents()).toEqual(
      ['GET', 'PATCH', 'DELETE'].map(method => `${method} /me/messages/{id}`),
    )
    await page.getByRole('link', { name: 'message', exact: true }).click()
    await page.locator('#type-message summary').click()
    expect(await page.getByText('isRead Boolean').isVisible()).toBe(true)
    await page.close()
  })

  it('finds paths by their texts, and types by their properties', async () => {
    const page = await open(origin)
    const found = () => page.locator('nav li:visible').evaluateAll(items => items.map(item => item.textContent))
    const search = page.getByRole('searchbox')
    await search.fill('childcount')
    expect((await found()).map(text => text?.trim())).toEqual(['foldercomplex type'])
    await page.getByText('1 found').waitFor()
    await search.fill('groups/{id}/members')
    expect(await found()).toHaveLength(1)
    await search.fill('')
    expect((await found()).length).toBeGreaterThan(30)
    await page.close()
  })

  it('builds a filter out of what the endpoint supports, and shows the request as curl and as TypeScript', async () => {
    const page = await open(signedIn())
    await openEndpoint(page, 'GET /me/messages')
    const choose = async (property: string, operator: string, row: number): Promise<void> => {
      await page.getByRole('button', { name: 'Add a condition' }).click()
      await page.getByLabel('Property').nth(row).selectOption({ label: property })
      await page.getByLabel('Operator').nth(row).selectOption(operator)
    }
    await choose('tolower(subject)', 'eq', 0)
    await page.getByRole('textbox', { name: 'Value' }).fill("it's")
    await choose('importance: importance', 'ne', 1)
    await page.getByRole('combobox', { name: 'Value' }).selectOption('low')
    await choose('any categories: String', 'eq', 2)
    expect(await page.getByLabel('Operator').nth(2).locator('option').allTextContents()).toEqual([
      ...['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
      ...['startswith', 'not startswith', 'endswith', 'not endswith', 'contains', 'not contains'],
    ])
    await page.getByRole('button', { name: 'Remove' }).nth(2).click()
    const filter = "tolower(subject) eq 'it''s' and importance ne 'low'"
    expect(await page.getByLabel('$filter').inputValue()).toBe(filter)
    expect(await page.locator('#code-curl').textContent()).toContain(
      '/me/messages?$filter=tolower(subject)%20eq%20%27it%27%27s%27%20and%20importance%20ne%20%27low%27',
    )
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    expect(await page.locator('#code-typescript').textContent()).toContain(
      "directory.me.messages.list({ filter: f => f.and(f.eq(f.tolower('subject'), 'it\\'s'), f.ne('importance', 'low')) })",
    )
    await page.getByRole('button', { name: 'Add a group' }).first().click()
    await page.getByRole('group', { name: 'Group' }).getByRole('button', { name: 'Add a condition' }).click()
    for (const [row, importance] of ['high', 'normal'].entries()) {
      await page
        .getByLabel('Property')
        .nth(row + 2)
        .selectOption({ label: 'importance: importance' })
      await page
        .getByRole('combobox', { name: 'Value' })
        .nth(row + 1)
        .selectOption(importance)
    }
    expect(await page.getByLabel('$filter').inputValue()).toBe(
      `${filter} and (importance eq 'high' or importance eq 'normal')`,
    )
    expect(await send(page)).toMatch(/^200 OK/)
    await page.getByRole('button', { name: 'Remove the group' }).click()
    expect(await page.getByLabel('$filter').inputValue()).toBe(filter)
    await page.close()
  })

  it('opens the type of a body, and keeps examples closed and low', async () => {
    const page = await open(signedIn(), { viewport: { width: 1280, height: 800 } })
    await openEndpoint(page, 'GET /me/messages')
    const examples = page.locator('.documented pre:visible')
    expect(await examples.count()).toBe(0)
    await page.locator('.documented summary', { hasText: 'A page of items' }).click()
    expect((await examples.first().boundingBox())?.height).toBeLessThan(450)
    await page.locator('.documented a', { hasText: 'message' }).first().click()
    await page.locator('#type-message[open] .members').waitFor()
    await page.close()
  })

  it('signs in whoever opens the printed address, and shows the result of a query', async () => {
    const page = await open(signedIn())
    await ready(page)
    expect(new URL(page.url()).hash).not.toContain('token')
    const answer = await ask(page, 'GET /users', { $filter: "startsWith(displayName,'Mira')", $top: '2' })
    expect(answer).toMatch(/^200 OK.*"displayName": "Mira Özdemir"/)
    await page.close()
  })

  it('encodes spaces, signs and quotes of a query as the query language requires, also in the curl command', async () => {
    const page = await open(signedIn())
    await ready(page)
    const query = { $filter: "importance eq 'high' and subject ne 'A+B & C''s'", $top: '1' }
    expect(await ask(page, 'GET /me/messages', query)).toMatch(/^200 OK.*"importance": "high"/)
    const sent = /\?([^\s']+)'/
      .exec((await page.locator('#code-curl').textContent()) ?? '')?.[1]
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
    expect(await ask(page, 'GET /me')).toMatch(/^200 OK.*"id": "mira"/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await ask(page, 'GET /me/calendar')).toMatch(/^401/)
    await page.close()
  })

  it('contains no token, and accepts a pasted one', async () => {
    const page = await open(origin)
    await ready(page)
    expect(await ask(page, 'GET /me')).toMatch(/^401.*InvalidAuthenticationToken/)
    const [, token = ''] = /^token +(\S+)$/m.exec(service.err()) ?? []
    expect(await page.content()).not.toContain(token)
    await page.getByLabel('Bearer token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await ask(page, 'GET /me/manager')).toMatch(/^200 OK.*"id": "jonas"/)
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
    expect(await ask(page, 'POST /me/messages')).toMatch(/^201 Created.*"subject"/)
    expect(elsewhere.filter(url => !url.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  async function fillIn(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Add a group' }).click()
    await page.locator('.documented summary', { hasText: 'A page of items' }).click()
    await page.locator('#type-user summary').click()
  }

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
      ['with a filter and a type', () => fillIn(page)],
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
    await shows(page, 'groups.list')
    expect(await page.locator('nav .method[aria-current]').allTextContents()).toEqual(['GET /groups'])
    await page.getByRole('button', { name: 'Send request' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('200 OK').waitFor()
    await page.getByRole('tab', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('#code-typescript').isVisible()).toBe(true)
    await page.close()
  })

  it('goes back to the previous endpoint', async () => {
    const page = await open(signedIn())
    await ready(page)
    await openEndpoint(page, 'GET /users')
    await openEndpoint(page, 'GET /groups')
    await page.goBack()
    await shows(page, 'users.list')
    await page.close()
  })

  describe('of a service with a thousand endpoints,', () => {
    let large: ServeProcess
    beforeAll(async () => {
      const cwd = folder()
      const numbers = Array.from({ length: 500 }, (_, index) => index)
      const types = numbers.map(
        n =>
          `  thing${n}: { kind: entityType, key: [id], properties: { id: { type: String }, colour${n}: { type: String } } }`,
      )
      const sets = numbers.map(n => `  things${n}: { entitySet: thing${n} }`)
      const paths = numbers.flatMap(n => [
        `  /things${n}: { get: { returns: collection } }`,
        `  /things${n}/{id}: { get: { returns: item } }`,
      ])
      const head = 'specwright: 1\nservice: { name: things, version: v1 }\nauthentication: { scheme: none }\nerrors: {}'
      const chapters = ['resources:', ...types, 'container:', ...sets, 'paths:', ...paths]
      writeFileSync(join(cwd, 'large.yaml'), [head, ...chapters, ''].join('\n'))
      large = await startServe(['large.yaml', '--port', '0', '--log', 'off'], cwd)
    })
    afterAll(() => large?.stop())

    const openLarge = async (hash = ''): Promise<Page> => {
      const page = await open(`${new URL(large.url).origin}/${hash}`, { viewport: { width: 1280, height: 800 } })
      await ready(page)
      return page
    }
    /** How many elements have a layout. */
    const laidOut = (selector: string): string =>
      `[...document.querySelectorAll('${selector}')].filter(each => each.checkVisibility({ contentVisibilityAuto: true })).length`
    const lists = ['nav li > code', 'nav li > .type', 'details.type > summary'].map(laidOut)
    const isOnScreen = (id: string): string =>
      `(({ top }) => top >= 0 && top < innerHeight)(document.getElementById('${id}').getBoundingClientRect())`

    it('has a layout only of what is near the screen, and of everything on paper', async () => {
      const page = await openLarge()
      const [paths, types, details] = await Promise.all(lists.map(count => page.evaluate(count)))
      expect(paths).toBeGreaterThan(5)
      expect(paths).toBeLessThan(200)
      expect(types).toBe(0)
      expect(details).toBeLessThan(200)
      await page.emulateMedia({ media: 'print' })
      await page.waitForFunction(`${lists.join('+')} === 1000 + 500 + 500`)
      await page.close()
    })

    it('has the console on the second screen of a phone', async () => {
      const page = await open(`${new URL(large.url).origin}/`, { viewport: { width: 390, height: 844 } })
      await ready(page)
      expect(
        await page.evaluate("document.getElementById('console').getBoundingClientRect().top / innerHeight"),
      ).toBeLessThan(2)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await page.close()
    })

    it('is searched, and shows the type that a link or an address names', async () => {
      const page = await openLarge()
      await page.getByRole('searchbox').fill('colour499')
      await page.getByRole('link', { name: 'thing499', exact: true }).click()
      await page.locator('#type-thing499[open] .members').waitFor()
      await page.waitForFunction(isOnScreen('type-thing499'))
      await page.getByRole('searchbox').fill('/things498/{id}')
      await openEndpoint(page, 'GET /things498/{id}')
      await page.close()
      const linked = await openLarge('#type-thing250')
      await linked.waitForFunction(isOnScreen('type-thing250'))
      await linked.close()
    })
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
    expect(await ask(page, 'GET /notes')).toMatch(/^200 OK/)
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
