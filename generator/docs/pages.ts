import { type Assumption, canonicalFunctions, type OpenChoice, type Service } from '../../spec/language/index.js'
import { type VocabularyEntry, type VocabularyTerm, vocabularyTerms } from '../emit/csdl/vocabulary.js'

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

const opening = `# The vocabulary Specwright.V1

CSDL describes the types of a service, and the vocabularies of OData describe what clients may do with them. A spec
contains more: which construct needs which header, the size of pages, the errors, and the open choices. Exported
documents keep all of this, in terms of our own vocabulary where the standard ones have none. Readers that do not know
these terms ignore them, as CSDL requires.

This page is generated from \`generator/emit/csdl/vocabulary.ts\`.

## What the standard expresses

| of a spec | in CSDL |
|---|---|
| types, keys, relations, facets, operations, container | elements and attributes of CSDL itself |
| description | \`Core.Description\` |
| \`computed\`; \`createOnly\` | \`Core.Computed\` and \`Core.Permissions\` Read; \`Core.Immutable\` |
| optional parameter | \`Core.OptionalParameter\` |
| \`pattern\`, \`minimum\`, \`maximum\`, \`minItems\`, \`maxItems\` | \`Validation.Pattern\`, \`.Minimum\`, \`.Maximum\`, \`.MinItems\`, \`.MaxItems\` |
| entity tags | \`Core.OptimisticConcurrency\`, and \`Specwright.EntityTag\` for their kind |
| query options, methods and scopes of an entity set, singleton or relation | \`Capabilities\`, as far as it goes; \`Specwright.QueryOptions\` and \`Specwright.Paths\` in full |
| paths that write keys as segments, \`/users/{id}\` | \`Capabilities.KeyAsSegmentSupported\` |
| the feature \`batch\`, if required | \`Capabilities.BatchSupported\` and \`Capabilities.BatchSupport\` |
| a path \`delta\` below an entity set | \`Capabilities.ChangeTracking\` |
| the feature \`respondAsync\`, if required | \`Capabilities.AsynchronousRequestsSupported\` |
| \`$apply\` of an entity set | \`Aggregation.ApplySupported\` |
| operations that need scopes | \`Capabilities.OperationRestrictions\` |

The export writes two facets even if the spec does not state them, because CSDL has other defaults: \`Scale\` is
\`variable\` for a decimal number, and \`Precision\` is 12 for times. The XML form replaces characters that XML 1.0 does
not allow by U+FFFD. The JSON form keeps them.

## From CSDL to a spec

\`specwright import\` reads both forms. From an exported document, it restores the same model: the same types, paths,
query options, errors, open choices and assumptions. It does not restore what only affects how the spec is written:
comments, the file that \`interface\` names, short forms (\`true\` for \`optional\`, query options without their
defaults), and the two facets above if they have the values of the export. If you export the imported spec, the document
is the same.

[Import](command-line.md#import) describes how it reads documents that were not exported from a spec.

## Terms
`

/** The page docs/csdl-vocabulary.md. */
export function csdlVocabularyPage(): string {
  return `${opening}\n${vocabularyTerms.map(termSection).join('\n')}`
}

function termSection(term: VocabularyTerm): string {
  const parts = [
    `### ${term.name}`,
    `${term.description} \`${term.type}\`, on ${term.appliesTo.join(', ')}.`,
    ...(term.members === undefined ? [] : [memberTable(term.members)]),
    ...Object.entries(term.nested ?? {}).flatMap(([path, members]) => [`In \`${path}\`:`, memberTable(members)]),
  ]
  return `${parts.join('\n\n')}\n`
}

function memberTable(members: readonly VocabularyEntry[]): string {
  return markdownTable(
    ['member', 'type', 'meaning'],
    members.map(({ name, type, description }) => [`\`${name}\``, `\`${type}\``, description]),
  )
}

const start = '<!-- Written by `npm run docs`. -->\n'
const end = '\n<!-- End of the table. -->'

/** `docs/query-language.md` with the table of the canonical functions. */
export function withFunctionTable(page: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/query-language.md has no place for the table of functions.')
  return `${page.slice(0, from + start.length)}\n${functionTable()}\n${page.slice(to)}`
}

function functionTable(): string {
  const rows = [...canonicalFunctions].map(([name, { signatures }]) => {
    const calls = signatures.map(({ parameterNames }) => code(`${name}(${parameterNames.join(',')})`))
    const results = signatures.map(({ returns }) =>
      returns === 'same' ? 'the type of the first argument' : code(returns),
    )
    return [[...new Set(calls)].join(', '), [...new Set(results)].join(', ')]
  })
  return markdownTable(['call', 'result'], rows)
}

/** A Markdown table. The text of a cell is untrusted: it can neither end its cell nor begin an HTML element. */
function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** A cell with any text as code. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(run => run[0].length))
  const fence = '`'.repeat(longest + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
