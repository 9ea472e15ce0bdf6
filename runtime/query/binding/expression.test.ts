import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../query-string.js'
import { libraryScope, libraryTypes } from '../testing/library-types.js'
import { bindQuery } from './query.js'

function bind(filter: string, aliases = '') {
  const { options } = parseQueryOptions(`$filter=${encodeURIComponent(filter)}${aliases}`)
  return bindQuery(options, libraryTypes, 'book', libraryScope)
}

const fitting = [
  // names and paths
  "title eq 'x'",
  "publisher/city eq 'x'",
  "prequel/prequel/title eq 'x'",
  "prequel/publisher/city eq 'x'",
  "$it/title eq 'x'",
  "$this/title eq 'x'",
  "library.audioBook/narrator eq 'x'",
  'inPrint',
  'not inPrint',
  'null',
  // null fits everything that is one value
  'title eq null',
  'null ne pages',
  'prequel eq null',
  'publisher ne null',
  'cover eq null',
  "cover eq binary'AAEC'",
  "cover in (binary'AAEC',null)",
  'scan eq null',
  'origin ne null',
  'pages gt null',
  'genre in (null)',
  // numbers fit each other
  'pages eq 1.5',
  'price gt 1',
  'weight lt 1e3',
  'weight eq INF',
  'rating ge NaN',
  'sold eq 12345678901234567890',
  'pages add 1 gt price mul 2',
  'pages div 2 eq 1 and pages divby 2 eq 1.5 and pages mod 2 eq 0',
  '-pages lt -1',
  // string literals are cast to the other side's type
  'edition eq 184efa21-98c3-4e5d-95ab-d07053a96e67',
  "edition eq '184EFA21-98c3-4e5d-95ab-d07053a96e67'",
  "'184efa21-98c3-4e5d-95ab-d07053a96e67' eq edition",
  "published ge '2024-02-29'",
  "changed lt '2024-01-01T00:00:00Z'",
  "opens eq '08:30:00'",
  "readingTime gt 'PT2H'",
  "readingTime gt duration'PT2H'",
  "genre eq 'novel'",
  "genre eq library.genre'poetry'",
  "genre eq '1'",
  "formats eq 'paper,audio'",
  "edition in ('184efa21-98c3-4e5d-95ab-d07053a96e67',184efa21-98c3-4e5d-95ab-d07053a96e68)",
  "genre in ('novel',library.genre'drama')",
  // has
  "formats has 'audio'",
  "formats has library.formats'audio,digital'",
  // in
  "title in ('a','b')",
  'pages in (1,2.5)',
  'title in ()',
  'title in keywords',
  'edition in editions',
  'title in ["a","b"]',
  // dates
  'changed sub changed gt readingTime',
  'changed add readingTime lt now()',
  "published sub duration'P1D' eq date(changed)",
  'published sub published eq readingTime',
  "readingTime mul 2 eq duration'PT4H' and readingTime div 2 lt readingTime",
  // lambdas
  "keywords/any(k:k eq 'x')",
  'keywords/any()',
  "copies/any(c:c/shelf eq 'A' and c/branch/name eq title)",
  'copies/all(c:c/book/keywords/any(k:k eq c/shelf))',
  "addresses/any(a:a/city eq 'x')",
  "editions/any(e:e eq '184efa21-98c3-4e5d-95ab-d07053a96e67')",
  // $count
  'copies/$count gt 2',
  'keywords/$count eq 0',
  "copies/$count($filter=shelf eq 'A') gt 2",
  // functions
  "startswith(title,'x') and endswith(language,'e')",
  'length(title) gt 2 and length(keywords) gt 2',
  "concat(title,subtitle) eq 'x'",
  "indexof(title,'x') eq 1",
  'substring(title,1) eq substring(title,1,2)',
  'contains(title,null)',
  'year(published) eq 2024 and year(changed) eq 2024',
  'hour(changed) eq 1 and minute(opens) eq 1',
  'fractionalseconds(changed) lt 0.5',
  'totalseconds(readingTime) gt 1.5',
  'round(price) eq 1 and floor(weight) eq 1 and ceiling(pages) eq 1',
  'time(changed) gt 08:00:00 and totaloffsetminutes(changed) eq 0',
  'changed gt mindatetime() and changed lt maxdatetime()',
  "geo.distance(origin,geography'SRID=4326;Point(1 2)') lt 5.5",
  'geo.intersects(origin,area)',
  "hassubset(keywords,['a'])",
  "matchespattern(title,'^A')",
  'case(inPrint:1,true:0.5) gt 0',
  // types
  'isof(library.audioBook) and isof(prequel,library.audioBook)',
  "cast(pages,Edm.String) eq 'x'",
  'cast(genre,Edm.Int32) eq 1',
  // open types allow unknown names
  "copies/any(c:c/colour eq 'red' and c/size/width gt 2)",
  'copies/any(c:c/tags/any(t:t eq 1))',
  // $root, keys, functions
  "title eq $root/books('1')/title",
  'title eq $root/today/title',
  "copies(isbn='1',number=2)/shelf eq 'A'",
  'copies/any(c:c/library.isDue(on=2024-01-01))',
  "copies/any(c:c/library.isDue(on='2024-01-01',strict=true))",
  'library.bestOf(year=2024)/any(b:b/title eq $it/title)',
  "copies/$filter(shelf eq 'A')/$count gt 1",
  // declared parameters
  'genre in @genres and pages ge @least',
]

describe('binding a valid filter', () => {
  it.each(fitting)('accepts %s', filter => {
    expect(bind(filter)).toEqual([])
  })
})

const misfits: readonly (readonly [filter: string, code: string, message: string, path?: string])[] = [
  [
    "titel eq 'x'",
    'unknownProperty',
    "Could not find a property named 'titel' on type 'book'. Did you mean 'title'?",
    'titel',
  ],
  [
    "Title eq 'x'",
    'unknownProperty',
    "Could not find a property named 'Title' on type 'book'. Did you mean 'title'?",
    'Title',
  ],
  [
    "publisher/town eq 'x'",
    'unknownProperty',
    "Could not find a property named 'town' on type 'address'.",
    'publisher/town',
  ],
  [
    "constructor eq 'x'",
    'unknownProperty',
    "Could not find a property named 'constructor' on type 'book'.",
    'constructor',
  ],
  ["__proto__ eq 'x'", 'unknownProperty', "Could not find a property named '__proto__' on type 'book'.", '__proto__'],
  [
    'title/length eq 1',
    'notAStructure',
    "'length' follows a value of type Edm.String, which has no properties.",
    'title/length',
  ],
  [
    "copies/shelf eq 'x'",
    'notAStructure',
    "'shelf' follows a value of type collection of copy, which has no properties. Use '/any(x:x/shelf ...)'.",
    'copies/shelf',
  ],
  // values
  [
    "prequel eq 'x'",
    'notAValue',
    "A relation to 'book' is not a value. Compare one of its properties, or test it with 'eq null'.",
    'prequel',
  ],
  [
    "publisher eq 'x'",
    'notAValue',
    "The complex type 'address' cannot be compared. Compare one of its properties, or test it with 'eq null'.",
    'publisher',
  ],
  [
    'publisher gt null',
    'notAValue',
    "The complex type 'address' cannot be compared. Compare one of its properties, or test it with 'eq null'.",
    'publisher',
  ],
  [
    "keywords eq 'x'",
    'notAValue',
    "'eq' cannot compare a collection of Edm.String. Use '/any(...)', '/all(...)' or '/$count'.",
    'keywords',
  ],
  [
    'copies eq null',
    'notAValue',
    "'eq' cannot compare a collection of copy. Use '/any(...)', '/all(...)' or '/$count'.",
    'copies',
  ],
  ["cover gt binary'AAEC'", 'notAValue', "A value of type Edm.Binary can only be tested with 'eq' and 'ne'.", 'cover'],
  [
    'origin gt null',
    'notAValue',
    "A value of type Edm.GeographyPoint can only be tested with 'eq null' and 'ne null'.",
    'origin',
  ],
  [
    'publisher eq {"city":"x"}',
    'notAValue',
    "The complex type 'address' cannot be compared. Compare one of its properties, or test it with 'eq null'.",
    'publisher',
  ],
  // incompatible operands
  [
    "inPrint eq 'true'",
    'incompatibleTypes',
    "'eq' cannot compare Edm.Boolean with Edm.String. Write the value without quotes.",
    'inPrint',
  ],
  ['inPrint eq title', 'incompatibleTypes', "'eq' cannot compare Edm.Boolean with Edm.String.", 'inPrint'],
  [
    "pages eq '1'",
    'incompatibleTypes',
    "'eq' cannot compare Edm.Int32 with Edm.String. Write the value without quotes.",
    'pages',
  ],
  [
    'title eq 1',
    'incompatibleTypes',
    "'eq' cannot compare Edm.String with Edm.Int32. Put the value in single quotes.",
    'title',
  ],
  [
    'title eq true',
    'incompatibleTypes',
    "'eq' cannot compare Edm.String with Edm.Boolean. Put the value in single quotes.",
    'title',
  ],
  [
    'title eq 184efa21-98c3-4e5d-95ab-d07053a96e67',
    'incompatibleTypes',
    "'eq' cannot compare Edm.String with Edm.Guid. Put the value in single quotes.",
    'title',
  ],
  ['edition eq title', 'incompatibleTypes', "'eq' cannot compare Edm.Guid with Edm.String.", 'edition'],
  ["genre eq tolower('novel')", 'incompatibleTypes', "'eq' cannot compare genre with Edm.String.", 'genre'],
  ["genre eq library.formats'paper'", 'incompatibleTypes', "'eq' cannot compare genre with formats.", 'genre'],
  [
    'changed ge 2024-01-01',
    'incompatibleTypes',
    "'ge' cannot compare Edm.DateTimeOffset with Edm.Date. Write 2024-01-01T00:00:00Z, or compare the date(...) of it.",
    'changed',
  ],
  ['title and inPrint', 'incompatibleTypes', "'and' takes Booleans, but found Edm.String."],
  ['inPrint or 1', 'incompatibleTypes', "'or' takes Booleans, but found Edm.Int32."],
  [
    "not title eq 'x'",
    'incompatibleTypes',
    "'not' takes a Boolean, but found Edm.String. Put the whole condition in parentheses: not (a eq b).",
  ],
  ['-title eq 1', 'incompatibleTypes', "'-' takes a number or a duration, but found Edm.String."],
  [
    "title add 'x' eq 'y'",
    'incompatibleTypes',
    "'add' takes numbers, dates or durations, but found Edm.String and Edm.String.",
  ],
  [
    'changed add changed eq null',
    'incompatibleTypes',
    "'add' takes numbers, dates or durations, but found Edm.DateTimeOffset and Edm.DateTimeOffset.",
  ],
  [
    'pages mod readingTime eq 1',
    'incompatibleTypes',
    "'mod' takes numbers, dates or durations, but found Edm.Int32 and Edm.Duration.",
  ],
  [
    "case(inPrint:1,true:'x') eq 1",
    'incompatibleTypes',
    "The results of 'case' must be of one type, but found Edm.Int32 and Edm.String.",
  ],
  [
    'case(title:1) eq 1',
    'notBoolean',
    "A condition of 'case' must be a Boolean expression, but is of type Edm.String.",
  ],
  // literals
  [
    "edition eq '184'",
    'invalidLiteral',
    "'184' is not an Edm.Guid: expected 01234567-89ab-cdef-0123-456789abcdef.",
    'edition',
  ],
  ["published eq '2023-02-29'", 'invalidLiteral', "'2023-02-29' is not an Edm.Date: expected YYYY-MM-DD.", 'published'],
  [
    "changed eq '2024-01-01'",
    'invalidLiteral',
    "'2024-01-01' is not an Edm.DateTimeOffset: expected YYYY-MM-DDThh:mm:ssZ, or with an offset.",
    'changed',
  ],
  ["readingTime eq '2h'", 'invalidLiteral', "'2h' is not an Edm.Duration: expected P1DT2H3M4.5S.", 'readingTime'],
  ["opens in ('08:30:00','x')", 'invalidLiteral', "'x' is not an Edm.TimeOfDay: expected hh:mm:ss.", 'opens'],
  [
    "genre eq 'novels'",
    'unknownMember',
    "'novels' is not a member of the enumeration 'genre'. Did you mean 'novel'?",
    'genre',
  ],
  [
    "genre eq 'constructor'",
    'unknownMember',
    "'constructor' is not a member of the enumeration 'genre'. Expected one of novel, poetry, drama.",
    'genre',
  ],
  [
    "genre eq '7'",
    'unknownMember',
    "'7' is not a member of the enumeration 'genre'. Expected one of novel, poetry, drama.",
    'genre',
  ],
  [
    "genre eq 'novel,drama'",
    'unknownMember',
    "'novel,drama' names 2 members, but 'genre' takes one: it has no flags.",
    'genre',
  ],
  [
    "genre eq library.genre'epos'",
    'unknownMember',
    "'epos' is not a member of the enumeration 'genre'. Expected one of novel, poetry, drama.",
  ],
  [
    "genre eq library.genres'novel'",
    'unknownType',
    "Could not find an enumeration type named 'library.genres'. Did you mean 'genre'?",
  ],
  [
    "genre eq other.genre'novel'",
    'unknownType',
    "Could not find an enumeration type named 'other.genre'. Did you mean 'genre'?",
  ],
  // has
  ["genre has 'novel'", 'incompatibleTypes', "The enumeration 'genre' has no flags. Use 'eq'.", 'genre'],
  ["title has 'x'", 'incompatibleTypes', "'has' takes an enumeration with flags, but found Edm.String.", 'title'],
  [
    "formats has 'radio'",
    'unknownMember',
    "'radio' is not a member of the enumeration 'formats'. Expected one of paper, audio, digital.",
    'formats',
  ],
  [
    'formats has 1',
    'incompatibleTypes',
    "'has' expects a value of 'formats' on its right, but found Edm.Int32.",
    'formats',
  ],
  // in
  [
    'title in pages',
    'notACollection',
    "'in' takes a list in parentheses, ('a','b'), or a collection, but found Edm.Int32.",
    'pages',
  ],
  [
    "pages in (1,'2')",
    'incompatibleTypes',
    "'in' cannot compare Edm.Int32 with Edm.String. Write the value without quotes.",
    'pages',
  ],
  ['pages in keywords', 'incompatibleTypes', "'in' cannot compare Edm.Int32 with Edm.String.", 'pages'],
  [
    "keywords in ('a')",
    'notAValue',
    "'in' cannot compare a collection of Edm.String. Use '/any(...)', '/all(...)' or '/$count'.",
    'keywords',
  ],
  [
    'keywords in ()',
    'notAValue',
    "'in' cannot compare a collection of Edm.String. Use '/any(...)', '/all(...)' or '/$count'.",
    'keywords',
  ],
  // the whole condition
  ['title', 'notBoolean', 'The condition of $filter must be a Boolean expression, but is of type Edm.String.'],
  ['copies', 'notBoolean', 'The condition of $filter must be a Boolean expression, but is of type collection of copy.'],
  ['pages add 1', 'notBoolean', 'The condition of $filter must be a Boolean expression, but is of type Edm.Int32.'],
  // lambdas
  ["title/any(t:t eq 'x')", 'notACollection', "'any' may only follow a collection, but found Edm.String.", 'title'],
  ["prequel/any(p:p/title eq 'x')", 'notACollection', "'any' may only follow a collection, but found book.", 'prequel'],
  [
    'copies/any(c:c/number)',
    'notBoolean',
    "The condition of 'any' must be a Boolean expression, but is of type Edm.Int32.",
  ],
  [
    "addresses/any(a:a/town eq 'x')",
    'unknownProperty',
    "Could not find a property named 'town' on type 'address'.",
    'town',
  ],
  [
    'addresses/any(a:a/city eq titel)',
    'unknownProperty',
    "Could not find a property named 'titel' on type 'book'. Did you mean 'title'?",
    'titel',
  ],
  // $count
  ['title/$count eq 1', 'notACollection', "'$count' may only follow a collection, but found Edm.String.", 'title'],
  [
    'copies/$count($filter=number) eq 1',
    'notBoolean',
    "The condition of '$count' must be a Boolean expression, but is of type Edm.Int32.",
  ],
  [
    'title/$filter(true)/$count eq 1',
    'notACollection',
    "'$filter' may only follow a collection, but found Edm.String.",
    'title',
  ],
  // functions
  [
    "startswith(pages,'1')",
    'invalidArgument',
    'Expected startswith(Edm.String, Edm.String) or startswith(collection, collection), but found startswith(Edm.Int32, Edm.String).',
    'pages',
  ],
  [
    'year(opens) eq 1',
    'invalidArgument',
    'Expected year(Edm.DateTimeOffset) or year(Edm.Date), but found year(Edm.TimeOfDay).',
    'opens',
  ],
  ['round(title) eq 1', 'invalidArgument', 'Expected round(number), but found round(Edm.String).', 'title'],
  ['tolower(genre) eq null', 'invalidArgument', 'Expected tolower(Edm.String), but found tolower(genre).', 'genre'],
  ['library.worstOf(year=1)/any()', 'unknownFunction', "Could not find a function named 'library.worstOf'."],
  [
    "library.bestOf(year='x')/any()",
    'invalidArgument',
    "The parameter 'year' of 'library.bestOf' takes Edm.Int32, but found Edm.String.",
  ],
  ['library.bestOf(day=1)/any()', 'invalidArgument', "The function 'library.bestOf' has no parameter 'day'."],
  [
    'prequel/library.isDue(on=2024-01-01)',
    'invalidArgument',
    "The function 'library.isDue' is bound to copy, but found book.",
  ],
  [
    'copies/any(c:c/library.isDue(strict=true))',
    'invalidArgument',
    "The function 'library.isDue' needs a value for its parameter 'on'.",
  ],
  // casts
  [
    "library.copy/shelf eq 'x'",
    'invalidCast',
    "A value of type book is never a 'library.copy': neither type derives from the other.",
  ],
  [
    "library.audiobook/narrator eq 'x'",
    'unknownType',
    "Could not find a type named 'library.audiobook'. Did you mean 'audioBook'?",
  ],
  ['isof(library.copy)', 'invalidCast', "'isof' cannot relate book to copy."],
  ['cast(inPrint,Edm.Date) eq null', 'invalidCast', "'cast' cannot relate Edm.Boolean to Edm.Date."],
  // keys and $root
  ["copies('1')/shelf eq 'A'", 'invalidKey', "The key of 'copy' is (isbn=...,number=...).", 'copies/shelf'],
  [
    "copies(isbn='1',number='2')/shelf eq 'A'",
    'incompatibleTypes',
    "'eq' cannot compare Edm.Int32 with Edm.String. Write the value without quotes.",
    'number',
  ],
  [
    "prequel('1')/title eq 'A'",
    'invalidKey',
    'A key may only follow a collection of entities, but found book.',
    'prequel/title',
  ],
  [
    "title eq $root/boks('1')/title",
    'unknownResource',
    "The service has no entity set or singleton named 'boks'. Did you mean 'books'?",
    'boks',
  ],
  // aliases
  ['title eq @t', 'undefinedAlias', "The alias '@t' has no value. Add '@t=...' to the query."],
]

describe('binding an invalid filter', () => {
  for (const [filter, code, message, path] of misfits) {
    it(filter, () => {
      expect(bind(filter)[0]).toEqual({ code, option: '$filter', message, ...(path === undefined ? {} : { path }) })
    })
  }

  it('reports each error once', () => {
    expect(bind("titel eq 'x' and pages eq 'y' and titel/x/y eq 1").map(error => error.code)).toEqual([
      'unknownProperty',
      'incompatibleTypes',
      'unknownProperty',
    ])
  })
})

describe('binding aliases', () => {
  const cases: readonly (readonly [filter: string, aliases: string, codes: readonly string[]])[] = [
    ['title eq @t', "&@t='x'", []],
    ['edition eq @e', "&@e='184efa21-98c3-4e5d-95ab-d07053a96e67'", []],
    ['edition eq @e', "&@e='x'", ['invalidLiteral']],
    ['genre in @g', "&@g=['novel','drama']", []],
    ['genre in @g', "&@g=['novel','opera']", ['unknownMember']],
    ['@c', '&@c=inPrint', []],
    ['@c', '&@c=title', ['notBoolean']],
    ['@a', '&@a=@b&@b=@c&@c=inPrint', []],
    ['@a', '&@a=@b&@b=@a', ['circularAlias']],
    ['pages in @a', '&@a=[1,@a]', ['circularAlias']],
    ['keywords/any(k:@c)', "&@c=k eq 'x'", ['unknownProperty']],
  ]
  it.each(cases)('binds %s with %s', (filter, aliases, codes) => {
    expect(bind(filter, aliases).map(error => error.code)).toEqual(codes)
  })

  it('rejects aliases that double each other without visiting their expansion', () => {
    const doubling = Array.from({ length: 60 }, (_, index) => `&@a${index}=@a${index + 1} and @a${index + 1}`).join('')
    expect(bind('@a0', `${doubling}&@a60=inPrint`).map(error => error.code)).toEqual(['tooComplex'])
  })
})
