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
import { accessibilityFaults, findBrowser, openBrowser } from './browser.js'

const executable = findBrowser()

describe.skipIf(executable === undefined)('the report as a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-report-'))
  const file = join(folder, 'report.html')
  let browser: Browser

  beforeAll(async () => {
    const { service } = await loadSpec(join(root, 'spec', 'directory.yaml'))
    if (service === undefined) throw new Error('spec/directory.yaml has errors')
    const correct = createMutantService({ service, data: generateData(service, { rows: 20 }) })
    // Loses a row of each list that is filtered, and writes markup into what it says.
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
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    // axe is put into the page by the test, which the page's own policy forbids.
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true })
    await page.goto(pathToFileURL(file).href)
    return page
  }

  it.each([
    [1200, 'light'],
    [1200, 'dark'],
    [360, 'light'],
    [360, 'dark'],
  ] as const)(
    'has no fault of accessibility at %i pixels, %s, and is not wider than the screen',
    async (width, scheme) => {
      const page = await open(width, scheme)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.close()
    },
  )

  it('asks for nothing and runs nothing, whatever a service answers', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    expect(asked).toEqual([pathToFileURL(file).href])
    expect(await page.title()).toContain('violations')
    await page.close()
  })

  it('is used by keyboard: the first stop skips to the result, answers open with a key', async () => {
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
