/** A term, or a member of a term's record. */
export interface VocabularyEntry {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** A term of the vocabulary `Specwright.V1`. */
export interface VocabularyTerm extends VocabularyEntry {
  readonly appliesTo: readonly string[]
  /** The members of its record, or of each record of its collection. */
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
  entry('Description', text, 'A description of the element.'),
  entry('Ref', text, 'Its section of the interface.'),
]

const supportEntries: readonly VocabularyEntry[] = [
  entry('Name', text, 'The operator, function, property path or relation.'),
  entry('Support', text, `${supportWord}.`),
]

/**
 * Our own terms, for what a spec can express and no vocabulary of OData can. Together with the Core, Capabilities and
 * Validation vocabularies, they contain the whole spec.
 */
export const vocabularyTerms: readonly VocabularyTerm[] = [
  {
    ...entry('Ref', text, 'The section of the interface that the element comes from.'),
    appliesTo: ['every element'],
  },
  {
    ...entry('Rename', text, 'The name in TypeScript, if it does not follow from the name in the spec.'),
    appliesTo: [
      ...['EntityType', 'ComplexType', 'EnumType', 'Member', 'TypeDefinition', 'NavigationProperty'],
      ...['EntitySet', 'Singleton', 'Action', 'Function'],
    ],
  },
  {
    ...entry('Name', text, 'The name in the spec, if it differs from the name in CSDL.'),
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
    ...entry('Keyless', 'Core.Tag', 'Its items have no key: collections of them are lists without paths to items.'),
    appliesTo: ['EntityType'],
  },
  {
    ...entry('MinLength', whole, 'The minimum number of characters of a string.'),
    appliesTo: ['Property', 'Parameter'],
  },
  {
    ...entry(
      'Required',
      'Edm.Boolean',
      'Whether a create must include it. Present only if it differs from the default: required if the property is single, not nullable, not computed and has no default.',
    ),
    appliesTo: ['Property'],
  },
  { ...entry('Unique', 'Core.Tag', 'No two items have the same value.'), appliesTo: ['Property'] },
  {
    ...entry('Returned', text, '`always`: even if `$select` omits it. `onSelect`: only if `$select` names it.'),
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
  {
    ...entry('Utc', 'Core.Tag', 'The value is in UTC: responses write it with the offset `Z` or `+00:00`.'),
    appliesTo: ['Property'],
  },
  { ...entry('Search', text, '`$search` matches it by `words` or by `prefix`.'), appliesTo: ['Property'] },
  { ...entry('Index', 'Core.Tag', 'A store should have an index on it.'), appliesTo: ['Property'] },
  { ...entry('NullDefault', 'Core.Tag', 'Its default is null.'), appliesTo: ['Property'] },
  { ...entry('Principal', 'Core.Tag', 'The singleton is the item of the signed-in caller.'), appliesTo: ['Singleton'] },
  {
    ...entry('Format', text, 'The format of a string parameter: `dateTimeOffset`, `date` or `guid`.'),
    appliesTo: ['Parameter'],
  },
  {
    ...entry('Definition', text, 'The value of the function: an expression on the bound item. Parameters are aliases.'),
    appliesTo: ['Function'],
  },
  {
    ...entry('Meaning', 'Record', 'The query that defines the operation.'),
    appliesTo: ['Action', 'Function'],
    members: [
      entry('Of', text, 'The relation of the bound item where the query starts.'),
      entry('Transitive', 'Core.Tag', 'Follows the relation transitively.'),
      entry('Filter', text, 'A `$filter` over the related items. Parameters are aliases.'),
      entry('Orderby', text, 'Their order.'),
      entry('Value', text, 'The property that is returned. Absent: the item itself.'),
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
    ...entry('Authentication', 'Record', 'How callers authenticate.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Scheme', text, '`bearer` or `none`.'),
      entry('Missing', text, 'The error for a request without a valid credential.'),
      entry('Insufficient', text, 'The error for a credential without the scope.'),
      entry('Scopes', 'Collection(Record)', 'All scopes.'),
      ...descriptionEntries,
    ],
    nested: { Scopes: [entry('Name', text, 'The scope.'), entry('Description', text, 'What it permits.')] },
  },
  {
    ...entry('QueryOptions', 'Collection(Record)', 'Sets of query options. Endpoints refer to them by name.'),
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
      entry('Compute', text, `${supportWord}. Absent: \`none\`.`),
      entry('Apply', 'record', 'Absent: not supported.'),
      entry('Search', 'Record', '`$search`.'),
      entry('Requires', 'Collection(Record)', 'Constructs that need a header.'),
      ...descriptionEntries,
    ],
    nested: {
      Filter: [
        entry('Support', text, `${supportWord}.`),
        entry('Operators', 'Collection(Record)', 'Operators. Absent ones are `none`.'),
        entry('Functions', 'Collection(Record)', 'Functions, likewise.'),
        entry('Lambdas', 'Collection(Record)', '`any` and `all`, likewise.'),
        entry('Properties', 'Collection(Record)', 'Exceptions by property path.'),
        entry('MaxNodes', whole, 'The maximum number of nodes of a filter.'),
      ],
      'Filter/Operators': supportEntries,
      'Filter/Functions': supportEntries,
      'Filter/Lambdas': supportEntries,
      'Filter/Properties': [
        ...supportEntries,
        entry('Operators', texts, 'The only operators allowed on it.'),
        entry('Functions', texts, 'The only functions allowed on it.'),
      ],
      Orderby: [
        entry('Support', text, `${supportWord}.`),
        entry('Only', texts, 'The only sort keys. Absent: every primitive property.'),
        entry('Properties', 'Collection(Record)', 'Exceptions by property path.'),
        entry('MaxKeys', whole, 'The maximum number of sort keys.'),
      ],
      'Orderby/Properties': supportEntries,
      Expand: [
        entry('Support', text, `${supportWord}.`),
        entry(
          'Relations',
          'Collection(Record)',
          'Relations. Absent ones are `none`. Without this member, every relation is allowed.',
        ),
        entry('MaxDepth', whole, 'The maximum number of levels.'),
        entry('Nested', texts, 'The options allowed inside, without `$`.'),
        entry('Scopes', 'Collection(Record)', 'The scopes to read related items, where the spec declares them.'),
      ],
      'Expand/Relations': supportEntries,
      'Expand/Scopes': [
        entry('Name', text, 'The path of the relation.'),
        entry('Scopes', texts, 'The scopes, of which a caller needs one.'),
      ],
      Top: [
        entry('Support', text, `${supportWord}.`),
        entry('Default', whole, 'Items of a page if `$top` is absent.'),
        entry('Max', whole, 'The largest `$top`.'),
        entry('Above', text, 'The response to a larger `$top`: `error`, `clamp` or `open`.'),
        entry('Min', whole, 'The smallest `$top`.'),
      ],
      Apply: [
        entry('Support', text, `${supportWord}.`),
        entry('Transformations', texts, 'The names of the transformations.'),
        entry('Rollup', 'Edm.Boolean', 'Whether `groupby` allows `rollup`.'),
        entry('Groupable', texts, 'The properties to group by. Absent: all.'),
        entry('Aggregatable', texts, 'The properties that `aggregate` can use. Absent: all.'),
      ],
      Search: [
        entry('Support', text, `${supportWord}.`),
        entry('Syntax', text, '`propertyTerms` or `words`.'),
        entry('Join', texts, 'The operators that join terms.'),
        entry('Properties', texts, 'The properties that are searched.'),
      ],
      Requires: [
        entry(
          'When',
          texts,
          'Any of these constructs needs the header. `+` joins constructs that need it only together.',
        ),
        entry('Header', text, 'The header.'),
        entry('Value', text, 'Its value.'),
        entry('Otherwise', text, 'The error without the header.'),
        entry('Open', text, 'The choice that states whether a service requires the header at all.'),
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
          '`collection`, `item`, `count`, `delta`, `create`, `update`, `replace`, `delete` or `call`; `createMedia`, `readStream`, `replaceStream` or `deleteStream` for streams.',
        ),
        entry('Type', text, 'The entity type that is read, created, changed or deleted.'),
        entry('Calls', text, 'The operation that is called.'),
        entry('Query', text, 'The query options that it allows.'),
        entry('Support', text, `${supportWord}.`),
        entry('Status', whole, 'The status of success.'),
        entry('IfMatch', text, `${supportWord}: conditional changes.`),
        entry('IfNoneMatch', text, `${supportWord}: conditional reads.`),
        entry('Absent', whole, 'The status for a single relation without a related item.'),
        entry('Scopes', texts, 'The scopes, of which a caller needs one.'),
        entry('Errors', texts, 'The errors that it adds to those of every endpoint.'),
        entry('Prefer', texts, 'The preferences that it honours.'),
        ...descriptionEntries,
      ],
    },
  },
  {
    ...entry('Preferences', 'Collection(Record)', 'The preferences of the header `Prefer`.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Id', text, 'The name that endpoints refer to.'),
      entry('Name', text, 'The name in the header.'),
      entry('Values', texts, 'The values that it may have.'),
      entry('Default', text, 'The value without the header.'),
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
      entry('Legal', texts, 'The statuses that another implementation may return instead.'),
      ...descriptionEntries,
    ],
  },
  {
    ...entry('Faults', 'Collection(Record)', 'The error for each fault of the protocol.'),
    appliesTo: ['EntityContainer'],
    members: [entry('Fault', text, 'The fault.'), entry('Error', text, 'The error.')],
  },
  {
    ...entry('ErrorBody', 'Record', 'The members of `error` in an error body.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Required', texts, 'Members that are always present.'),
      entry('Optional', texts, 'Members that may be present.'),
    ],
  },
  {
    ...entry('Clauses', 'Collection(Record)', 'Sentences of the interface that state behaviour.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Id', text, 'The name of the clause.'),
      entry('Ref', text, 'Its section.'),
      entry('Quote', text, 'The sentence, word for word.'),
      entry('Aspects', 'Collection', 'What the sentence is about.'),
      entry('Open', text, 'The choice that it leaves, if it requires nothing.'),
    ],
  },
  {
    ...entry('Open', 'Collection(Record)', 'What the interface leaves open.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Name', text, 'The choice.'),
      entry('Legal', 'Collection', 'All legal values, texts and numbers.'),
      entry('Reference', 'Edm.PrimitiveType', 'The choice of the reference service.'),
      ...descriptionEntries,
    ],
  },
  {
    ...entry('Profiles', 'Collection(Record)', 'Named sets of required choices.'),
    appliesTo: ['EntityContainer'],
    members: [entry('Name', text, 'The profile.'), entry('Choices', 'Collection(Record)', 'Its choices.')],
    nested: {
      Choices: [entry('Choice', text, 'The choice.'), entry('Value', text, 'The value that the profile requires.')],
    },
  },
  {
    ...entry('Features', 'Record', 'Support for what OData defines for whole services. What is absent is `none`.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('PropertyPaths', text, `${supportWord}: paths to the properties of items.`),
      entry('Bind', text, `${supportWord}: bodies link existing items by their URLs.`),
      entry('References', text, `${supportWord}: paths to the links of relations, \`$ref\`.`),
      entry('DeepInsert', text, `${supportWord}: a create contains related items.`),
      entry('DeepUpdate', text, `${supportWord}: a PATCH or PUT contains related items.`),
      entry('Upsert', text, `${supportWord}: an update of an absent item creates it.`),
      entry('Batch', text, `${supportWord}: several requests in one, as JSON.`),
      entry('TrackChanges', text, `${supportWord}: lists accept \`Prefer: odata.track-changes\`.`),
      entry('OmitValues', text, `${supportWord}: reads accept \`Prefer: omit-values\`.`),
      entry('RespondAsync', text, `${supportWord}: requests with \`Prefer: respond-async\` get a status monitor.`),
    ],
  },
  {
    ...entry('Limits', 'Record', 'The limits of requests.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Url', whole, 'Characters of the request target.'),
      entry('Body', whole, 'Bytes of a request body.'),
      entry('Stream', whole, 'Bytes of a stream that a request sends.'),
      entry('NestedItems', whole, 'Related items in the body of a write.'),
      entry('IndexedWords', whole, 'Words that one write adds to what `$search` looks in.'),
      entry('DeletedItems', whole, 'Items that one write deletes, with those that they contain.'),
      entry('FilterNodes', whole, 'Nodes of the syntax trees of a query.'),
      entry('LambdaDepth', whole, 'Nesting of `any` and `all` in a filter.'),
      entry('ListItems', whole, 'Items of all lists in a filter.'),
      entry('PatternLength', whole, 'Characters of a pattern.'),
      entry('PatternSteps', whole, 'Steps of matching patterns for one page.'),
      entry('OrderbyItems', whole, 'Items of `$orderby`.'),
      entry('ExpandDepth', whole, 'Depth of `$expand`.'),
      entry('ExpandedRelations', whole, 'Relations in all `$expand` of a query.'),
      entry('ExpandedItems', whole, 'Items that `$expand` adds to one response.'),
      entry('SearchWords', whole, 'Words in `$search`.'),
      entry('ResponseBytes', whole, 'Bytes of the items of one response.'),
    ],
  },
  {
    ...entry('Assumptions', 'Collection(Record)', 'What the spec states although the interface does not.'),
    appliesTo: ['EntityContainer'],
    members: [
      entry('Element', text, 'The place in the spec.'),
      entry('Why', text, 'The reason.'),
      entry('Ref', text, 'The section of the interface that omits it.'),
    ],
  },
]
