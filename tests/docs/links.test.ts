import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'

const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  join('bench', 'README.md'),
  ...docs.map(name => join('docs', name)),
]

/** The page without code, in which brackets are not links. */
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, text => text.replace(/[[\]()]/g, ''))

/** The anchor that GitHub generates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (path: string): ReadonlySet<string> =>
  new Set([...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))

/** The targets of the links of a page, except for other sites. */
const linksOn = (path: string): readonly string[] =>
  [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => (/^https?:/.test(link) ? [] : [link]))

function brokenLinks(page: string): readonly string[] {
  const path = join(root, page)
  return linksOn(path).flatMap(link => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    const leadsOut = relative(root, target).startsWith('..')
    const leads = !leadsOut && existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor))
    return leads ? [] : [link]
  })
}

/** The files that npm would pack. */
function packedFiles(): readonly string[] {
  const options = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const listed = execFileSync('npm', options, {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...listed.matchAll(/"path":\s*"([^"]+)"/g)].map(([, path = '']) => path)
}

describe('links', () => {
  it.each(pages)('of %s lead to existing files and headings', page => {
    expect(brokenLinks(page)).toEqual([])
  })

  it('in docs/README.md lead to every page', () => {
    const index = proseOf(join(root, 'docs', 'README.md'))
    expect(docs.filter(name => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([])
  })

  it('in README.md lead to every page', () => {
    const readme = proseOf(join(root, 'README.md'))
    expect(docs.filter(name => !readme.includes(`(docs/${name})`))).toEqual([])
  })

  // The package has the pages that a user needs at hand; the others, and pictures, are on the site of the repository.
  it('of pages in the package lead to files in the package, or to pages of the repository', () => {
    const packed = packedFiles()
    const places = new Set(packed.flatMap(path => [path, posix.dirname(path)]))
    const shipped = packed.filter(path => path.endsWith('.md') && !path.startsWith('dist/'))
    expect(shipped).toEqual(expect.arrayContaining(['README.md', 'docs/command-line.md']))
    const isPage = (target: string): boolean => /\.(?:md|svg|png)$/.test(target) && existsSync(join(root, target))
    const dead = shipped.flatMap(page =>
      linksOn(join(root, page)).flatMap(link => {
        const [file = ''] = link.split('#')
        const target = file === '' ? page : posix.join(posix.dirname(page), file).replace(/\/$/, '')
        return places.has(target) || isPage(target) ? [] : [`${page}: ${link}`]
      }),
    )
    expect(dead).toEqual([])
  })
})
