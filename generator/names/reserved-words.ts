const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Words that cannot name anything in a strict ECMAScript module. */
export const reservedWords: ReadonlySet<string> = words(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    'NaN Infinity globalThis',
)

/** Words that cannot name a type. */
export const reservedTypeNames: ReadonlySet<string> = words(
  'any bigint boolean never number object string symbol unknown undefined',
)
