import { type VocabularyEntry, type VocabularyTerm, vocabularyTerms } from '../emit/csdl/vocabulary.js'
import { markdownTable } from './markdown-table.js'

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
