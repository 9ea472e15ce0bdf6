import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from './browser.js'
import { type ServedDirectory, serveDirectory } from './serve-directory.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const outDir = mkdtempSync(join(tmpdir(), 'browser-vite-'))

beforeAll(() => build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } }))
afterAll(() => rmSync(outDir, { recursive: true, force: true }))

describe('the output of Vite', () => {
  it('is small: less than 4 KB, of which the client takes 3 KB', () => {
    const assets = join(outDir, 'assets')
    const [script = ''] = readdirSync(assets).filter(name => name.endsWith('.js'))
    expect(gzipSync(readFileSync(join(assets, script))).byteLength).toBeLessThan(4_000)
  })
})

describe.skipIf(chromiumPath === undefined)('the page in a browser', () => {
  let pages: PreviewServer
  let directory: ServedDirectory
  let browser: Browser
  let page: Page
  const requests: string[] = []
  const faults: string[] = []

  beforeAll(async () => {
    pages = await preview({ root, logLevel: 'error', build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
    const address = pages.resolvedUrls?.local[0] ?? ''
    directory = await serveDirectory('secret', new URL(address).origin)
    browser = await chromium.launch({
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    })
    page = await browser.newPage()
    page.setDefaultTimeout(0)
    page.on('request', request => requests.push(decodeURIComponent(request.url())))
    page.on('pageerror', error => faults.push(error.message))
    await page.goto(address)
  })
  afterAll(async () => {
    await browser?.close()
    await directory?.stop()
    await pages?.close()
  })

  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const subjects = () => page.locator('tbody tr td:nth-child(3)').allTextContents()

  it('lists a page of messages, and the next one on request', async () => {
    await page.getByLabel('Service').fill(directory.url)
    await page.getByLabel('Token').fill('secret')
    await page.getByRole('button', { name: 'Show' }).click()
    await status('10 of')
    expect((await subjects())[0]).toBe('Re: Budget for the cargo bike')
    await page.getByRole('button', { name: 'More' }).click()
    await page.locator('tbody tr:nth-child(11)').waitFor()
  })

  it('filters by the typed text, including quotes and percent signs', async () => {
    await page.getByLabel('Subject contains').fill('50% off')
    await page.getByLabel('Unread only').check()
    await page.getByRole('button', { name: 'Show' }).click()
    await status('1 of 1')
    expect(await subjects()).toEqual(['50% off spokes_and_rims'])
    expect(await page.getByRole('button', { name: 'More' }).isVisible()).toBe(false)
    expect(requests.at(-1)).toContain("$filter=(contains(subject,'50% off') and isRead eq false)")
    await page.getByLabel('Subject contains').fill("' or true or '")
    await page.getByRole('button', { name: 'Show' }).click()
    await status('0 of 0')
  })

  it('shows the error of the service, or that the service does not answer', async () => {
    const alert = page.getByRole('alert')
    await page.getByLabel('Token').fill('stolen')
    await page.getByRole('button', { name: 'Show' }).click()
    await alert.filter({ hasText: '401 InvalidAuthenticationToken' }).waitFor()
    await page.getByLabel('Service').fill('http://127.0.0.1:9/v1.0')
    await page.getByRole('button', { name: 'Show' }).click()
    await alert.filter({ hasText: 'The service does not answer.' }).waitFor()
    expect(faults).toEqual([])
  })
})
