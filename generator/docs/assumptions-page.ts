import type { Assumption, OpenChoice, Service } from '../../spec/language/index.js'
import { code, markdownTable } from './markdown-table.js'

const introduction = `# Assumptions

<!-- Written by \`npm run docs\` from the specs. Change the \`assumed\` there, not here. -->

A spec sometimes must state something that its interface does not. Each such element has \`assumed\`, with the reason.
This page lists them all. It also lists what the interface leaves open: any legal value conforms, if the service uses it
consistently.

**Section** is the section of the interface that names the element; a detail of the element is our assumption. Without a
section, the whole element is our assumption, and another implementation need not have it.
`

/** Words of a pointer that only name the map of an element. */
const containers: ReadonlySet<string> = new Set(['properties', 'navigation', 'parameters'])

/**
 * The page that lists the assumptions of the specs, by service and chapter, and their open choices. Omits services
 * without assumptions.
 *
 * @returns Markdown; the same for the same services.
 */
export function assumptionsPage(services: readonly Service[]): string {
  const chapters = services.filter(service => service.assumptions.length > 0).map(serviceChapter)
  return [introduction, ...chapters].join('\n')
}

function serviceChapter(service: Service): string {
  const parts = [`## ${service.title}\n`]
  for (const [chapter, assumptions] of byChapter(service.assumptions)) {
    const rows = assumptions.map(({ location: place, ref, why }) => [code(elementName(place.pointer)), ref ?? '', why])
    parts.push(`### ${chapter}\n`, `${markdownTable(['Element', 'Section', 'Assumed'], rows)}\n`)
  }
  if (service.open.length > 0) {
    parts.push('### Left open\n', `${choicesTable(service.open)}\n`)
  }
  return parts.join('\n')
}

function choicesTable(choices: readonly OpenChoice[]): string {
  const rows = choices.map(({ name, legal, reference, ref, description }) => [
    code(name),
    ref ?? '',
    description ?? '',
    legal.map(value => code(String(value))).join(', '),
    code(String(reference)),
  ])
  return markdownTable(['Choice', 'Section', 'What', 'Legal', 'This service'], rows)
}

function byChapter(assumptions: readonly Assumption[]): ReadonlyMap<string, readonly Assumption[]> {
  const chapters = new Map<string, Assumption[]>()
  for (const assumption of assumptions) {
    const chapter = segments(assumption.location.pointer)[0] ?? ''
    const known = chapters.get(chapter)
    if (known) known.push(assumption)
    else chapters.set(chapter, [assumption])
  }
  return chapters
}

/** `/resources/user/properties/department` -> `user.department`. */
function elementName(pointer: string): string {
  const [chapter = '', ...rest] = segments(pointer)
  if (rest.length === 0) return chapter
  return rest.filter((segment, index) => index !== 1 || !containers.has(segment)).join('.')
}

function segments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}
