import type { Expression } from '../ast.js'
import {
  array,
  binary,
  boolean,
  call,
  chain,
  lambda,
  list,
  literal,
  member,
  negate,
  not,
  nothing,
  number,
  path,
  rooted,
  text,
  variable,
} from './notation.js'

/** One filter as an application would send it, percent-decoded. */
interface FilterCase {
  readonly text: string
  /** The only tree that it may be read as. */
  readonly tree: Expression
  /** The filter with one mistake each: no grammar of OData allows these. */
  readonly malformed: readonly string[]
}

const instant = (value: string): Expression => literal('DateTimeOffset', value)
const guid = (value: string): Expression => literal('Guid', value)

/** Filters with the trees that they mean, and malformed variants: what any parser of `$filter` can be held against. */
export const filters: readonly FilterCase[] = [
  // Comparisons
  {
    text: "displayName eq 'Adele Vance'",
    tree: binary(path('displayName'), 'eq', text('Adele Vance')),
    malformed: [
      "displayName eq 'Adele Vance",
      "displayName = 'Adele Vance'",
      "displayName eq'Adele Vance'",
      "displayName eqq 'Adele Vance'",
      "eq 'Adele Vance'",
      'displayName eq',
    ],
  },
  {
    text: "department ne 'Sales'",
    tree: binary(path('department'), 'ne', text('Sales')),
    malformed: ["department != 'Sales'", "department ne Sales'", "department 'Sales'"],
  },
  {
    text: "surname ge 'M' and surname lt 'N'",
    tree: binary(binary(path('surname'), 'ge', text('M')), 'and', binary(path('surname'), 'lt', text('N'))),
    malformed: ["surname ge 'M' and", "surname ge 'M' and and surname lt 'N'", "surname ge 'M' surname lt 'N'"],
  },
  {
    text: 'size gt 1048576',
    tree: binary(path('size'), 'gt', number('1048576')),
    malformed: ['size > 1048576', 'size gt 1048576x', 'size gt'],
  },
  {
    text: 'rating le 4.50',
    tree: binary(path('rating'), 'le', number('4.50')),
    malformed: ['rating le 4.', 'rating le .5', 'rating le 4,5'],
  },
  {
    text: 'temperature lt -12.5',
    tree: binary(path('temperature'), 'lt', number('-12.5')),
    malformed: ['temperature lt -', 'temperature lt -12.', 'temperature lt 12.5-'],
  },
  {
    text: 'measure ge 6.02e23',
    tree: binary(path('measure'), 'ge', number('6.02e23')),
    malformed: ['measure ge 6.02e', 'measure ge 6.02e2.3', 'measure ge e23 1'],
  },
  {
    text: 'measure ne NaN and measure gt -INF',
    tree: binary(binary(path('measure'), 'ne', number('NaN')), 'and', binary(path('measure'), 'gt', number('-INF'))),
    malformed: ['measure ne NaN and measure gt - ', 'measure ne NaN measure gt -INF'],
  },
  // Booleans and null
  {
    text: 'accountEnabled eq true',
    tree: binary(path('accountEnabled'), 'eq', boolean(true)),
    malformed: ['accountEnabled eq true true', 'accountEnabled == true', 'accountEnabled eq (true'],
  },
  {
    text: 'isRead eq False',
    tree: binary(path('isRead'), 'eq', boolean(false)),
    malformed: ['isRead eq False)', 'isRead eq "False"'],
  },
  {
    text: 'jobTitle eq null',
    tree: binary(path('jobTitle'), 'eq', nothing),
    malformed: ['jobTitle is null', 'jobTitle eq null()', 'jobTitle eq null null'],
  },
  {
    text: 'mail ne null and jobTitle ne null',
    tree: binary(binary(path('mail'), 'ne', nothing), 'and', binary(path('jobTitle'), 'ne', nothing)),
    malformed: [
      'mail ne null and jobTitle not null',
      'mail ne null && jobTitle ne null',
      '(mail ne null and jobTitle ne null',
    ],
  },
  {
    text: 'accountEnabled',
    tree: path('accountEnabled'),
    malformed: ['accountEnabled accountEnabled', 'accountEnabled/', '/accountEnabled'],
  },
  // Strings and their escapes
  {
    text: "surname eq 'O''Neil'",
    tree: binary(path('surname'), 'eq', text("O'Neil")),
    malformed: ["surname eq 'O'Neil'", "surname eq 'O''Neil", "surname eq 'O\\'Neil'"],
  },
  {
    text: "displayName eq ''",
    tree: binary(path('displayName'), 'eq', text('')),
    malformed: ["displayName eq '", "displayName eq '''", "displayName eq ' ' '"],
  },
  {
    text: "displayName eq ''''",
    tree: binary(path('displayName'), 'eq', text("'")),
    malformed: ["displayName eq '''''", "displayName eq '' ''"],
  },
  {
    text: "subject eq 'a and b or (c'",
    tree: binary(path('subject'), 'eq', text('a and b or (c')),
    malformed: ["subject eq a and b or (c'", "subject eq 'a' and b or (c"],
  },
  {
    text: "displayName eq 'Zoë 😀 & + %'",
    tree: binary(path('displayName'), 'eq', text('Zoë 😀 & + %')),
    malformed: ['displayName eq Zoë 😀', "displayName eq 'Zoë' & '+'"],
  },
  // Dates and times
  {
    text: 'receivedDateTime ge 2024-01-01T00:00:00Z',
    tree: binary(path('receivedDateTime'), 'ge', instant('2024-01-01T00:00:00Z')),
    malformed: [
      'receivedDateTime ge 2024-01-01T00:00:00',
      'receivedDateTime ge 2024-13-01T00:00:00Z',
      'receivedDateTime ge 2024-02-30T00:00:00Z',
      'receivedDateTime ge 2024-01-01T24:00:00Z',
      'receivedDateTime ge 2024-01-01 00:00:00Z',
      'receivedDateTime ge 2024-1-1T00:00:00Z',
    ],
  },
  {
    text: 'receivedDateTime ge 2024-01-01T00:00:00Z and receivedDateTime lt 2024-02-01T00:00:00Z',
    tree: binary(
      binary(path('receivedDateTime'), 'ge', instant('2024-01-01T00:00:00Z')),
      'and',
      binary(path('receivedDateTime'), 'lt', instant('2024-02-01T00:00:00Z')),
    ),
    malformed: [
      'receivedDateTime ge 2024-01-01T00:00:00Z and 2024-02-01T00:00:00Z receivedDateTime lt',
      'receivedDateTime ge 2024-01-01T00:00:00Z, receivedDateTime lt 2024-02-01T00:00:00Z',
    ],
  },
  {
    text: 'createdDateTime lt 2024-03-10T08:30:15.1234567-05:00',
    tree: binary(path('createdDateTime'), 'lt', instant('2024-03-10T08:30:15.1234567-05:00')),
    malformed: [
      'createdDateTime lt 2024-03-10T08:30:15.-05:00',
      'createdDateTime lt 2024-03-10T08:30:15.1234567-0500',
      'createdDateTime lt 2024-03-10T08:30:15.1234567890123Z',
    ],
  },
  {
    text: 'createdDateTime gt 2024-06-01T10:00+02:00',
    tree: binary(path('createdDateTime'), 'gt', instant('2024-06-01T10:00+02:00')),
    malformed: ['createdDateTime gt 2024-06-01T10:00 02:00', 'createdDateTime gt 2024-06-01T10+02:00'],
  },
  {
    text: 'birthday eq 1999-02-28',
    tree: binary(path('birthday'), 'eq', literal('Date', '1999-02-28')),
    malformed: ['birthday eq 1999-02-29', 'birthday eq 1999-2-28', 'birthday eq 1999-02', 'birthday eq 02-28-1999'],
  },
  {
    text: 'opensAt le 09:30:00',
    tree: binary(path('opensAt'), 'le', literal('TimeOfDay', '09:30:00')),
    malformed: ['opensAt le 9:30', 'opensAt le 09:60', 'opensAt le 09:30:61'],
  },
  {
    text: "lasts gt duration'PT1H30M'",
    tree: binary(path('lasts'), 'gt', literal('Duration', 'PT1H30M')),
    malformed: [
      "lasts gt duration'1H30M'",
      "lasts gt duration'PT'",
      "lasts gt duration'PT30M1H'",
      'lasts gt duration PT1H',
    ],
  },
  {
    text: 'year(hireDate) eq 2024 and month(hireDate) le 6',
    tree: binary(
      binary(call('year', path('hireDate')), 'eq', number('2024')),
      'and',
      binary(call('month', path('hireDate')), 'le', number('6')),
    ),
    malformed: ['year(hireDate) eq 2024 and month() le 6', 'year(hireDate,1) eq 2024 and month(hireDate) le 6'],
  },
  {
    text: "lastSignIn lt now() sub duration'P90D'",
    tree: binary(path('lastSignIn'), 'lt', binary(call('now'), 'sub', literal('Duration', 'P90D'))),
    malformed: [
      "lastSignIn lt now(1) sub duration'P90D'",
      "lastSignIn lt now sub duration'P90D' 1",
      "lastSignIn lt now() sub duration'P90'",
    ],
  },
  // Other literals
  {
    text: "id eq '184efa21-98c3-4e5d-95ab-d07053a96e67'",
    tree: binary(path('id'), 'eq', text('184efa21-98c3-4e5d-95ab-d07053a96e67')),
    malformed: ["id eq '184efa21-98c3-4e5d-95ab-d07053a96e67", "id eq 184efa21-98c3-4e5d-95ab-d07053a96e67'"],
  },
  {
    text: 'skuId eq 184EFA21-98c3-4e5d-95ab-d07053a96e67',
    tree: binary(path('skuId'), 'eq', guid('184efa21-98c3-4e5d-95ab-d07053a96e67')),
    malformed: [
      'skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e6',
      'skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e6g',
      'skuId eq 184efa21-98c3-4e5d-95abd07053a96e67',
      'skuId eq {184efa21-98c3-4e5d-95ab-d07053a96e67}',
    ],
  },
  {
    text: 'skuId eq cafebabe-0000-4000-8000-000000000001',
    tree: binary(path('skuId'), 'eq', guid('cafebabe-0000-4000-8000-000000000001')),
    malformed: ['skuId eq cafebabe-0000-4000-8000', 'skuId eq cafebabe-0000-4000-8000-00000000000001'],
  },
  {
    text: "importance eq 'high'",
    tree: binary(path('importance'), 'eq', text('high')),
    malformed: ["importance eq 'high'' ", "importance eq high'"],
  },
  {
    text: "style has Sales.Pattern'Yellow'",
    tree: binary(path('style'), 'has', member('Sales.Pattern', 'Yellow')),
    malformed: [
      "style has Sales.Pattern'Yellow",
      "style has Sales.Pattern''",
      "style has Sales.Pattern 'Yellow'",
      "style has Sales.'Yellow'",
    ],
  },
  {
    text: "style eq Sales.Pattern'Striped,Yellow'",
    tree: binary(path('style'), 'eq', member('Sales.Pattern', 'Striped,Yellow')),
    malformed: ["style eq Sales.Pattern'Striped,'", "style eq Sales.Pattern'Striped Yellow'"],
  },
  {
    text: "thumbprint ne binary'T0RhdGE'",
    tree: binary(path('thumbprint'), 'ne', literal('Binary', 'T0RhdGE')),
    malformed: ["thumbprint ne binary'T0RhdGE!'", "thumbprint ne X'T0RhdGE'", "thumbprint ne binary'T0Rhd'"],
  },
  {
    text: "geo.distance(location,geography'SRID=4326;Point(13.4 52.5)') lt 1000",
    tree: binary(
      call('geo.distance', path('location'), literal('Geography', 'SRID=4326;Point(13.4 52.5)')),
      'lt',
      number('1000'),
    ),
    malformed: [
      "geo.distance(location,geography'Point(13.4 52.5)') lt 1000",
      "geo.distance(location,geography'SRID=4326;Point(13.4)') lt 1000",
      'geo.distance(location) lt 1000',
    ],
  },
  // Logic and precedence
  {
    text: 'a eq 1 or b eq 2 and c eq 3',
    tree: binary(
      binary(path('a'), 'eq', number('1')),
      'or',
      binary(binary(path('b'), 'eq', number('2')), 'and', binary(path('c'), 'eq', number('3'))),
    ),
    malformed: ['a eq 1 or or b eq 2 and c eq 3', 'a eq 1 or b eq 2 and', 'a eq 1 || b eq 2 and c eq 3'],
  },
  {
    text: 'a eq 1 and b eq 2 or c eq 3',
    tree: binary(
      binary(binary(path('a'), 'eq', number('1')), 'and', binary(path('b'), 'eq', number('2'))),
      'or',
      binary(path('c'), 'eq', number('3')),
    ),
    malformed: ['and b eq 2 or c eq 3', 'a eq 1 and b eq 2 orc eq 3'],
  },
  {
    text: '(a eq 1 or b eq 2) and c eq 3',
    tree: binary(
      binary(binary(path('a'), 'eq', number('1')), 'or', binary(path('b'), 'eq', number('2'))),
      'and',
      binary(path('c'), 'eq', number('3')),
    ),
    malformed: [
      '(a eq 1 or b eq 2 and c eq 3',
      'a eq 1 or b eq 2) and c eq 3',
      '(a eq 1 or b eq 2)and c eq 3',
      '() and c eq 3',
    ],
  },
  {
    text: "not startswith(displayName,'A') and accountEnabled eq true",
    tree: binary(
      not(call('startswith', path('displayName'), text('A'))),
      'and',
      binary(path('accountEnabled'), 'eq', boolean(true)),
    ),
    malformed: ['not and accountEnabled eq true', "startswith(displayName,'A') not and accountEnabled eq true"],
  },
  {
    text: "not (displayName eq 'A' or mail eq null)",
    tree: not(binary(binary(path('displayName'), 'eq', text('A')), 'or', binary(path('mail'), 'eq', nothing))),
    malformed: [
      "not (displayName eq 'A' or mail eq null",
      "not displayName eq 'A' or mail eq null)",
      '!(displayName eq null)',
    ],
  },
  {
    text: 'not accountEnabled eq true',
    tree: binary(not(path('accountEnabled')), 'eq', boolean(true)),
    malformed: ['not accountEnabled eq', 'accountEnabled not eq true'],
  },
  {
    text: "NOT(contains(subject,'x'))",
    tree: not(call('contains', path('subject'), text('x'))),
    malformed: ["NOT(contains(subject,'x')", "NOT contains(subject,'x'))"],
  },
  {
    text: 'not not isRead',
    tree: not(not(path('isRead'))),
    malformed: ['not not isRead)', 'not isRead not'],
  },
  {
    text: 'a eq b eq true',
    tree: binary(binary(path('a'), 'eq', path('b')), 'eq', boolean(true)),
    malformed: ['a eq eq b eq true', 'a eq b eq'],
  },
  {
    text: 'a gt b eq c lt d',
    tree: binary(binary(path('a'), 'gt', path('b')), 'eq', binary(path('c'), 'lt', path('d'))),
    malformed: ['a gt b eq c lt', 'a gt b c lt d'],
  },
  {
    text: "Name EQ 'Milk' AND Price LT 2.55",
    tree: binary(binary(path('Name'), 'eq', text('Milk')), 'and', binary(path('Price'), 'lt', number('2.55'))),
    malformed: ["Name EQ 'Milk' AND Price LT 2.55 ASC", "Name EQUALS 'Milk' AND Price LT 2.55"],
  },
  // Functions
  {
    text: "startswith(displayName,'A')",
    tree: call('startswith', path('displayName'), text('A')),
    malformed: [
      "startswith(displayName,'A'",
      "startswith(displayName 'A')",
      "startswith displayName,'A'",
      'startswith(displayName)',
      "startswith(displayName,'A',1)",
      "startwith(displayName,'A')",
      "startswith (displayName,'A')",
    ],
  },
  {
    text: "startsWith(displayName, 'A') or endsWith(mail, '@contoso.com')",
    tree: binary(
      call('startswith', path('displayName'), text('A')),
      'or',
      call('endswith', path('mail'), text('@contoso.com')),
    ),
    malformed: [
      "startsWith(displayName, 'A') or endsWith(mail '@contoso.com')",
      "startsWith(, 'A') or endsWith(mail, '@contoso.com')",
    ],
  },
  {
    text: "contains(tolower(subject),'invoice')",
    tree: call('contains', call('tolower', path('subject')), text('invoice')),
    malformed: [
      "contains(tolower(subject,'invoice')",
      "contains(tolower(subject)),'invoice')",
      "contains(tolower subject,'invoice')",
    ],
  },
  {
    text: "tolower(mail) eq 'adele@contoso.com'",
    tree: binary(call('tolower', path('mail')), 'eq', text('adele@contoso.com')),
    malformed: [
      "tolower(mail eq 'adele@contoso.com'",
      "tolower() eq 'adele@contoso.com'",
      "lower(mail,1) eq 'adele@contoso.com'",
    ],
  },
  {
    text: "concat(concat(city,', '),country) eq 'Berlin, Germany'",
    tree: binary(
      call('concat', call('concat', path('city'), text(', ')), path('country')),
      'eq',
      text('Berlin, Germany'),
    ),
    malformed: [
      "concat(concat(city,', '),country eq 'Berlin, Germany'",
      "concat(concat(city,', ')) eq 'Berlin, Germany'",
    ],
  },
  {
    text: "substring(trim(name),1,2) eq 'lf'",
    tree: binary(call('substring', call('trim', path('name')), number('1'), number('2')), 'eq', text('lf')),
    malformed: [
      "substring(trim(name)) eq 'lf'",
      "substring(trim(name),1,2,3) eq 'lf'",
      "substring(trim(name),1,) eq 'lf'",
    ],
  },
  {
    text: "length(displayName) gt 20 and indexof(mail,'@') ge 1",
    tree: binary(
      binary(call('length', path('displayName')), 'gt', number('20')),
      'and',
      binary(call('indexof', path('mail'), text('@')), 'ge', number('1')),
    ),
    malformed: [
      "length(displayName gt 20) and indexof(mail '@') ge 1",
      "len(displayName,1) gt 20 and indexof(mail,'@') ge 1",
    ],
  },
  {
    text: 'round(price) eq 10 or floor(price) eq 9',
    tree: binary(
      binary(call('round', path('price')), 'eq', number('10')),
      'or',
      binary(call('floor', path('price')), 'eq', number('9')),
    ),
    malformed: ['round(price) eq 10 or floor(price eq 9', 'round(price,2) eq 10 or floor(price) eq 9'],
  },
  {
    text: "matchesPattern(companyName,'^A.*e$')",
    tree: call('matchespattern', path('companyName'), text('^A.*e$')),
    malformed: ['matchesPattern(companyName,^A.*e$)', "matchesPattern(companyName,'^A.*e$'"],
  },
  // Arithmetic
  {
    text: 'price add 2.45 eq 5.00',
    tree: binary(binary(path('price'), 'add', number('2.45')), 'eq', number('5.00')),
    malformed: ['price + 2.45 eq 5.00', 'price add eq 5.00 1', 'price add 2.45 5.00'],
  },
  {
    text: 'a add b mul c sub d',
    tree: binary(binary(path('a'), 'add', binary(path('b'), 'mul', path('c'))), 'sub', path('d')),
    malformed: ['a add b mul c sub', 'a add b * c sub d', 'add b mul c sub'],
  },
  {
    text: '(4 add 5) mod (4 sub 1) eq 0',
    tree: binary(
      binary(binary(number('4'), 'add', number('5')), 'mod', binary(number('4'), 'sub', number('1'))),
      'eq',
      number('0'),
    ),
    malformed: ['(4 add 5) mod (4 sub 1 eq 0', '(4 add 5)mod(4 sub 1) eq 0', '(4 5) mod (4 sub 1) eq 0'],
  },
  {
    text: '-(price mul quantity) lt -100',
    tree: binary(negate(binary(path('price'), 'mul', path('quantity'))), 'lt', number('-100')),
    malformed: ['-(price mul quantity lt -100', '-(price mul quantity) lt -', '+(price mul quantity) lt -100'],
  },
  {
    text: 'rating divby 2 eq 2.5',
    tree: binary(binary(path('rating'), 'divby', number('2')), 'eq', number('2.5')),
    malformed: ['rating divbyy 2 eq 2.5', 'rating / 2 eq 2.5'],
  },
  // Lists
  {
    text: "department in ('Sales','Marketing','IT')",
    tree: binary(path('department'), 'in', list(text('Sales'), text('Marketing'), text('IT'))),
    malformed: [
      "department in 'Sales','Marketing','IT'",
      "department in ('Sales' 'Marketing' 'IT')",
      "department in ('Sales','Marketing','IT'",
      "department in ('Sales','Marketing',)",
      "department in('Sales','Marketing','IT')",
      "department in (,'Sales')",
    ],
  },
  {
    text: 'size in ( 1 , 2 , null )',
    tree: binary(path('size'), 'in', list(number('1'), number('2'), nothing)),
    malformed: ['size in ( 1 , , 2 )', 'size in ( 1 ; 2 )', 'size in ( 1 , a )'],
  },
  {
    text: 'id in (184efa21-98c3-4e5d-95ab-d07053a96e67)',
    tree: binary(path('id'), 'in', list(guid('184efa21-98c3-4e5d-95ab-d07053a96e67'))),
    malformed: ['id in (184efa21-98c3-4e5d-95ab)', 'id in 184efa21-98c3-4e5d-95ab-d07053a96e67)'],
  },
  {
    text: "not (jobTitle in ('CEO','CFO'))",
    tree: not(binary(path('jobTitle'), 'in', list(text('CEO'), text('CFO')))),
    malformed: ["not (jobTitle in ('CEO','CFO')", "jobTitle not in ('CEO','CFO')"],
  },
  {
    text: 'name in ["Milk","Cheese"]',
    tree: binary(path('name'), 'in', array(text('Milk'), text('Cheese'))),
    malformed: ['name in ["Milk","Cheese"', 'name in ["Milk" "Cheese"]', 'name in ["Milk",]', 'name in ["Milk]'],
  },
  // Paths and lambdas
  {
    text: "from/emailAddress/address eq 'adele@contoso.com'",
    tree: binary(path('from/emailAddress/address'), 'eq', text('adele@contoso.com')),
    malformed: [
      "from//address eq 'adele@contoso.com'",
      "from/emailAddress/ eq 'adele@contoso.com'",
      "from.emailAddress.address eq 'adele@contoso.com'",
      "from / emailAddress eq 'adele@contoso.com'",
    ],
  },
  {
    text: "manager/displayName eq 'Megan' and manager/department ne department",
    tree: binary(
      binary(path('manager/displayName'), 'eq', text('Megan')),
      'and',
      binary(path('manager/department'), 'ne', path('department')),
    ),
    malformed: ["manager/displayName eq 'Megan' and manager/ ne department", "manager/'displayName' eq 'Megan'"],
  },
  {
    text: 'assignedLicenses/any(x:x/skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e67)',
    tree: lambda(
      path('assignedLicenses'),
      'any',
      'x',
      binary(variable('x', 'skuId'), 'eq', guid('184efa21-98c3-4e5d-95ab-d07053a96e67')),
    ),
    malformed: [
      'assignedLicenses/any(x:x/skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e67',
      'assignedLicenses/any(x/skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e67)',
      'assignedLicenses/any(x:)',
      'assignedLicenses/any x:x/skuId eq 1',
      'any(x:x/skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e67)',
    ],
  },
  {
    text: "toRecipients/any( r : r/emailAddress/address eq 'a@b.c' )",
    tree: lambda(path('toRecipients'), 'any', 'r', binary(variable('r', 'emailAddress/address'), 'eq', text('a@b.c'))),
    malformed: ["toRecipients/any( r ; r/emailAddress/address eq 'a@b.c' )", "toRecipients/any( r : : r eq 'a@b.c' )"],
  },
  {
    text: 'assignedLicenses/any()',
    tree: { kind: 'lambda', operator: 'any', collection: path('assignedLicenses') },
    malformed: ['assignedLicenses/any(', 'assignedLicenses/all()', 'assignedLicenses/any()/x'],
  },
  {
    text: "not tags/all(t:t eq 'x')",
    tree: not(lambda(path('tags'), 'all', 't', binary(variable('t'), 'eq', text('x')))),
    malformed: ["not tags/all(t eq 'x')", "not tags/all(t:t eq 'x'", "not tags/all(:t eq 'x')"],
  },
  {
    text: "orders/any(o:o/items/all(i:i/price gt 10 and o/status eq 'open') or o/total gt limit)",
    tree: lambda(
      path('orders'),
      'any',
      'o',
      binary(
        lambda(
          variable('o', 'items'),
          'all',
          'i',
          binary(
            binary(variable('i', 'price'), 'gt', number('10')),
            'and',
            binary(variable('o', 'status'), 'eq', text('open')),
          ),
        ),
        'or',
        binary(variable('o', 'total'), 'gt', path('limit')),
      ),
    ),
    malformed: [
      "orders/any(o:o/items/all(i:i/price gt 10 and o/status eq 'open') or o/total gt limit",
      "orders/any(o:o/items/all(i:i/price gt 10 and o/status eq 'open' or o/total gt limit)",
    ],
  },
  {
    text: 'memberOf/$count gt 5',
    tree: binary(path('memberOf', { kind: 'count' }), 'gt', number('5')),
    malformed: ['memberOf/$count/x gt 5', 'memberOf/$counts gt 5', '$count gt 5', 'memberOf/$ref gt 5'],
  },
  {
    text: 'products/$count($filter=price gt 5.00;$search=blue) ge 2',
    tree: binary(
      path('products', {
        kind: 'count',
        filter: binary(path('price'), 'gt', number('5.00')),
        search: { kind: 'term', text: 'blue' },
      }),
      'ge',
      number('2'),
    ),
    malformed: [
      'products/$count($filter=price gt 5.00 ge 2',
      'products/$count($top=5) ge 2',
      'products/$count($filter=price gt 5.00;$filter=price gt 5.00) ge 2',
      'products/$count() ge 2',
    ],
  },
  {
    text: "$it/city eq shipTo/city and endswith($this,'.com')",
    tree: binary(
      binary(rooted('it', 'city'), 'eq', path('shipTo/city')),
      'and',
      call('endswith', rooted('this', ''), text('.com')),
    ),
    malformed: ["$its/city eq shipTo/city and endswith($this,'.com')", '$it/ eq shipTo/city', '$ eq 1'],
  },
  {
    text: "lastName eq $root/employees('A1245')/lastName",
    tree: binary(
      path('lastName'),
      'eq',
      rooted(
        'root',
        'employees',
        { kind: 'key', values: [{ value: text('A1245') }] },
        { kind: 'property', name: 'lastName' },
      ),
    ),
    malformed: [
      'lastName eq $root',
      "lastName eq $root/employees('A1245'/lastName",
      "lastName eq $root/employees('A1245')('B')/lastName",
    ],
  },
  {
    text: 'Model.VipCustomer/discount gt 0.1 and isof(Model.VipCustomer)',
    tree: binary(
      binary(
        {
          kind: 'path',
          segments: [
            { kind: 'cast', type: 'Model.VipCustomer' },
            { kind: 'property', name: 'discount' },
          ],
        },
        'gt',
        number('0.1'),
      ),
      'and',
      call('isof', { kind: 'type', name: 'Model.VipCustomer', collection: false }),
    ),
    malformed: ['Model.VipCustomer gt 0.1', 'Model./discount gt 0.1', 'Model.VipCustomer/discount gt 0.1 and isof()'],
  },
  {
    text: "cast(price,Edm.String) eq '5' or isof(tags,Collection(Edm.String))",
    tree: binary(
      binary(call('cast', path('price'), { kind: 'type', name: 'Edm.String', collection: false }), 'eq', text('5')),
      'or',
      call('isof', path('tags'), { kind: 'type', name: 'Edm.String', collection: true }),
    ),
    malformed: ["cast(price,'Edm.String eq '5'", "cast(price,Edm.String eq '5'", 'isof(tags,Collection(Edm.String)'],
  },
  {
    text: 'isof(ns.book)',
    tree: call('isof', { kind: 'type', name: 'ns.book', collection: false }),
    malformed: ["isof('ns.book)", "isof('ns.book',x"],
  },
  {
    text: 'case(x gt 0:1,x lt 0:-1,true:0) eq 1',
    tree: binary(
      call(
        'case',
        binary(path('x'), 'gt', number('0')),
        number('1'),
        binary(path('x'), 'lt', number('0')),
        number('-1'),
        boolean(true),
        number('0'),
      ),
      'eq',
      number('1'),
    ),
    malformed: ['case(x gt 0:1,x lt 0) eq 1', 'case() eq 1', 'case(x gt 0 1) eq 1'],
  },
  {
    text: 'contains(title,@word) and price lt @limit',
    tree: binary(
      call('contains', path('title'), { kind: 'alias', name: 'word' }),
      'and',
      binary(path('price'), 'lt', { kind: 'alias', name: 'limit' }),
    ),
    malformed: [
      'contains(title,@) and price lt @limit',
      'contains(title,@1) and price lt @limit',
      'contains(title,@word) and price lt @ limit',
    ],
  },
  {
    text: "price/@Measures.Currency eq 'EUR'",
    tree: binary(path('price', { kind: 'annotation', term: 'Measures.Currency' }), 'eq', text('EUR')),
    malformed: ["price@Measures.Currency eq 'EUR'", "price/@ eq 'EUR'", "price/@Measures. eq 'EUR'"],
  },
  {
    text: '[firstName,lastName] in [["John","Doe"],["Jane","Smith"]]',
    tree: binary(
      array(path('firstName'), path('lastName')),
      'in',
      array(array(text('John'), text('Doe')), array(text('Jane'), text('Smith'))),
    ),
    malformed: [
      '[firstName,lastName in [["John","Doe"]]',
      '[firstName,lastName] in [["John","Doe"],["Jane","Smith"]',
      '[,lastName] in [[]]',
    ],
  },
  {
    text: 'address eq {"city":"Redmond","zip":98052}',
    tree: binary(path('address'), 'eq', {
      kind: 'object',
      members: [
        { name: 'city', value: text('Redmond') },
        { name: 'zip', value: number('98052') },
      ],
    }),
    malformed: [
      'address eq {city:"Redmond"}',
      'address eq {"city" "Redmond"}',
      'address eq {"city":"Redmond"',
      'address eq {"city":}',
    ],
  },
  {
    text: 'Model.IsSimilar(word=name,limit=5) and $it/Model.IsActive()',
    tree: binary(
      {
        kind: 'path',
        segments: [
          {
            kind: 'function',
            name: 'Model.IsSimilar',
            parameters: [
              { name: 'word', value: path('name') },
              { name: 'limit', value: number('5') },
            ],
          },
        ],
      },
      'and',
      rooted('it', '', { kind: 'function', name: 'Model.IsActive', parameters: [] }),
    ),
    malformed: [
      'Model.IsSimilar(word=name,5) and $it/Model.IsActive()',
      'Model.IsSimilar(word=) and $it/Model.IsActive()',
      'IsActive()',
    ],
  },
  // Names that look like something else
  {
    text: "contains eq 'x' and not/any eq in",
    tree: binary(binary(path('contains'), 'eq', text('x')), 'and', binary(path('not/any'), 'eq', path('in'))),
    malformed: ["contains( eq 'x'", "contains eq 'x' and not/any( eq in"],
  },
  // As long as real ones get
  {
    text: "accountEnabled eq true and (startswith(displayName,'A') or startswith(displayName,'B')) and (jobTitle ne null or department in ('IT','HR')) and not (mail eq null) and createdDateTime ge 2023-01-01T00:00:00Z",
    tree: chain(
      'and',
      binary(path('accountEnabled'), 'eq', boolean(true)),
      binary(
        call('startswith', path('displayName'), text('A')),
        'or',
        call('startswith', path('displayName'), text('B')),
      ),
      binary(
        binary(path('jobTitle'), 'ne', nothing),
        'or',
        binary(path('department'), 'in', list(text('IT'), text('HR'))),
      ),
      not(binary(path('mail'), 'eq', nothing)),
      binary(path('createdDateTime'), 'ge', instant('2023-01-01T00:00:00Z')),
    ),
    malformed: [
      "accountEnabled eq true and (startswith(displayName,'A') or startswith(displayName,'B') and (jobTitle ne null or department in ('IT','HR'))",
      "accountEnabled eq true and (startswith(displayName,'A') or startswith(displayName,'B')) and not (mail eq null) and createdDateTime ge 2023-01-01T00:00:00Z and",
    ],
  },
  {
    text: "id eq 'a' or id eq 'b' or id eq 'c' or id eq 'd' or id eq 'e' or id eq 'f'",
    tree: chain(
      'or',
      binary(path('id'), 'eq', text('a')),
      ...['b', 'c', 'd', 'e', 'f'].map(id => binary(path('id'), 'eq', text(id))),
    ),
    malformed: ["id eq 'a' or id eq 'b' or 'c' or 'd' or", "id eq 'a' or id eq 'b', id eq 'c'"],
  },
]
