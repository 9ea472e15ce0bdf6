/** How many arguments a canonical function takes: at least, at most. */
export interface Arity {
  readonly least: number
  readonly most: number
}

const none: Arity = { least: 0, most: 0 }
const one: Arity = { least: 1, most: 1 }
const two: Arity = { least: 2, most: 2 }
const twoOrThree: Arity = { least: 2, most: 3 }

/**
 * The canonical functions whose arguments are plain expressions, in lower case. `case`, `cast` and `isof` have a syntax of
 * their own.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.4 to 5.1.1.11
 */
export const canonicalFunctions: ReadonlyMap<string, Arity> = new Map([
  ['concat', two],
  ['contains', two],
  ['endswith', two],
  ['indexof', two],
  ['length', one],
  ['matchespattern', two],
  ['startswith', two],
  ['substring', twoOrThree],
  ['hassubset', two],
  ['hassubsequence', two],
  ['tolower', one],
  ['toupper', one],
  ['trim', one],
  ['date', one],
  ['day', one],
  ['fractionalseconds', one],
  ['hour', one],
  ['maxdatetime', none],
  ['mindatetime', none],
  ['minute', one],
  ['month', one],
  ['now', none],
  ['second', one],
  ['time', one],
  ['totaloffsetminutes', one],
  ['totalseconds', one],
  ['year', one],
  ['ceiling', one],
  ['floor', one],
  ['round', one],
  ['geo.distance', two],
  ['geo.intersects', two],
  ['geo.length', one],
])
