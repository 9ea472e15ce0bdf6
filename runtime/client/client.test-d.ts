import type { EntityShape, ToMany, ToOne } from './entity-shape.js'
import type { FilterBuilder } from './filter.js'
import type { GetOperation } from './operations.js'
import type { ListOperation, PolymorphicListOperation } from './paging.js'
import type { CapabilityTypes, SearchTerms } from './query-options.js'

// The compiler errors of typed queries. This file is compiled by `tsc` and never run. Each `@ts-expect-error` is a rule.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<_ extends true>(): void

interface Address {
  readonly street: string
  readonly country: { readonly code: string; readonly region: { readonly name: string } | null } | null
}
interface Person {
  readonly '@odata.etag'?: string
  readonly id: string
  readonly name: string | null
  readonly age: number
  readonly active: boolean
  readonly status: 'on' | 'off' | (string & Record<never, never>)
  readonly address: Address | null
  readonly phones: readonly string[]
  readonly addresses: readonly Address[]
  readonly place: { readonly type: 'Point'; readonly coordinates: readonly number[] } | null
  /** Returned only when selected. */
  readonly photo?: string | null
}
interface Letter {
  readonly id: string
  readonly subject: string
  readonly sent: string
}
interface PersonShape extends EntityShape {
  readonly properties: Person
  readonly key: 'id'
  readonly navigation: {
    readonly manager: ToOne<PersonShape, true>
    readonly mentor: ToOne<PersonShape>
    readonly letters: ToMany<LetterShape>
    readonly secrets: ToMany<LetterShape>
  }
}
interface LetterShape extends EntityShape {
  readonly properties: Letter
  readonly key: 'id'
  readonly navigation: { readonly author: ToOne<PersonShape, true> }
}

/** All capabilities, at every depth. */
interface Everything extends CapabilityTypes {
  readonly options: 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'skip' | 'count' | 'search'
  readonly filter:
    | 'eq'
    | 'ne'
    | 'gt'
    | 'in'
    | 'has'
    | 'and'
    | 'or'
    | 'not'
    | 'startsWith'
    | 'tolower'
    | 'any'
    | 'all'
    | 'year'
    | 'length'
  readonly unfilterable: never
  readonly through: 'letters' | 'manager'
  readonly orderby: string
  readonly expand: string
  readonly search: SearchTerms<'name'>
  readonly nested: Everything
  readonly prefer: { readonly 'body-content-type'?: 'text' | 'html' }
}
interface Refusing extends Omit<Everything, 'unfilterable'> {
  readonly unfilterable: 'manager/letters'
}
/** Few capabilities. */
interface Little extends CapabilityTypes {
  readonly options: 'select' | 'filter' | 'orderby' | 'expand'
  readonly filter: 'eq'
  readonly unfilterable: 'age'
  readonly through: never
  readonly orderby: 'name'
  readonly expand: 'manager' | 'letters'
  readonly search: never
  readonly nested: Everything
  readonly prefer: object
}

declare const list: ListOperation<[], PersonShape, Everything, 'Gone' | 'Busy'>
declare const refusing: ListOperation<[], PersonShape, Refusing, 'Gone'>
declare const little: ListOperation<[groupId: string], PersonShape, Little, 'Gone'>
declare const get: GetOperation<[id: string], PersonShape, Everything, 'Gone' | 'Busy'>
declare const getManager: GetOperation<[], PersonShape, Everything, 'Gone', undefined>

interface Animal {
  readonly '@odata.type'?: '#zoo.animal' | '#zoo.dog' | '#zoo.puppy' | '#zoo.cat'
  readonly id: string
  readonly name: string
}
interface Dog extends Animal {
  readonly breed: string
  readonly age: number | null
}
interface Puppy extends Dog {
  readonly weeks: number
}
interface Cat extends Animal {
  readonly lives: number
}
interface AnimalShape {
  readonly properties: Animal
  readonly key: 'id'
  readonly navigation: { readonly keeper: ToOne<PersonShape> }
  readonly derived: { readonly 'zoo.dog': DogShape; readonly 'zoo.puppy': PuppyShape; readonly 'zoo.cat': CatShape }
  readonly typeName: 'zoo.animal'
}
interface DogShape {
  readonly properties: Dog
  readonly key: 'id'
  readonly navigation: { readonly keeper: ToOne<PersonShape>; readonly friends: ToMany<AnimalShape> }
  readonly derived: { readonly 'zoo.puppy': PuppyShape }
  readonly typeName: never
}
interface PuppyShape {
  readonly properties: Puppy
  readonly key: 'id'
  readonly navigation: { readonly keeper: ToOne<PersonShape>; readonly friends: ToMany<AnimalShape> }
}
interface CatShape {
  readonly properties: Cat
  readonly key: 'id'
  readonly navigation: { readonly keeper: ToOne<PersonShape>; readonly prey: ToMany<AnimalShape> }
}
/** No casts in filters. */
interface Uncasting extends Omit<Everything, 'unfilterable'> {
  readonly unfilterable: `${string}/${string}`
}

declare const animals: PolymorphicListOperation<[], AnimalShape, Everything, 'Gone'>
declare const dogs: PolymorphicListOperation<[], DogShape, Uncasting, 'Gone'>

type Tag = { readonly '@odata.etag'?: string }

export const narrowed = async (names: readonly ('id' | 'age')[], sometimes: readonly ['id'] | undefined) => {
  const whole = await get('1')
  same<Equal<typeof whole, Person>>()

  const one = await get('1', { select: ['id', 'name'] })
  same<
    Equal<
      typeof one,
      { readonly id: string; readonly name: string | null } & Tag extends infer T ? { [K in keyof T]: T[K] } : never
    >
  >()
  // @ts-expect-error not selected
  one.age

  const selected = await get('1', { select: ['photo'] })
  same<Equal<typeof selected.photo, string | null>>()

  const some = await get('1', { select: names })
  same<Equal<typeof some.id, string | undefined>>()
  const maybe = await get('1', { select: sometimes })
  same<Equal<typeof maybe.id, string>>()

  const deep = await get('1', {
    select: ['id'],
    expand: {
      manager: { select: ['age'], expand: { mentor: { select: ['name'], expand: { letters: true } } } },
      letters: { top: 3, expand: { author: { select: ['id'], expand: { manager: { select: ['active'] } } } } },
    },
  })
  same<Equal<typeof deep.manager, undefined | null | NonNullable<typeof deep.manager>>>()
  const { manager } = deep
  if (manager) {
    same<Equal<typeof manager.age, number>>()
    same<Equal<typeof manager.mentor.name, string | null>>()
    same<Equal<typeof manager.mentor.letters, readonly Letter[]>>()
    // @ts-expect-error not selected at depth 1
    manager.name
    // @ts-expect-error not selected at depth 2
    manager.mentor.age
    // @ts-expect-error not expanded at depth 2
    manager.mentor.manager
  }
  const author = deep.letters[0]?.author
  same<Equal<(typeof deep)['letters@odata.nextLink'], string | undefined>>()
  if (author?.manager) {
    same<Equal<typeof author.id, string>>()
    same<Equal<typeof author.manager.active, boolean>>()
    // @ts-expect-error not selected at depth 3
    author.manager.id
  }
  // @ts-expect-error not expanded
  deep.mentor

  for await (const person of list({ select: ['name'], expand: { letters: { select: ['subject'] } } })) {
    same<Equal<typeof person.name, string | null>>()
    same<Equal<typeof person.letters, readonly { readonly subject: string }[]>>()
    // @ts-expect-error not selected
    person.id
  }
  const page = await list().page()
  same<Equal<typeof page.value, readonly Person[]>>()
  same<Equal<typeof page.count, number | undefined>>()

  const unchanged = await get('1', { select: ['id'], ifNoneMatch: 'W/"1"' })
  // @ts-expect-error undefined if the item has not changed
  unchanged.id
  const perhaps = await get('1', { select: ['id'], ifNoneMatch: unchanged?.['@odata.etag'] })
  // @ts-expect-error undefined if there is a tag and the item has not changed
  perhaps.id
  const absent = await getManager()
  // @ts-expect-error there can be no related item
  absent.id
}

export const errors = async () => {
  const result = await get('1').result()
  if (result.ok) {
    same<Equal<typeof result.value, Person>>()
    // @ts-expect-error no error on success
    return result.error
  }
  // @ts-expect-error no value on failure
  result.value
  const text: string = result.error.code
  switch (result.error.code) {
    case 'Gone':
    case 'Busy':
      return text
    // @ts-expect-error misspelled code
    case 'Gnoe':
      return text
  }
  // @ts-expect-error misspelled code
  if (result.error.code === 'Bussy') return text
  return result.error.details[0]?.target
}

export const filters = () => {
  list({
    filter: f =>
      f.and(
        f.eq('name', null),
        f.eq('address/street', 'x'),
        f.eq('address/country/code', 'x'),
        f.eq('address', null),
        f.eq('manager/name', 'x'),
        f.or(f.gt('age', 5), f.not(f.eq('active', true))),
        f.eq(f.tolower('name'), 'x'),
        f.eq(f.call('length', 'name'), 3),
        f.in('status', ['on', 'later']),
        f.any('phones', phone => phone.eq('$it', 'x')),
        f.any('addresses', address => address.startsWith('country/code', 'x')),
        f.any('letters', letter => letter.eq('author/name', 'x')),
        f.any('manager/letters', letter => letter.eq('subject', 'x')),
        f.any('letters', letter => letter.any('author/phones', phone => phone.eq('$it', 'x'))),
        f.all('letters', letter => f.and(letter.gt('sent', '2024-01-31T12:00Z'), f.eq('age', 1))),
        f.raw('age add 1 gt 2'),
      ),
  })
  list({ filter: () => undefined })
  // @ts-expect-error misspelled property
  list({ filter: f => f.eq('nmae', 'x') })
  // @ts-expect-error misspelled property of a complex type
  list({ filter: f => f.eq('address/steet', 'x') })
  // @ts-expect-error misspelled property of a navigation property
  list({ filter: f => f.eq('manager/nmae', 'x') })
  // @ts-expect-error deeper than three steps
  list({ filter: f => f.eq('address/country/region/name', 'x') })
  // @ts-expect-error misspelled operator
  list({ filter: f => f.equals('name', 'x') })
  // @ts-expect-error misspelled function
  list({ filter: f => f.startWith('name', 'x') })
  // @ts-expect-error an operator that the endpoint doesn't support
  list({ filter: f => f.le('age', 5) })
  // @ts-expect-error a function that the endpoint doesn't support
  list({ filter: f => f.eq(f.call('month', 'name'), 5) })
  // @ts-expect-error misspelled function
  list({ filter: f => f.eq(f.call('lenght', 'name'), 5) })
  // @ts-expect-error text for a number
  list({ filter: f => f.eq('age', '5') })
  // @ts-expect-error a number for text
  list({ filter: f => f.in('name', [5]) })
  // @ts-expect-error null for a property that is not nullable
  list({ filter: f => f.eq('age', null) })
  // @ts-expect-error nothing is greater than null
  list({ filter: f => f.gt('name', null) })
  // @ts-expect-error a complex value
  list({ filter: f => f.eq('address', {}) })
  // @ts-expect-error a text function of a number
  list({ filter: f => f.startsWith('age', 'x') })
  // @ts-expect-error a function's value compared with another type
  list({ filter: f => f.eq(f.tolower('name'), 5) })
  // @ts-expect-error a lambda over a property that isn't a collection
  list({ filter: f => f.any('name', x => x.eq('$it', 'x')) })
  // @ts-expect-error misspelled property in a lambda
  list({ filter: f => f.any('letters', letter => letter.eq('sbject', 'x')) })
  // @ts-expect-error misspelled property behind two navigation properties
  list({ filter: f => f.any('manager/letters', letter => letter.eq('sbject', 'x')) })
  // @ts-expect-error refused behind the navigation property
  refusing({ filter: f => f.any('manager/letters', letter => letter.eq('subject', 'x')) })
  // @ts-expect-error a navigation property that filters can't use
  list({ filter: f => f.any('secrets', secret => secret.eq('subject', 'x')) })
  // @ts-expect-error geo values cannot be compared
  list({ filter: f => f.eq('place/type', 'Point') })
  // @ts-expect-error text isn't a filter
  list({ filter: () => 'age gt 5' })
  // @ts-expect-error a function's value isn't a filter
  list({ filter: f => f.tolower('name') })
  little('1', { filter: f => f.eq('name', 'x') })
  // @ts-expect-error an operator that the endpoint doesn't support
  little('1', { filter: f => f.ne('name', 'x') })
  // @ts-expect-error a property that cannot be filtered here
  little('1', { filter: f => f.eq('age', 5) })
  // @ts-expect-error a navigation property that filters can't use here
  little('1', { filter: f => f.eq('manager/name', 'x') })
}

export const options = () => {
  list({
    orderby: ['name', 'age desc', 'address/street asc'],
    search: { name: ['x', 'y'] },
    top: 5,
    skip: 5,
    count: true,
  })
  list({ prefer: { 'body-content-type': 'text' }, signal: new AbortController().signal, headers: { 'x-a': 'b' } })
  // @ts-expect-error misspelled property
  list({ select: ['nmae'] })
  // @ts-expect-error a navigation property isn't a property
  list({ select: ['manager'] })
  // @ts-expect-error an annotation isn't a property
  list({ select: ['@odata.etag'] })
  // @ts-expect-error misspelled property
  list({ orderby: ['nmae desc'] })
  // @ts-expect-error misspelled direction
  list({ orderby: ['name down'] })
  // @ts-expect-error misspelled option
  list({ slect: ['id'] })
  // @ts-expect-error misspelled option among others
  list({ select: ['id'], tpo: 5 })
  // @ts-expect-error not searched
  list({ search: { age: 'x' } })
  // @ts-expect-error misspelled preference
  list({ prefer: { 'body-content-typ': 'text' } })
  // @ts-expect-error misspelled value of a preference
  list({ prefer: { 'body-content-type': 'txt' } })
  // @ts-expect-error filter isn't an option of a single item
  get('1', { filter: f => f.eq('id', '1') })
  // @ts-expect-error top isn't an option of a single item
  get('1', { top: 5 })
  // @ts-expect-error an option that the endpoint doesn't support
  little('1', { top: 5 })
  // @ts-expect-error an option that the endpoint doesn't support
  little('1', { search: { name: 'x' } })
  // @ts-expect-error a property that cannot be sorted by here
  little('1', { orderby: ['age'] })
  // @ts-expect-error without its key
  little({ select: ['id'] })
  // @ts-expect-error a key of another type
  get(1)
}

export const expansions = () => {
  // @ts-expect-error misspelled navigation property
  list({ expand: { lettres: true } })
  // @ts-expect-error misspelled navigation property among others
  list({ expand: { letters: true, mangaer: true } })
  // @ts-expect-error a property isn't a navigation property
  list({ expand: { name: true } })
  // @ts-expect-error a navigation property that cannot be expanded here
  little('1', { expand: { mentor: true } })
  // @ts-expect-error misspelled option at depth 1
  list({ expand: { letters: { slect: ['id'] } } })
  // @ts-expect-error misspelled option among others at depth 1
  list({ expand: { letters: { select: ['id'], tpo: 1 } } })
  // @ts-expect-error misspelled property at depth 1
  list({ expand: { letters: { select: ['sbject'] } } })
  // The type of the builder follows from the navigation property.
  list({ expand: { letters: { filter: f => f.eq('subject', 'x') } } })
  // @ts-expect-error misspelled property in a filter at depth 1
  list({ expand: { letters: { filter: f => f.eq('sbject', 'x') } } })
  // @ts-expect-error a single related item is not paged
  list({ expand: { manager: { top: 1 } } })
  // @ts-expect-error misspelled navigation property at depth 2
  list({ expand: { letters: { expand: { auhtor: true } } } })
  // @ts-expect-error misspelled navigation property among others at depth 2
  list({ expand: { manager: { expand: { mentor: true, lettres: true } } } })
  // @ts-expect-error misspelled property at depth 2
  list({ expand: { letters: { expand: { author: { select: ['nmae'] } } } } })
  // @ts-expect-error misspelled option at depth 3
  list({ expand: { letters: { expand: { author: { expand: { letters: { selct: ['id'] } } } } } } })
  // @ts-expect-error misspelled property at depth 3
  list({ expand: { letters: { expand: { author: { expand: { manager: { select: ['nmae'] } } } } } } })
}

export const derivedTypes = async () => {
  for await (const animal of animals()) {
    same<Equal<typeof animal.name, string>>()
    if (animal['@odata.type'] === '#zoo.dog') same<Equal<typeof animal.breed, string>>()
    else if (animal['@odata.type'] === '#zoo.puppy') same<Equal<typeof animal.weeks, number>>()
    else if (animal['@odata.type'] === '#zoo.cat') same<Equal<typeof animal.lives, number>>()
    else same<Equal<(typeof animal)['@odata.type'], '#zoo.animal' | undefined>>()
    // @ts-expect-error only a dog has it
    animal.breed
  }
  const query = {
    select: ['id', 'zoo.dog/breed', 'zoo.puppy/weeks'],
    expand: { 'zoo.dog/friends': { select: ['zoo.cat/lives'] }, keeper: { select: ['id'] } },
    orderby: ['zoo.dog/age desc', 'name'],
  } as const
  for await (const animal of animals({ ...query, filter: f => f.gt('zoo.dog/age', 3) })) {
    same<Equal<typeof animal.keeper.id, string>>()
    if (animal['@odata.type'] === '#zoo.puppy') {
      same<Equal<typeof animal.breed, string>>()
      same<Equal<typeof animal.weeks, number>>()
      // @ts-expect-error not selected
      animal.age
      for (const friend of animal.friends)
        if (friend['@odata.type'] === '#zoo.cat') same<Equal<typeof friend.lives, number>>()
    } else if (animal['@odata.type'] === '#zoo.dog') {
      // @ts-expect-error of a puppy only
      animal.weeks
    } else {
      // @ts-expect-error of a dog only
      animal.friends
    }
  }
  for await (const dog of dogs()) same<Equal<(typeof dog)['@odata.type'], '#zoo.puppy'>>()
  // @ts-expect-error a property of another derived type
  animals({ select: ['zoo.dog/lives'] })
  // @ts-expect-error a property that the type itself has needs no cast
  animals({ select: ['zoo.dog/name'] })
  // @ts-expect-error a navigation property of another derived type
  animals({ expand: { 'zoo.cat/friends': true } })
  // @ts-expect-error a misspelled option behind a cast
  animals({ expand: { 'zoo.dog/friends': { slect: ['id'] } } })
  // @ts-expect-error not a type
  animals({ orderby: ['zoo.bird/age'] })
  // @ts-expect-error a property of another derived type
  animals({ filter: f => f.eq('zoo.cat/age', 3) })
  // @ts-expect-error the endpoint allows no casts in filters
  dogs({ filter: f => f.eq('zoo.puppy/weeks', 3) })
}

/** The builder is generic: it rejects the properties of another type. */
export const builders = (f: FilterBuilder<Letter, 'eq'>) => {
  f.eq('subject', 'x')
  // @ts-expect-error a property of another type
  f.eq('age', 5)
}

export const stars = async () => {
  const whole = await get('1', { select: ['*'] })
  same<Equal<typeof whole, Person>>()
  // With names beside it, what is returned only when selected is there.
  const more = await get('1', { select: ['*', 'photo'] })
  same<Equal<typeof more.photo, string | null>>()
  same<Equal<typeof more.age, number>>()
  // @ts-expect-error a misspelt name beside it
  get('1', { select: ['*', 'fotos'] })

  const [all] = (await little('1', { select: ['id'], expand: { '*': true } }).page()).value
  same<Equal<NonNullable<typeof all>['letters'], readonly Letter[] | null | undefined>>()
  same<Equal<NonNullable<typeof all>['letters@odata.nextLink'], string | undefined>>()
  // @ts-expect-error it was not selected
  all?.name
  const some = await get('1', { select: ['id'], expand: { '*': true, letters: { select: ['subject'] } } })
  same<Equal<typeof some.letters, readonly { readonly subject: string }[]>>()
  same<Equal<NonNullable<typeof some.mentor>['age'], number>>()
  // @ts-expect-error it has no options
  get('1', { expand: { '*': { select: ['id'] } } })
  // @ts-expect-error not a relation of the item
  get('1', { expand: { '*': true, letter: true } })

  const nested = await get('1', { expand: { mentor: { expand: { '*': true, manager: { select: ['age'] } } } } })
  same<Equal<typeof nested.mentor.letters, readonly Letter[] | null | undefined>>()
  same<Equal<NonNullable<typeof nested.mentor.manager>['age'], number>>()

  for await (const animal of animals({ select: ['*'], expand: { '*': true } })) {
    same<Equal<NonNullable<typeof animal.keeper>, Person>>()
    if (animal['@odata.type'] === '#zoo.cat') same<Equal<typeof animal.lives, number>>()
  }
}
