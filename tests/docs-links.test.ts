import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './root.js'

const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs.map(name => join('docs', name))]

/** The page without blocks and code, in which brackets are no links. */
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, text => text.replace(/[[\]()]/g, ''))

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (path: string): ReadonlySet<string> =>
  new Set([...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))

function brokenLinks(page: string): readonly string[] {
  const path = join(root, page)
  return [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^https?:/.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    const leadsOut = relative(root, target).startsWith('..')
    const leads = !leadsOut && existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor))
    return leads ? [] : [link]
  })
}

describe('links on the pages', () => {
  it.each(pages)('those of %s lead to files and headings that there are', page => {
    expect(brokenLinks(page)).toEqual([])
  })

  it('docs/README.md leads to every page', () => {
    const index = proseOf(join(root, 'docs', 'README.md'))
    expect(docs.filter(name => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([])
  })

  it('README.md leads to every page', () => {
    const readme = proseOf(join(root, 'README.md'))
    expect(docs.filter(name => !readme.includes(`(docs/${name})`))).toEqual([])
  })
})
