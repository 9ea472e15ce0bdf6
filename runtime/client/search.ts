/** Terms by property, `{ displayName: 'ada', mail: ['x', 'y'] }`: an item matches when any of them does. */
export type SearchTerms<Property extends string> = { readonly [P in Property]?: string | readonly string[] | undefined }

/** Text to be found as it stands. */
export type SearchWords = string

// OData 4.01 has no way to write a double quote in a phrase, and for some services a backslash escapes. Neither is part of
// a word, so a space finds the same.
const phrase = (text: string): string => `"${text.replace(/["\\]/g, ' ')}"`

/**
 * What is searched for, in the query language.
 *
 * @see OData 4.01 URL Conventions, 5.1.7
 */
export const searchText = (search: SearchWords | SearchTerms<string>): string =>
  typeof search === 'string'
    ? phrase(search)
    : Object.entries(search)
        .flatMap(([property, terms = []]) => [terms].flat().map(term => phrase(`${property}:${term}`)))
        .join(' OR ')
