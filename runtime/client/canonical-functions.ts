interface TextFunction<Returns, With extends readonly unknown[] = []> {
  readonly of: string
  readonly with: With
  readonly returns: Returns
}

interface NumberFunction {
  readonly of: number
  readonly with: []
  readonly returns: number
}

/**
 * The functions that a filter may call by name: what they are called on, with what more, and what they return. Dates,
 * times and durations are text. `startsWith`, `endsWith`, `contains` and `tolower` are members of the builder.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5 to 5.1.1.9
 */
export interface CanonicalFunctions {
  readonly concat: TextFunction<string, [text: string]>
  readonly indexof: TextFunction<number, [text: string]>
  readonly length: TextFunction<number>
  readonly substring: TextFunction<string, [start: number, length?: number]>
  readonly toupper: TextFunction<string>
  readonly trim: TextFunction<string>
  readonly matchespattern: TextFunction<boolean, [pattern: string]>
  readonly year: TextFunction<number>
  readonly month: TextFunction<number>
  readonly day: TextFunction<number>
  readonly hour: TextFunction<number>
  readonly minute: TextFunction<number>
  readonly second: TextFunction<number>
  readonly fractionalseconds: TextFunction<number>
  readonly totalseconds: TextFunction<number>
  readonly totaloffsetminutes: TextFunction<number>
  readonly round: NumberFunction
  readonly floor: NumberFunction
  readonly ceiling: NumberFunction
}
