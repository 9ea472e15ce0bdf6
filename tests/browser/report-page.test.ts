import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHtml, runConformance } from '../../conformance/index.js'
import { loadSpec } from '../../spec/language/index.js'
import { createMutantService, generateData } from '../mutants/index.js'
import { root } from '../root.js'
import { accessibilityFaults, findBrowser, openBrowser, openPage } from './browser.js'

const executable = findBrowser()

describe.skipIf(executable === undefined)('the HTML report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-report-'))
  const file = join(folder, 'report.html')
  let browser: Browser

  beforeAll(async () => {
    const { service } = await loadSpec(join(root, 'spec', 'directory.yaml'))
    if (service === undefined) throw new Error('spec/directory.yaml has errors')
    const correct = createMutantService({ service, data: generateData(service, { rows: 20 }) })
    // Adds a row with markup to each filtered list.
    const wrong = async (request: Request): Promise<Response> => {
      const response = await correct(request)
      if (!request.url.includes('filter') || response.status !== 200) return response
      const text = (await response.text()).replace('"value":[', '"value":[{"id":"<script>document.title=1</script>"},')
      return new Response(text, response)
    }
    const report = await runConformance({ spec: service, target: wrong, token: 'mutant-token', seed: 1, requests: 250 })
    expect(report.verdict).toBe('violations')
    writeFileSync(file, await renderHtml(report))
    browser = await openBrowser(executable ?? '')
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    // The content security policy of the page forbids axe, which the test injects.
    const page = await openPage(browser, { viewport: { width, height: 800 }, colorScheme, bypassCSP: true })
    await page.goto(pathToFileURL(file).href)
    return page
  }

  it.each([
    [1200, 'light'],
    [1200, 'dark'],
    [360, 'light'],
    [360, 'dark'],
    [375, 'light'],
  ] as const)(
    'has no accessibility fault at %i pixels, %s, and is not wider than the screen',
    async (width, scheme) => {
      const page = await open(width, scheme)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.close()
    },
  )

  it('shows findings collapsed, and only those of the chosen area and severity', async () => {
    const page = await open(375, 'light')
    const shown = page.locator('details.finding:visible')
    const all = await shown.count()
    expect(all).toBeGreaterThan(0)
    expect(await page.locator('details.finding[open]').count()).toBe(0)
    const [area = ''] = await page.locator('select[name=area] option:not([value=""])').allTextContents()
    await page.locator('select[name=area]').selectOption(area)
    expect(await shown.count()).toBe(await page.locator(`details.finding[data-area="${area}"]`).count())
    await page.locator('select[name=area]').selectOption('')
    expect(await shown.count()).toBe(all)
    await page.close()
  })

  it('copies the curl command of a finding', async () => {
    const page = await open(1200, 'light')
    const finding = page.locator('details.finding').first()
    await finding.locator('summary').first().click()
    const button = finding.locator('button.copy').first()
    await button.click()
    await page.waitForFunction('/^(Copied|Selected)$/.test(document.querySelector("button.copy").textContent)')
    expect(await button.textContent()).toMatch(/^(?:Copied|Selected)$/)
    await page.close()
  })

  it('sends no request and runs no script but its own, whatever the service returned', async () => {
    const page = await openPage(browser)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    expect(requests).toEqual([pathToFileURL(file).href])
    expect(await page.title()).toContain('violations')
    await page.close()
  })

  it('can be used by keyboard: the first tab stop skips to the result, and a key opens responses', async () => {
    const page = await open(1200, 'light')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the result')
    await page.keyboard.press('Enter')
    const summary = page.locator('details summary').first()
    await summary.focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('details').first().getAttribute('open')).toBe('')
    await page.close()
  })
})
