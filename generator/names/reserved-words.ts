/** Words that cannot name a constant or an interface in a strict ECMAScript module or in TypeScript. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    'any bigint boolean never number object string symbol unknown NaN Infinity globalThis'
  ).split(' '),
)
