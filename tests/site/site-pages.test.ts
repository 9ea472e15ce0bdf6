import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { root } from '../root.js'

interface Item {
  readonly link?: string
  readonly items?: readonly Item[]
}

const linksOf = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ link, items }) => [...(link === undefined ? [] : [link]), ...linksOf(items ?? [])])

describe('the documentation site', () => {
  const folder = temporaryFolders()
  const navigation: Promise<{ readonly nav: readonly Item[]; readonly sidebar: readonly Item[] }> = import(
    pathToFileURL(join(root, 'site', 'navigation.mjs')).href
  )

  it('has a page for each link of its navigation, and leads to each page', async () => {
    const { nav, sidebar } = await navigation
    const pages = folder()
    // Fails at a link to a file that does not exist.
    execFileSync(process.execPath, [join(root, 'site', 'write-pages.mjs'), pages])
    const written = readdirSync(pages, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.md'))
      .map(name => `/${name.replace(/(?:index)?\.md$/, '')}`)
    const linked = new Set(linksOf([...nav, ...sidebar]).map(link => link.split('#')[0]))
    expect([...linked].filter(link => !written.includes(link ?? ''))).toEqual([])
    expect(written.filter(page => !linked.has(page))).toEqual(['/report-a-vulnerability'])
  })
})
