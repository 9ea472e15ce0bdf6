// Generated from runtime/query/functions.ts by `npm run docs`. Do not edit.

interface Callable<Of, With extends readonly unknown[], Returns> {
  readonly of: Of
  readonly with: With
  readonly returns: Returns
}

/**
 * The functions that a filter can call by name: the operand type, the further arguments and the result type. Dates,
 * times and durations are strings. `startsWith`, `endsWith`, `contains` and `tolower` are members of the builder.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5 to 5.1.1.9
 */
export interface CanonicalFunctions {
  readonly concat: Callable<string, [text: string], string>
  readonly indexof: Callable<string, [text: string], number>
  readonly length: Callable<string, [], number>
  readonly substring: Callable<string, [start: number, length?: number], string>
  readonly toupper: Callable<string, [], string>
  readonly trim: Callable<string, [], string>
  readonly matchespattern: Callable<string, [pattern: string], boolean>
  readonly year: Callable<string, [], number>
  readonly month: Callable<string, [], number>
  readonly day: Callable<string, [], number>
  readonly hour: Callable<string, [], number>
  readonly minute: Callable<string, [], number>
  readonly second: Callable<string, [], number>
  readonly fractionalseconds: Callable<string, [], number>
  readonly totalseconds: Callable<string, [], number>
  readonly totaloffsetminutes: Callable<string, [], number>
  readonly round: Callable<number, [], number>
  readonly floor: Callable<number, [], number>
  readonly ceiling: Callable<number, [], number>
}
