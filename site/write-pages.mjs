import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// Collects the pages of the repository for VitePress: `docs/`, the READMEs beside code, and the pages of `home/`. Links
// between them become links of the site; other files that a page links to are copied beside it.

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..')
const pages = process.argv[2] ?? join(here, 'pages')

/** The pages outside `docs/`, by their places on the site. */
const elsewhere = {
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'report-a-vulnerability.md',
  'bench/README.md': 'benchmarks.md',
  'examples/README.md': 'examples/index.md',
  ...Object.fromEntries(
    readdirSync(join(root, 'examples'))
      .filter(name => existsSync(join(root, 'examples', name, 'README.md')))
      .map(name => [`examples/${name}/README.md`, `examples/${name}.md`]),
  ),
}

/** Every page: its file in the repository, and its place on the site. */
const places = new Map([
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md') && name !== 'README.md')
    .map(name => [`docs/${name}`, name]),
  ...Object.entries(elsewhere),
  ['README.md', 'readme.md'],
  ['docs/README.md', 'index.md'],
])

rmSync(pages, { recursive: true, force: true })
mkdirSync(join(pages, 'public'), { recursive: true })
for (const [file, place] of places) {
  if (place === 'index.md' || place === 'readme.md') continue
  write(place, siteText(readFileSync(join(root, file), 'utf8'), file, place))
}
for (const name of readdirSync(join(here, 'home'))) write(name, readFileSync(join(here, 'home', name), 'utf8'))
for (const file of ['spec/starter.yaml', 'docs/images/overview.svg', 'docs/images/conformance.svg']) {
  cpSync(join(root, file), join(pages, 'public', file))
}

function write(place, text) {
  const path = join(pages, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A page with the links of the site, and without the comments that say how tests check its code. */
function siteText(text, file, place) {
  let inCode = false
  return text
    .replace(/<!--.*?-->\n?/gs, '')
    .split('\n')
    .map(line => {
      if (line.startsWith('```')) inCode = !inCode
      return inCode ? line : line.replace(/\]\(([^)\s]+)\)/g, (_, link) => `](${siteLink(link, file, place)})`)
    })
    .join('\n')
}

function siteLink(link, file, place) {
  if (/^(?:[a-z]+:|#)/.test(link)) return link
  const [path, anchor] = link.split('#')
  const target = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')
  const found = places.get(target) ?? places.get(`${target}/README.md`)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (found !== undefined) {
    const start = relative(dirname(place), found === 'readme.md' ? 'index.md' : found)
    return (start.startsWith('.') ? start : `./${start}`) + hash
  }
  const source = join(root, target)
  if (!existsSync(source)) throw new Error(`${file} links to ${link}, which does not exist.`)
  // A folder of the repository has no page: its list of files is not part of the site.
  if (statSync(source).isDirectory()) return `/examples/${hash}`
  // As text: browsers show it, and VitePress takes it for no page.
  const copy = /\.(?:svg|png)$/.test(target) ? target : `${target}.txt`
  cpSync(source, join(pages, 'public', copy))
  return `/${copy}`
}
