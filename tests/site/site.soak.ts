import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

describe('the documentation site, built,', () => {
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
