/** A term, or a member of a term's record. */
export interface VocabularyEntry {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** A term of the vocabulary `Specwright.V1`. */
export interface VocabularyTerm extends VocabularyEntry {
  readonly appliesTo: readonly string[]
  /** The members of the record that it holds, or of each record of the collection. */
  readonly members?: readonly VocabularyEntry[]
  /** Records inside members, by the member's path: `Filter`, `Filter/Properties`. */
  readonly nested?: Readonly<Record<string, readonly VocabularyEntry[]>>
}

const text = 'Edm.String'
const texts = 'Collection(Edm.String)'
const whole = 'Edm.Int64'
const supportWord = '`required`, `optional` or `none`'

function entry(name: string, type: string, description: string): VocabularyEntry {
  return { name, type, description }
}

const descriptionEntries: readonly VocabularyEntry[] = [
  entry('Description', text, 'What the element is.'),
  entry('Ref', text, 'Its section of the interface.'),
]

const supportEntries: readonly VocabularyEntry[] = [
  entry('Name', text, 'The operator, function, property path or relation.'),
  entry('Support', text, `${supportWord}.`),
]

/**
 * The terms of our own: what a spec can say and no vocabulary of OData can. Together with what the Core, Capabilities and
 * Validation vocabularies say, they hold the whole of a spec.
 */
export const vocabularyTerms: readonly VocabularyTerm[] = [
  {
    ...entry('Ref', text, 'The section of the interface that the element comes from.'),
    appliesTo: ['every element'],
  },
  {
    ...entry('Name', text, 'What it is called in the spec, where that is not its name in CSDL.'),
    appliesTo: ['EntityType', 'ComplexType', 'EnumType', 'TypeDefinition', 'Action', 'Function'],
  },
  {
    ...entry(
      'EntityTag',
      text,
      '`weak` or `strong`: items carry an entity tag of that kind. Inherited by derived types.',
    ),
    appliesTo: ['EntityType'],
  },
  {
    ...entry('MinLength', whole, 'The fewest characters of a string.'),
    appliesTo: ['Property', 'Parameter'],
  },
  {
    ...entry(
      'Required',
      'Edm.Boolean',
      'Whether a create must have it, where that is not what follows from the rest: it is neither nullable nor computed, no collection, and has no default.',
    ),
    appliesTo: ['Property'],
  },
  { ...entry('Unique', 'Core.Tag', 'No two items have the same value.'), appliesTo: ['Property'] },
  {
    ...entry(
      'Returned',
      text,
      '`always`, also when `$select` leaves it out; `onSelect`, only when `$select` names it.',
    ),
    appliesTo: ['Property'],
  },
  {
    ...entry(
      'Stamp',
      text,
      'The service sets it to the current time when the item is `created`, or each time it is `changed`.',
    ),
    appliesTo: ['Property'],
  },
  { ...entry('Search', text, '`$search` matches it by `words` or by `prefix`.'), appliesTo: ['Property'] },
  { ...entry('Index', 'Core.Tag', 'A store should have an index on it.'), appliesTo: ['Property'] },
  { ...entry('NullDefault', 'Core.Tag', 'Its default is null.'), appliesTo: ['Property'] },
  { ...entry('Principal', 'Core.Tag', 'The singleton is the item of the signed-in caller.'), appliesTo: ['Singleton'] },
  {
    ...entry('Format', text, 'What the text of a string parameter must be: `dateTimeOffset`, `date` or `guid`.'),
    appliesTo: ['Parameter'],
  },
  {
    ...entry('Meaning', 'Record', 'The query that the operation is.'),
    appliesTo: ['Action', 'Function'],
    members: [
      entry('Of', text, 'The relation of the bound item from which it starts.'),
      entry('Transitive', 'Core.Tag', 'The relation is followed to its closure.'),
      entry('Filter', text, 'A `$filter` over the related items; parameters are aliases.'),
      entry('Orderby', text, 'Their order.'),
      entry('Value', text, 'The property that is returned; absent: the item itself.'),
      ...descriptionEntries,
    ],
  },
  {
    ...entry('Service', 'Record', 'The service itself.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Name', text, 'Its name in code.'),
      entry('Title', text, 'Its name for people.'),
      entry('Version', text, 'The path segment after the base address.'),
    ],
  },
  {
    ...entry('Authentication', 'Record', 'How callers show who they are.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Scheme', text, '`bearer` or `none`.'),
      entry('Missing', text, 'The error that answers a request without a valid credential.'),
      entry('Insufficient', text, 'The error that answers a credential without the scope.'),
      entry('Scopes', 'Collection(Record)', 'All scopes.'),
      ...descriptionEntries,
    ],
    nested: { Scopes: [entry('Name', text, 'The scope.'), entry('Description', text, 'What it permits.')] },
  },
  {
    ...entry(
      'QueryOptions',
      'Collection(Record)',
      'What endpoints allow of the query language; endpoints name theirs.',
    ),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Name', text, 'The name that endpoints refer to.'),
      entry('Select', text, `${supportWord}.`),
      entry('Filter', 'Record', '`$filter`.'),
      entry('Orderby', 'Record', '`$orderby`.'),
      entry('Expand', 'Record', '`$expand`.'),
      entry('Top', 'Record', '`$top`, and the size of pages.'),
      entry('Skip', text, `${supportWord}.`),
      entry('Count', text, `${supportWord}.`),
      entry('Search', 'Record', '`$search`.'),
      entry('Requires', 'Collection(Record)', 'Constructs that need a header.'),
      ...descriptionEntries,
    ],
    nested: {
      Filter: [
        entry('Support', text, `${supportWord}.`),
        entry('Operators', 'Collection(Record)', 'Operators; those that are absent are `none`.'),
        entry('Functions', 'Collection(Record)', 'Functions, likewise.'),
        entry('Lambdas', 'Collection(Record)', '`any` and `all`, likewise.'),
        entry('Properties', 'Collection(Record)', 'Exceptions by property path.'),
        entry('MaxNodes', whole, 'The largest filter.'),
      ],
      'Filter/Operators': supportEntries,
      'Filter/Functions': supportEntries,
      'Filter/Lambdas': supportEntries,
      'Filter/Properties': [
        ...supportEntries,
        entry('Operators', texts, 'The only operators that it may be an operand of.'),
        entry('Functions', texts, 'The only functions that it may be an argument of.'),
      ],
      Orderby: [
        entry('Support', text, `${supportWord}.`),
        entry('Only', texts, 'The only keys; absent: every primitive property.'),
        entry('Properties', 'Collection(Record)', 'Exceptions by property path.'),
        entry('MaxKeys', whole, 'The most keys.'),
      ],
      'Orderby/Properties': supportEntries,
      Expand: [
        entry('Support', text, `${supportWord}.`),
        entry('Relations', 'Collection(Record)', 'Relations; those that are absent are `none`.'),
        entry('MaxDepth', whole, 'The most levels.'),
        entry('Nested', texts, 'The options allowed inside, without `$`.'),
      ],
      'Expand/Relations': supportEntries,
      Top: [
        entry('Support', text, `${supportWord}.`),
        entry('Default', whole, 'Items a page when `$top` is absent.'),
        entry('Max', whole, 'The most that `$top` may be.'),
        entry('Above', text, 'What `$top` above it gets: `error`, `clamp` or `open`.'),
        entry('Min', whole, 'The least that `$top` may be.'),
      ],
      Search: [
        entry('Support', text, `${supportWord}.`),
        entry('Syntax', text, '`propertyTerms` or `words`.'),
        entry('Join', texts, 'The operators that join terms.'),
        entry('Properties', texts, 'The properties that are searched.'),
      ],
      Requires: [
        entry('When', texts, 'Any of these constructs needs the header; `+` joins those that must all occur.'),
        entry('Header', text, 'The header.'),
        entry('Value', text, 'Its value.'),
        entry('Otherwise', text, 'The error that answers without it.'),
        entry('Open', text, 'The choice that says whether a service demands it at all.'),
        ...descriptionEntries,
      ],
    },
  },
  {
    ...entry('Paths', 'Collection(Record)', 'All paths and their endpoints.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Template', text, 'The path as the spec writes it.'),
      entry('Resource', text, 'Where the path leads, if the template itself does not show it.'),
      entry('Endpoints', 'Collection(Record)', 'Its methods.'),
      ...descriptionEntries,
    ],
    nested: {
      Endpoints: [
        entry('Name', text, 'The name in code.'),
        entry('Method', text, 'The HTTP method.'),
        entry(
          'Kind',
          text,
          '`collection`, `item`, `count`, `delta`, `create`, `update`, `replace`, `delete` or `call`.',
        ),
        entry('Type', text, 'The entity type that is read, created, changed or deleted.'),
        entry('Calls', text, 'The operation that is called.'),
        entry('Query', text, 'The query options that it allows.'),
        entry('Support', text, `${supportWord}.`),
        entry('Status', whole, 'The status of success.'),
        entry('IfMatch', text, `${supportWord}: conditional changes.`),
        entry('IfNoneMatch', text, `${supportWord}: conditional reads.`),
        entry('Absent', whole, 'The status for a single relation that leads to nothing.'),
        entry('Scopes', texts, 'Any of these scopes lets a caller in.'),
        entry('Errors', texts, 'The errors that it adds to those of every endpoint.'),
        entry('Prefer', texts, 'The preferences that it honours.'),
        ...descriptionEntries,
      ],
    },
  },
  {
    ...entry('Preferences', 'Collection(Record)', 'What callers may ask for in the header `Prefer`.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Id', text, 'The name that endpoints refer to.'),
      entry('Name', text, 'The name in the header.'),
      entry('Values', texts, 'The values that it may have.'),
      entry('Default', text, 'What holds without it.'),
      entry('Property', text, 'The property whose format it chooses.'),
      ...descriptionEntries,
    ],
  },
  {
    ...entry('Errors', 'Collection(Record)', 'The errors of the service.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Name', text, 'The name that endpoints, conditions and faults refer to.'),
      entry('Status', whole, 'The HTTP status.'),
      entry('Code', text, 'The code in the error body.'),
      entry('Message', text, 'The message, with `{placeholders}`.'),
      entry('Legal', texts, 'The statuses that another implementation may give instead.'),
      ...descriptionEntries,
    ],
  },
  {
    ...entry('Faults', 'Collection(Record)', 'Which error answers which fault of the protocol.'),
    appliesTo: ['EntityContainer'],
    members: [entry('Fault', text, 'The fault.'), entry('Error', text, 'The error.')],
  },
  {
    ...entry('ErrorBody', 'Record', 'The members of `error` in an error body.'),
    appliesTo: ['EntityContainer'],
    members: [entry('Required', texts, 'Always there.'), entry('Optional', texts, 'Maybe there.')],
  },
  {
    ...entry('Clauses', 'Collection(Record)', 'Sentences of the interface that state behaviour.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Id', text, 'The name of the clause.'),
      entry('Ref', text, 'Its section.'),
      entry('Quote', text, 'Word for word.'),
      entry('Open', text, 'The choice that it leaves, when it demands nothing.'),
    ],
  },
  {
    ...entry('Open', 'Collection(Record)', 'What the interface leaves open.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Name', text, 'The choice.'),
      entry('Legal', 'Collection', 'Everything that is right, texts and numbers.'),
      entry('Reference', 'Edm.PrimitiveType', 'What our own service does.'),
      ...descriptionEntries,
    ],
  },
  {
    ...entry('Profiles', 'Collection(Record)', 'Sets of choices for those who demand more.'),
    appliesTo: ['EntityContainer'],
    members: [entry('Name', text, 'The profile.'), entry('Choices', 'Collection(Record)', 'Its choices.')],
    nested: { Choices: [entry('Choice', text, 'The choice.'), entry('Value', text, 'What the profile demands.')] },
  },
  {
    ...entry('Limits', 'Record', 'The limits of requests.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Url', whole, 'Characters of the request target.'),
      entry('Body', whole, 'Bytes of a request body.'),
      entry('ExpandDepth', whole, 'Depth of `$expand`.'),
    ],
  },
  {
    ...entry('Assumptions', 'Collection(Record)', 'What the spec says though the interface does not.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Element', text, 'Where in the spec.'),
      entry('Why', text, 'Why it is so.'),
      entry('Ref', text, 'The section that leaves it out.'),
    ],
  },
]
