import { type VocabularyEntry, type VocabularyTerm, vocabularyTerms } from '../emit/csdl/vocabulary.js'
import { markdownTable } from './markdown-table.js'

const opening = `# The vocabulary Specwright.V1

CSDL says what the types of a service are, and the vocabularies of OData what may be done with them. A spec says more:
which construct needs which header, how long pages are, which errors there are, what is left open. So that nothing is lost
on the way through CSDL, the exported documents carry it in terms of a vocabulary of our own, beside what the standard ones
can say. Readers that do not know these terms pass over them, as CSDL demands.

This page is made from \`generator/emit/csdl/vocabulary.ts\`.

## What the standard says

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
| operations that need scopes | \`Capabilities.OperationRestrictions\` |

Two facets are written though a spec is silent on them, since CSDL's own defaults say something else: \`Scale\` is
\`variable\` for a decimal number, and \`Precision\` is 12 for times. Characters that XML 1.0 cannot hold are replaced by
U+FFFD in the XML form; the JSON form keeps them.

## The way back

\`specwright import\` reads both forms. What was exported from a spec comes back as the same model: the same types, paths,
query options, errors, open choices and assumptions. What a spec only writes differently is not kept: comments, the file
that \`interface\` names, short forms (\`true\` for \`optional\`, query options without their defaults), and the two facets
above, whose values there mean the same as silence. A document that was imported and is exported again stays as it is from
then on.

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
