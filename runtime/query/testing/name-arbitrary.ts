import fc from 'fast-check'

/** Names of properties, some of them spelt like operators, functions and lambda operators. */
export const nameArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('displayName', 'mail', 'isRead', '_id', 'größe', '名前', 'A1', 'desc', 'as'),
  fc.constantFrom(
    'eq',
    'and',
    'in',
    'has',
    'contains',
    'startswith',
    'any',
    'all',
    'case',
    'cast',
    'binary',
    'Null',
    'Inf',
  ),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{3,8}$/).filter(name => !/^(?:true|false|null)$/i.test(name)),
)

/** Names that no function has, so that they may stand before a key. */
export const itemNameArbitrary: fc.Arbitrary<string> = fc.constantFrom(
  'users',
  'Items',
  'größe',
  '_set',
  'binary',
  'eq',
)

export const namespaceArbitrary: fc.Arbitrary<string> = fc.constantFrom('ns', 'Contoso.Model', 'größe.x')

export const qualifiedNameArbitrary: fc.Arbitrary<string> = fc
  .tuple(namespaceArbitrary, nameArbitrary)
  .map(([namespace, name]) => `${namespace}.${name}`)

export const annotationNameArbitrary: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(nameArbitrary, qualifiedNameArbitrary), fc.option(nameArbitrary, { nil: undefined }))
  .map(([term, qualifier]) => (qualifier === undefined ? `@${term}` : `@${term}#${qualifier}`))
