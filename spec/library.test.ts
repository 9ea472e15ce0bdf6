import { describe, expect, it } from 'vitest'
import { type Facets, loadSpec, type Property, primitiveTypeNames, type Service } from './language/index.js'

const { service, diagnostics } = await loadSpec(new URL('./library.yaml', import.meta.url).pathname)

const properties = (described: Service): readonly (Property & Facets)[] =>
  [...described.entityTypes, ...described.complexTypes].flatMap(({ ownProperties }) => ownProperties)

const navigation = (described: Service) =>
  described.entityTypes.flatMap(type => type.ownNavigation.map(own => ({ type, own })))

describe('the Library spec', () => {
  it('is valid without a warning', () => {
    expect(diagnostics).toEqual([])
  })

  it.each(primitiveTypeNames)('has an Edm.%s', name => {
    const definitions = service?.typeDefinitions.filter(({ underlying }) => underlying === name) ?? []
    const uses = service
      ? properties(service).filter(({ type }) => type.kind === 'primitive' && type.name === name)
      : []
    expect(definitions.length + uses.length).toBeGreaterThan(0)
  })

  it.each<readonly [what: string, has: (described: Service) => boolean]>([
    ['no credentials', ({ authentication }) => authentication.scheme === 'none'],
    ['no header condition', described => described.queryCapabilities.every(({ requires }) => requires.length === 0)],
    ['a composite key', ({ entityTypes }) => entityTypes.some(({ key }) => key.length > 1)],
    ['a key in parentheses', ({ paths }) => paths.some(({ template }) => template.startsWith('/copies(isbn={isbn},'))],
    ['two keys in a path', ({ endpoints }) => endpoints.some(({ keys }) => keys.length === 2)],
    ['an enumeration of flags', ({ enumTypes }) => enumTypes.some(({ flags }) => flags)],
    ['an enumeration of bytes', ({ enumTypes }) => enumTypes.some(({ underlying }) => underlying === 'Byte')],
    ['an abstract entity type', ({ entityTypes }) => entityTypes.some(({ abstract }) => abstract)],
    [
      'a derived entity type',
      ({ entityTypes }) => entityTypes.some(({ base }) => base !== undefined && !base.abstract),
    ],
    ['a derived complex type', ({ complexTypes }) => complexTypes.some(({ base }) => base !== undefined)],
    [
      'a type definition as a key',
      ({ entityTypes }) => entityTypes.some(({ key }) => key[0]?.type.kind === 'typeDefinition'),
    ],
    ['complex values three deep', ({ complexTypes }) => complexTypes.some(type => depth(type.properties) >= 2)],
    ['a relation to its own type', described => navigation(described).some(({ type, own }) => own.type === type)],
    [
      'a relation of many to many',
      described => navigation(described).some(({ own }) => own.collection && own.partner?.collection),
    ],
    ['a composite constraint', described => navigation(described).some(({ own }) => own.constraint.length > 1)],
    [
      'a singleton that is nobody',
      ({ container }) => container.some(element => element.kind === 'singleton' && !element.principal),
    ],
    [
      'a cast in a path',
      ({ endpoints }) => endpoints.some(({ resolved }) => resolved.some(({ kind }) => kind === 'cast')),
    ],
    ['strong entity tags', ({ entityTypes }) => entityTypes.some(({ entityTag }) => entityTag === 'strong')],
    [
      'changes that need If-Match',
      ({ endpoints }) => endpoints.some(each => each.kind === 'update' && each.ifMatch === 'required'),
    ],
    ['replacement', ({ endpoints }) => endpoints.some(({ kind }) => kind === 'replace')],
    ['timestamps that the service sets', described => properties(described).some(({ stamp }) => stamp === 'changed')],
    [
      'a property returned only when selected',
      described => properties(described).some(({ returned }) => returned === 'onSelect'),
    ],
    [
      'arithmetic',
      described => described.queryCapabilities.some(({ filter }) => filter.operators['mod'] === 'optional'),
    ],
    [
      'lambdas over all',
      described => described.queryCapabilities.some(({ filter }) => filter.lambdas['all'] === 'optional'),
    ],
    [
      'properties that no filter takes',
      described => described.queryCapabilities.some(({ filter }) => filter.properties['summary']?.support === 'none'),
    ],
    ['expansion three deep', described => described.queryCapabilities.some(({ expand }) => expand.maxDepth === 3)],
    [
      'search by words',
      described =>
        described.queryCapabilities.some(({ search }) => search.support === 'required' && search.syntax === 'words'),
    ],
    [
      'a function with a meaning',
      ({ operations }) => operations.some(({ kind, meaning }) => kind === 'function' && meaning !== undefined),
    ],
    [
      'an action with a meaning',
      ({ operations }) => operations.some(({ kind, meaning }) => kind === 'action' && meaning !== undefined),
    ],
    [
      'a function without one',
      ({ operations }) => operations.some(({ kind, meaning }) => kind === 'function' && !meaning),
    ],
    [
      'an action without one',
      ({ operations }) => operations.some(({ kind, meaning }) => kind === 'action' && !meaning),
    ],
    [
      'a function of the whole service',
      ({ operations }) => operations.some(({ kind, binding }) => kind === 'function' && !binding),
    ],
    ['a function of a collection', ({ operations }) => operations.some(({ binding }) => binding?.collection === true)],
    [
      'an action that returns nothing',
      ({ operations }) => operations.some(({ kind, returns }) => kind === 'action' && !returns),
    ],
    ['an error that is built in', ({ faults }) => faults.pathNotFound.builtIn],
    ['an error of its own', ({ faults }) => faults.preconditionRequired.code === 'unconditional'],
  ])('has %s', (_, has) => {
    expect(service && has(service)).toBe(true)
  })
})

/** How deep complex types lie in each other below those properties. */
function depth(of: readonly Property[]): number {
  return Math.max(0, ...of.map(({ type }) => (type.kind === 'complexType' ? 1 + depth(type.properties) : 0)))
}
