// Directory and mailbox service over plain arrays. See README.md for the readings taken.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
type Json = Record<string, unknown>;
interface Row extends Json { id: string }

// ---- Choices and faults; `*` gives one choice for each team, with its own default
const TEAMS = ['users', 'groups', 'messages', 'items'];
const choices = `
*.collation|exact ignoreCase|exact exact ignoreCase ignoreCase|strings in eq, ne and the functions
*.order|binary ignoreCase locale|ignoreCase ignoreCase locale locale|strings in gt, ge, lt, le and $orderby
*.nulls|lowest highest last|lowest lowest lowest last|place of null in $orderby
*.nullLogic|two three odata|odata odata two two|conditions on null: false, unknown, or unknown in functions only
*.unselected|absent null|absent absent absent absent|usual properties that $select leaves out
*.key|asked always|asked asked always always|whether id comes although $select does not name it
*.top|page limit|page page page limit|$top is the size of a page, or the limit of the whole result
*.search|word prefix substring|prefix prefix prefix substring|what a $search term matches
*.countHeader|always filtered never|always always never never|when $count needs ConsistencyLevel
*.pageSize|5 10 100|100 100 10 100|items of a page without $top
*.options|noSkip noSearch all|noSkip noSkip all noSearch|options of the collection: all but one, or all
users.defaults|graph all|graph|properties of a user without $select: the short list of Graph, or all
messages.defaults|all noBody|all|whether message lists without $select carry the body
users.unknownBody groups.unknownBody messages.unknownBody|refuse ignore|refuse refuse ignore|unknown body properties
messages.body|stored text|stored|body without Prefer: as stored, or converted to text
topMaximum|refuse cap|refuse|$top above 999: refused, or taken as 999
createStatus|201 200|201|status of a create
deleteStatus|204 200|204|status of a delete (without a body)
unsupportedStatus|400 501|400|status of an option that the endpoint does not support
malformedKey|404 400|404|status of an identifier that cannot be one
unknownOption|refuse ignore|refuse|unknown options with $, and unknown names in $select
nextLink|absolute relative|absolute|form of next and delta links
membership|transitive direct|transitive|group membership of the signed-in user
reminderWindow|overlap start|overlap|what must be in the window: part of the event, or its start
`.trim().split('\n').map((line) => line.split('|')).flatMap(([names, values, presets, meaning]) =>
  (names.startsWith('*') ? TEAMS.map((team) => names.replace('*', team)) : names.split(' ')).map((name, at) =>
    ({ name, values: values.split(' '), default: presets.split(' ')[at], meaning })));
const faults = `
create-importance-lost|create|a created message is answered with its importance but stored as normal
create-false-becomes-true|create|securityEnabled false of a new group is taken as missing and becomes true
create-group-unlisted|create|a created group is readable by id but never appears in GET /groups
update-null-ignored|update|a null in PATCH /me does not clear the property
update-applies-defaults|update|PATCH of a message without importance resets it to normal
delete-still-readable|delete|a deleted message leaves the list but is still read by its id
expand-select-ignored|expand|the nested $select of an $expand is ignored
expand-second-lost|expand|only the first of several relations in $expand is included
item-first-recipient|item|the read of one message shows only its first recipient
item-select-ignored|item|$select is ignored on the read of one group
paging-order-lost|paging|the next link loses $orderby, later pages come in the default order
paging-ties-lost|paging|the next page starts after all items whose sort keys equal those of the last item
auth-count-open|authentication|GET /users/$count asks for no token
auth-connection-remembered|authentication|after one good request a kept-alive connection needs no token
filter-precedence|filter|and binds no tighter than or
filter-endswith-first|filter|endsWith looks only at the first occurrence of the text
order-desc-sticks|order|desc of one key also holds for the keys after it
search-property-ignored|search|a $search term is looked for in every text property
member-groups-mail-flag|operation|securityEnabledOnly drops mail-enabled groups, not those without security
select-order-leaks|select-count|properties used in $orderby are returned although $select leaves them out
`.trim().split('\n').map((line) => line.split('|')).map(([name, area, meaning]) => ({ name, area, meaning }));
if (process.argv.includes('--describe')) {
  console.log(JSON.stringify({ language: 'TypeScript', store: 'plain arrays of objects', choices, faults }));
  process.exit(0);
}
const { TOKEN, FAULT = '', CHOICES, PORT } = process.env;
const chosen = new Map(choices.map((one) => [one.name, one.default]));
for (const [name, value] of Object.entries(JSON.parse(CHOICES || '{}') as Json)) {
  if (!choices.some((one) => one.name === name && one.values.includes(String(value)))) throw new Error(`bad ${name}`);
  chosen.set(name, String(value));
}
if (!TOKEN || (FAULT && !faults.some((one) => one.name === FAULT))) throw new Error('TOKEN or FAULT is wrong');
const pick = (name: string): string => chosen.get(name) ?? '';
class Problem extends Error {
  constructor(readonly status: number, readonly code: string, message: string) { super(message); }
}
const bad = (message: string): Problem => new Problem(400, 'Request_BadRequest', message);
const missing = (what: string): Problem => new Problem(404, 'ResourceNotFound', `${what} does not exist.`);
const unsupported = (name: string): Problem =>
  new Problem(Number(pick('unsupportedStatus')), 'Request_UnsupportedQuery', `${name} is not supported here.`);
const fail = (problem: Problem): never => { throw problem; };
const attempt = <T>(act: () => T, message: string): T => {
  try { return act(); } catch { throw bad(message); }
};

// ---- Resource types
type Kind = 'string' | 'boolean' | 'number' | 'time' | 'object' | 'list';
interface Prop { kind: Kind; mark?: string; fields?: Props; of?: Prop; oneOf?: string[] }
type Props = Record<string, Prop>;
interface Relation { spec: () => Spec; get: (row: Row) => unknown }
interface Spec { team: string; props: Props; refused: string[]; relations?: Record<string, Relation> }
/** Reads `name`, `name:kind` and marks: ? may be null, ! cannot be written, + is required and not blank. */
const fields = (source: string): Props => Object.fromEntries(source.split(' ').map((word): [string, Prop] => {
  const [, name, mark, kind = 'string'] = /^(\w+)([?!+]?):?(\w+)?$/.exec(word) ?? [];
  return [name, { kind: kind as Kind, mark }];
}));
const object = (inner: Props, mark = ''): Prop => ({ kind: 'object', fields: inner, mark });
const list = (of: Prop, mark = ''): Prop => ({ kind: 'list', of, mark });
const oneOf = (...values: string[]): Prop => ({ kind: 'string', oneOf: values });
const spec = (team: string, source: string, more: Props = {}, relations: Record<string, Relation> = {}): Spec => ({
  team, props: { ...fields(source), ...more }, relations,
  refused: { noSkip: ['$skip'], noSearch: ['$search'] }[pick(`${team}.options`)] ?? [],
});
const recipient = (mark = ''): Prop => object({ emailAddress: object(fields('name? address+'), '+') }, mark);
const size = object(fields('url width:number height:number'));
const thumbnailSpec = spec('items', 'id', { small: size, medium: size, large: size });
const userSpec = spec('users', 'id! userPrincipalName! displayName+ givenName? surname? mail? jobTitle? department? ' +
  'officeLocation? accountEnabled:boolean', { assignedLicenses: list(object(fields('skuId+'))) },
{ manager: { spec: () => userSpec, get: (row) => managerOf(row) } });
const FLAGS = fields('mailEnabled+:boolean securityEnabled+:boolean');
const groupSpec = spec('groups', 'id! displayName+ description? mailNickname+', FLAGS);
const memberSpec: Spec = {
  ...groupSpec, props: { ...userSpec.props, ...groupSpec.props }, refused: ['$filter', '$search', '$orderby', '$skip'],
};
const attachmentSpec = spec('messages', 'id name contentType size:number isInline:boolean');
const extendedSpec = spec('messages', 'id value');
const messageSpec = spec('messages', 'id! subject? receivedDateTime:time isRead:boolean hasAttachments!:boolean', {
  from: recipient('?'), toRecipients: list(recipient()), importance: oneOf('low', 'normal', 'high'),
  body: object({ content: { kind: 'string' }, contentType: oneOf('text', 'html') }),
}, {
  attachments: { spec: () => attachmentSpec, get: (row) => row.attachments },
  singleValueExtendedProperties: { spec: () => extendedSpec, get: (row) => row.extended },
});
const itemSpec = spec('items', 'id name size:number webUrl createdDateTime:time',
  { file: object(fields('mimeType')), folder: object(fields('childCount:number')) },
  { thumbnails: { spec: () => thumbnailSpec, get: (row) => thumbnailsOf(row) } });
const OWNER = { owner: object(fields('name address')) };
const calendarSpec = spec('messages', 'id name color isDefaultCalendar:boolean canEdit:boolean', OWNER);
const alertSpec = spec('messages', 'eventId eventSubject eventStartTime:time eventEndTime:time reminderFireTime:time');

// ---- The organisation
const hash = (seed: string): string => createHash('sha1').update(seed).digest('hex');
const guid = (seed: string): string => hash(seed).replace(/^(.{8})(....).(...).(...)(.{12}).*$/, '$1-$2-4$3-a$4-$5');
const mailId = (seed: string): string => `AAMkAG${Buffer.from(hash(seed)).toString('base64url').slice(0, 38)}=`;
const itemId = (seed: string): string => `01${hash(seed).slice(0, 24).toUpperCase()}`;
const cycle = <T>(words: T[], at: number): T => words[at % words.length];
const ascii = (name: string): string => name.normalize('NFD').replace(/[^a-z]/gi, '').toLowerCase();
const stamp = (minutes: number, fraction = ''): string =>
  new Date(Date.UTC(2026, 2, 2, 7, 30, 15) + minutes * 60000).toISOString().replace('.000', fraction);
const GIVEN = 'Anna,José,Zoë,Nadia,anders,Siobhán,Liam,Renée,Björn,DeShawn,Ines,mei'.split(',');
const FAMILY = "O'Neill,Berg,García,van der Meer,D'Angelo,Müller,MacLeod,Nowak,smith,Smith,Östlund,Li,Çelik".split(',');
const users: Row[] = Array.from({ length: 48 }, (_, i) => {
  const twin = i === 20 || i === 33 ? 5 : i; // three people with one display name
  const [givenName, surname] = [cycle(GIVEN, twin), cycle(FAMILY, twin * 5 + Math.floor(twin / 12))];
  const name = `${ascii(givenName)}.${ascii(surname)}${i < 12 ? '' : i}@contoso.example`;
  return {
    id: guid(`user ${i}`), givenName, surname, userPrincipalName: name, accountEnabled: i % 8 !== 6, changed: 0,
    displayName: i % 16 === 9 ? `${givenName} ${surname}`.toUpperCase() : `${givenName} ${surname}`,
    mail: i % 11 === 7 ? null : i % 9 === 4 ? name.replace('contoso', 'Contoso') : name,
    jobTitle: cycle(['Engineer', 'Senior engineer', null, 'Product Manager', 'analyst', 'Sales Director', 'Buyer'], i),
    department: cycle(['Engineering', 'Sales', 'Finance', null, 'Human Resources', 'Legal & Compliance'], i),
    officeLocation: cycle(['Berlin 2/105', 'Zürich 1/12', 'Oslo 4/7', null, 'Dublin 3/3'], i),
    assignedLicenses: ['mail', 'office', 'security'].slice(0, i % 4).map((sku) => ({ skuId: guid(sku) })),
    managerId: i === 0 || i % 13 === 12 ? null : guid(`user ${Math.floor((i - 1) / 4)}`),
  };
});
const me = users[3];
const managerOf = (row: Row): Row | undefined => users.find((user) => user.id === row.managerId);
const groups: Row[] = ("All staff,Engineering,Sales Éire,Leadership,platform team,Platform Team,People's Council," +
  'Zürich office,Reviewers,Games,finance readers,Émigrés & friends,Art,Zen').split(',').map((displayName, i) => ({
  id: guid(`group ${i}`), displayName, description: i % 3 === 2 ? null : `Group for ${displayName}`,
  mailEnabled: i % 2 === 1, securityEnabled: i % 3 !== 2, mailNickname: `${ascii(displayName)}${i}`,
  members: [...users.filter((_, at) => (at * 7 + i) % 9 < 2).map((user) => user.id),
    ...(i < 2 ? [guid(`group ${i * 5 + 1}`), guid(`group ${i + 6}`)] : i === 8 ? [guid('group 1')] : [])],
}));
const hasMember = (group: Row, id: string): boolean => (group.members as string[]).includes(id);
const address = (one: Row): Json => ({ emailAddress: { name: one.displayName, address: one.userPrincipalName } });
const TOPICS = "Budget review,Release plan,Lunch,Report on a report,Café opening,budget review,Zoë's party".split(',');
const messages: Row[] = Array.from({ length: 60 }, (_, i) => {
  const topic = cycle(TOPICS, i * 4 + Math.floor(i / 9));
  const words = `please read the notes on ${topic.toLowerCase()} &amp; answer by day ${1 + (i % 28)}.`;
  const attachments = Array.from({ length: i % 6 ? 0 : 1 + (i % 4) }, (_, at) =>
    ({ id: mailId(`${i} ${at}`), name: `é ${i}.txt`, contentType: 'text/plain', size: 2048 + at, isInline: at === 1 }));
  return {
    id: mailId(`message ${i}`), subject: i % 5 === 3 ? `RE: ${topic}` : topic, isRead: i % 3 !== 0,
    attachments, hasAttachments: attachments.length > 0, from: address(users[(i * 11 + 1) % 48]),
    receivedDateTime: stamp(Math.floor(i / 2) * 437, i % 2 ? cycle(['.480', '.0625', '.9990001'], i) : ''),
    importance: cycle(['normal', 'high', 'normal', 'low', 'normal'], i),
    toRecipients: [me, users[(i * 5) % 48], users[(i * 3 + 7) % 48]].slice(0, 1 + (i % 3)).map(address),
    body: i % 2 ? { contentType: 'html', content: `<html><body><p>Hello,</p><p>${words}</p></body></html>` }
      : { contentType: 'text', content: `Hello, ${words.replace('&amp;', '&')}` },
    extended: i % 5 ? [] : [{ id: `String {${guid('properties')}} Name Project`, value: `P-${100 + i}` }],
  };
});
const PATHS = ['', ...['Projects', 'Pictures', 'Éclairage', 'archive'].flatMap((top) => ['', '/Plan.txt',
  "/team's notes.txt", '/2025', '/2025/photo.png', '/2025/Überblick.png'].map((rest) => `/${top}${rest}`)),
'/readme.txt', '/README.txt', '/Zulu.png'];
const sizeOf = (path: string): number => (path.includes('.') ? 500 + path.length * 917 : 0);
const [root, ...items]: Row[] = PATHS.map((path, i) => {
  const [parent, name, below] = [path.replace(/\/[^/]*$/, ''), path.split('/').pop(), new RegExp(`^${path}/[^/]+$`)];
  const size = PATHS.filter((one) => one === path || one.startsWith(`${path}/`)).map(sizeOf).reduce((a, b) => a + b, 0);
  const facet = path.includes('.') ? { file: { mimeType: path.endsWith('.png') ? 'image/png' : 'text/plain' } }
    : { folder: { childCount: PATHS.filter((one) => below.test(one)).length } };
  const [webUrl, createdDateTime] = [`https://contoso.example/drive${encodeURI(path)}`, stamp(i * 611)];
  return { id: itemId(path), name: name || 'root', size, webUrl, createdDateTime, parent: itemId(parent), ...facet };
});
const childrenOf = (row: Row): Row[] => items.filter((item) => item.parent === row.id);
const image = (id: string, width: number): Json => ({ url: `https://t.example/${id}/${width}`, width, height: 64 });
const thumbnailsOf = ({ id, file }: Row): Row[] =>
  (file ? [{ id: '0', small: image(id, 96), medium: image(id, 176), large: image(id, 800) }] : []);
const owner = address(me).emailAddress;
const calendar = { id: mailId('C'), name: 'Calendar', color: 'auto', isDefaultCalendar: true, canEdit: true, owner };
const reminders: Row[] = Array.from({ length: 14 }, (_, i) => {
  const [id, start] = [mailId(`event ${i}`), 60 * 24 * 35 + i * 655];
  const times = { eventStartTime: stamp(start), eventEndTime: stamp(start + 45), reminderFireTime: stamp(start - 15) };
  return { id, eventId: id, eventSubject: cycle(['Stand-up', 'Budget review', "Zoë's interview"], i), ...times };
});
const onlyById: Row[] = []; // used by two faults

// ---- Comparing values
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.(\d{1,12}))?Z$/i;
/** A text that sorts like the moment, with all digits of the fraction; undefined if it is no timestamp. */
function moment(value: unknown): string | undefined {
  const [, minute, second = ':00', part = ''] = TIME.exec(String(value)) ?? [];
  const valid = minute && !Number.isNaN(Date.parse(`${minute}${second}Z`));
  return valid ? `${minute.toUpperCase()}${second}.${part.padEnd(12, '0')}` : undefined;
}
const fold = (one: string, team: string): string => (pick(`${team}.collation`) === 'exact' ? one : one.toLowerCase());
const binary = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
function order(a: unknown, b: unknown, kind: Kind, team: string): number { // of values that are not null
  if (kind === 'number' || kind === 'boolean') return binary(Number(a), Number(b));
  if (kind === 'time') return binary(moment(a) ?? '', moment(b) ?? '');
  const [x, y, how] = [String(a), String(b), pick(`${team}.order`)];
  if (how === 'ignoreCase') return binary(x.toLowerCase(), y.toLowerCase());
  return how === 'locale' ? x.localeCompare(y, 'en') : binary(x, y);
}
/** True, false, or null for unknown. Exactly one of eq, gt and lt holds for values that are not null. */
function compare(op: string, a: unknown, b: unknown, kind: Kind, team: string, withNull: boolean): boolean | null {
  if (a === null || b === null) {
    if (pick(`${team}.nullLogic`) === 'three' && !(withNull && /eq|ne/.test(op))) return null;
    return op === 'eq' ? a === b : op === 'ne' && a !== b;
  }
  const same = kind === 'string' ? fold(String(a), team) === fold(String(b), team) : order(a, b, kind, team) === 0;
  const rank = same ? 0 : order(a, b, kind, team) || binary(String(a), String(b));
  return { eq: same, ne: !same, gt: rank > 0, ge: rank >= 0, lt: rank < 0, le: rank <= 0 }[op] ?? null;
}
const dig = (value: unknown, path: string[]): unknown =>
  path.reduce((at: unknown, name) => (at as Json | null)?.[name] ?? null, value);
const propAt = (start: Prop, path: string[]): Prop => path.reduce((prop, name) => {
  if (prop.fields && Object.hasOwn(prop.fields, name)) return prop.fields[name];
  throw bad(`Could not find a property named '${path.join('/')}'.`);
}, start);

// ---- $filter
type Value = (row: Row, vars: Json) => unknown;
interface Term { kind: Kind | 'null'; value: Value }
const kindOf = (value: unknown): Term['kind'] => (value === null ? 'null' : typeof value as Kind);
const constant = (value: unknown, kind = kindOf(value)): Term => ({ kind, value: () => value });
const condition = (value: Value): Term => ({ kind: 'boolean', value });
const LEXEME = new RegExp("'(?:[^']|'')*'|\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|[\\da-f]{8}(?:-[\\da-f]{4}){3}-" +
  '[\\da-f]{12}|-?\\d+(?:\\.\\d+)?(?![\\w-])|[a-z_]\\w*(?:/[a-z_]\\w*)*|[(),:]', 'gi');
const holds = (name: string, whole: string, part: string): boolean => (name === 'startswith' ? whole.startsWith(part)
  : name === 'contains' ? whole.includes(part) : FAULT !== 'filter-endswith-first' ? whole.endsWith(part)
    : whole.includes(part) && whole.indexOf(part) === whole.length - part.length);
function parseFilter(source: string, { props, team }: Spec, advanced: () => unknown): (row: Row) => boolean {
  const lexemes: string[] = source.match(LEXEME) ?? [];
  if (source.replace(LEXEME, '').trim() || lexemes.length > 400) throw bad('Invalid filter clause: syntax error.');
  let at = 0;
  const scopes = new Map<string, Prop>(); // the variables of lambdas
  const take = (...wanted: string[]): string | undefined =>
    (!wanted.length || wanted.includes(lexemes[at]) ? lexemes[at++] : undefined);
  const before = (mark: string, term: Term): Term => { // the mark must follow the term
    if (!take(mark)) throw bad(`Invalid filter clause: '${mark}' expected.`);
    return term;
  };
  const chain = (next: () => Term, ...ops: string[]) => (): Term => { // Kleene logic
    let left = next();
    for (let op = take(...ops); op; op = take(...ops)) {
      const [a, b, decisive] = [left, next(), op === 'or'];
      left = condition((row, vars) => {
        const sides = [a.value(row, vars), b.value(row, vars)];
        return sides.includes(decisive) ? decisive : sides.includes(null) ? null : !decisive;
      });
    }
    return left;
  };
  const either = chain(chain(negation, ...(FAULT === 'filter-precedence' ? ['and', 'or'] : ['and'])), 'or');
  function negation(): Term {
    if (!take('not')) return comparison();
    const inner = negation();
    const turned = (value: unknown): boolean | null => (value === null ? null : !value);
    return condition((row, vars) => turned(inner.value(row, vars)));
  }
  function comparison(): Term {
    const [left, op] = [operand(), take('eq', 'ne', 'gt', 'ge', 'lt', 'le')];
    if (!op && left.kind !== 'boolean') throw bad('Invalid filter clause: a condition is expected.');
    if (!op) return left;
    const right = operand();
    const [withNull, kind] = [[left.kind, right.kind].includes('null'), left.kind === 'null' ? right.kind : left.kind];
    const fits = kind === 'object' ? withNull : kind !== 'list' && (withNull || left.kind === right.kind);
    if (kind === 'null' || !fits) throw bad(`Incompatible operand types for '${op}'.`);
    return condition((row, vars) => compare(op, left.value(row, vars), right.value(row, vars), kind, team, withNull));
  }
  function operand(): Term {
    const word = take() ?? '';
    if (word === '(') return before(')', either());
    if (word.startsWith("'")) return constant(word.slice(1, -1).replaceAll("''", "'"));
    if (moment(word) || /^[\da-f]{8}-/i.test(word)) return constant(word, moment(word) ? 'time' : 'string');
    if (/^-?\d+(\.\d+)?$/.test(word)) return constant(Number(word));
    if (['true', 'false', 'null'].includes(word)) return constant(JSON.parse(word));
    if (!/^[a-z_]/i.test(word)) throw bad(`Invalid filter clause: an operand is expected, not '${word}'.`);
    const path = word.split('/');
    if (take('(')) return path[path.length - 1] === 'any' ? lambda(path.slice(0, -1)) : call(word.toLowerCase());
    const { kind } = propAt(object({ ...props, ...Object.fromEntries(scopes) }), path); // variables come first
    return { kind, value: (row, vars) => dig({ ...row, ...vars }, path) };
  }
  function call(name: string): Term {
    if (!['startswith', 'endswith', 'contains', 'tolower'].includes(name)) throw bad(`Unknown function '${name}'.`);
    const whole = before(name === 'tolower' ? ')' : ',', operand());
    const part = name === 'tolower' ? whole : before(')', operand());
    if (whole.kind !== 'string' || part.kind !== 'string') throw bad(`The function '${name}' takes strings.`);
    if (name === 'contains') advanced();
    const lower: Value = (row, vars) => (whole.value(row, vars) as string | null)?.toLowerCase() ?? null;
    if (name === 'tolower') return { kind: 'string', value: lower };
    return condition((row, vars) => {
      const [a, b] = [whole.value(row, vars), part.value(row, vars)];
      if (a === null || b === null) return pick(`${team}.nullLogic`) === 'two' ? false : null;
      return holds(name, fold(String(a), team), fold(String(b), team));
    });
  }
  function lambda(path: string[]): Term {
    const [{ of }, name] = [propAt(object(props), path), take() ?? ''];
    if (!of || !/^[a-z_]\w*$/i.test(name) || !take(':')) throw bad('Invalid lambda expression.');
    advanced();
    scopes.set(name, of);
    const inner = before(')', either());
    scopes.delete(name);
    const fits = (row: Row, one: unknown): boolean => inner.value(row, { [name]: one }) === true;
    return condition((row) => ((dig(row, path) ?? []) as unknown[]).some((one) => fits(row, one)));
  }
  const whole = either();
  if (at < lexemes.length) throw bad(`Invalid filter clause: unexpected '${lexemes[at]}'.`);
  return (row) => whole.value(row, {}) === true;
}

// ---- $search
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
const htmlToText = (html: string): string => html.replace(/<\/p>|<br\s*\/?>/gi, '\n').replace(/<[^>]*>/g, '')
  .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name]).trim();
const flatten = (value: unknown): string => (value && typeof value === 'object'
  ? Object.values(value).map(flatten).join('\n') : htmlToText(String(value ?? '')));
function parseSearch(source: string, { team, props }: Spec): (row: Row) => boolean {
  const searchable = Object.keys(props).filter((name) => ['string', 'object', 'list'].includes(props[name].kind));
  if (!/^\s*"[^"]*"(\s+OR\s+"[^"]*")*\s*$/.test(source)) throw bad('$search needs "<property>:<term>" joined with OR.');
  const [how, letter] = [pick(`${team}.search`), '[\\p{L}\\p{N}]'];
  const terms = (source.match(/"[^"]*"/g) ?? []).flatMap((part) => part.slice(1, -1).split(/\s+OR\s+/)).map((part) => {
    const [, name, term] = /^\s*(?:(\w+):)?\s*(.*?)\s*$/s.exec(part) ?? [];
    if (!term || (name && !searchable.includes(name))) throw bad(`'${part}' cannot be searched.`);
    const text = term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const form = `${how === 'substring' ? '' : `(?<!${letter})`}${text}${how === 'word' ? `(?!${letter})` : ''}`;
    return { names: !name || FAULT === 'search-property-ignored' ? searchable : [name], form: new RegExp(form, 'iu') };
  });
  return (row) => terms.some(({ names, form }) => names.some((name) => form.test(flatten(row[name]))));
}

// ---- Query options
type Headers = IncomingMessage['headers'];
interface Context { path: string; base: string; params: URLSearchParams; headers: Headers; body: unknown }
interface Expansion { name: string; relation: Relation; select?: string[] }
interface SortKey { path: string[]; kind: Kind; desc: boolean }
const ITEM_OPTIONS = ['$select', '$expand'];
const COLLECTION_OPTIONS = [...ITEM_OPTIONS, '$filter', '$orderby', '$top', '$skip', '$count', '$search'];
function commaParts(source: string): string[] {
  const parts = source.match(/(?:[^,()]|\([^()]*\))+/g);
  return parts?.join(',') === source ? parts.map((part) => part.trim()) : fail(bad(`Syntax error in '${source}'.`));
}
function parseSelect(source: string, { props, relations = {} }: Spec): string[] {
  const names = commaParts(source).flatMap((name) => (name === '*' ? Object.keys(props) : [name]));
  const known = names.every((name) => Object.hasOwn(props, name) || Object.hasOwn(relations, name));
  return known || pick('unknownOption') === 'ignore' ? names : fail(bad(`'${source}' names an unknown property.`));
}
function parseExpand(source: string, { relations = {} }: Spec): Expansion[] {
  const all = commaParts(source).map((part) => {
    const [, name = '', inner] = /^(\w+)\s*(?:\(\s*\$select\s*=([^()=]*)\))?$/.exec(part) ?? [];
    if (!Object.hasOwn(relations, name)) throw bad(`'${part}' cannot be expanded; only $select may be nested.`);
    const select = inner === undefined ? undefined : parseSelect(inner, relations[name].spec());
    return { name, relation: relations[name], select: FAULT === 'expand-select-ignored' ? undefined : select };
  });
  return FAULT === 'expand-second-lost' ? all.slice(0, 1) : all;
}
function parseOrder(source: string, { props }: Spec): SortKey[] {
  let sticky = false;
  return commaParts(source).map((part) => {
    const [, name = '', direction] = /^([\w/]+)(?:\s+(asc|desc))?$/.exec(part) ?? [];
    const { kind } = propAt(object(props), name.split('/'));
    if (kind === 'object' || kind === 'list') throw bad(`'${name}' cannot be sorted by.`);
    sticky = direction === 'desc' || (sticky && FAULT === 'order-desc-sticks');
    return { path: name.split('/'), kind, desc: sticky };
  });
}
const parseValue = (form: RegExp) => (source: string): unknown =>
  (form.test(source) ? JSON.parse(source) : fail(bad(`The value '${source}' of an option is not valid.`)));
const parseInteger = (source: string): number => Number(parseValue(/^(0|[1-9]\d{0,8})$/)(source));
const makeToken = (token: Json): string => Buffer.from(JSON.stringify(token)).toString('base64url');
function readToken(source: string): Json {
  const token: unknown = attempt(() => JSON.parse(Buffer.from(source, 'base64url').toString()), 'Invalid token.');
  return Number.isInteger((token as Json | null)?.at) ? token as Json : fail(bad('Invalid token.'));
}
function parseQuery(context: Context, spec: Spec, allowed: string[]) {
  const { params, headers, path } = context;
  for (const name of new Set([...params.keys()].filter((one) => /^\$(?!skiptoken$|deltatoken$)/.test(one)))) {
    if (params.getAll(name).length > 1) throw bad(`${name} is given more than once.`);
    const known = COLLECTION_OPTIONS.includes(name);
    if (!known && pick('unknownOption') === 'refuse') throw bad(`Unknown query option '${name}'.`);
    if (known && !allowed.includes(name)) throw unsupported(name);
  }
  const read = <T>(name: string, parse: (source: string, spec: Spec) => T): T | undefined =>
    (allowed.includes(name) && params.has(name) ? parse(params.get(name) ?? '', spec) : undefined);
  const token = params.has('$skiptoken') ? readToken(params.get('$skiptoken') ?? '') : undefined;
  const eventual = /^eventual$/i.test(String(headers.consistencylevel)) || token?.eventual === true;
  const advanced = (): unknown => eventual || fail(
    bad('Advanced query capabilities are not available without the header ConsistencyLevel: eventual.'));
  const filter = read('$filter', (source) => parseFilter(source, spec, advanced));
  const search = read('$search', (source) => parseSearch(source, spec));
  const top = read('$top', parseInteger);
  if ((top ?? 0) > 999 && pick('topMaximum') === 'refuse') throw bad('$top must be at most 999.');
  const count = read('$count', parseValue(/^(true|false)$/)) ?? path.endsWith('/$count');
  const rule = pick(`${spec.team}.countHeader`);
  if (search || (count && (rule === 'always' || (rule === 'filtered' && filter)))) advanced();
  return {
    select: read('$select', parseSelect), expand: read('$expand', parseExpand), top, count, token, eventual,
    keys: read('$orderby', parseOrder) ?? [], skip: read('$skip', parseInteger) ?? 0,
    keep: (row: Row) => (filter?.(row) ?? true) && (search?.(row) ?? true),
  };
}

// ---- Answers
interface Reply { status: number; body?: Json; text?: string }
const wantedBody = ({ headers }: Context): string | undefined =>
  /(?:^|[,;.\s])body-content-type\s*=\s*"?(text|html)\b/i.exec(String(headers.prefer))?.[1].toLowerCase();
function usual(row: Row, given: Spec, inList = false): string[] { // what comes without $select
  const own = given !== memberSpec ? given : groups.includes(row) ? groupSpec : userSpec;
  const left = own === userSpec && pick('users.defaults') === 'graph' ? 'accountEnabled assignedLicenses department'
    : own === messageSpec && inList && pick('messages.defaults') === 'noBody' ? 'body' : '';
  return Object.keys(own.props).filter((name) => !left.split(' ').includes(name));
}
function shape(row: Row, one: Spec, context: Context, full: string[], names?: string[], expand?: Expansion[]): Json {
  const asked = names ? [...names, ...(pick(`${one.team}.key`) === 'always' ? ['id'] : [])] : full;
  const rest = pick(`${one.team}.unselected`) === 'null' ? full.filter((name) => !asked.includes(name)) : [];
  const out: Json = Object.fromEntries(rest.map((name) => [name, null]));
  for (const name of Object.keys(one.props)) if (asked.includes(name) && row[name] !== undefined) out[name] = row[name];
  if (one === memberSpec) out['@odata.type'] = `#microsoft.graph.${groups.includes(row) ? 'group' : 'user'}`;
  const html = dig(out, ['body', 'contentType']) === 'html' ? String(dig(out, ['body', 'content'])) : undefined;
  const asText = html !== undefined && (wantedBody(context) ?? pick('messages.body')) === 'text';
  if (asText) out.body = { contentType: 'text', content: htmlToText(html) };
  for (const { name, relation, select } of expand ?? []) {
    const [related, spec] = [relation.get(row) as Row | Row[] | undefined, relation.spec()];
    const inner = (target: Row): Json => shape(target, spec, context, usual(target, spec), select);
    if (related) out[name] = Array.isArray(related) ? related.map(inner) : inner(related);
  }
  return out;
}
function link({ path, base, params }: Context, kept: string[], name: string, token: Json): string {
  const all = [...[...params].filter(([one]) => kept.includes(one)), [name, makeToken(token)]];
  const search = all.map(([one, value]) => `${one}=${encodeURIComponent(value)}`).join('&');
  return `${pick('nextLink') === 'absolute' ? base : ''}${path}?${search}`;
}
const sorter = (keys: SortKey[], team: string) => (a: Row, b: Row): number => {
  for (const { path, kind, desc } of keys) {
    const [x, y, sign, place] = [dig(a, path), dig(b, path), desc ? -1 : 1, pick(`${team}.nulls`)];
    const behind = Number(x === null) - Number(y === null); // above zero if null comes behind
    const nulls = place === 'last' ? behind : place === 'highest' ? behind * sign : -behind * sign;
    const rank = x === null || y === null ? nulls : order(x, y, kind, team) * sign;
    if (rank) return rank;
  }
  return 0;
};
function readCollection(context: Context, spec: Spec, rows: Row[]): Reply {
  const query = parseQuery(context, spec, COLLECTION_OPTIONS.filter((name) => !spec.refused.includes(name)));
  const [{ token, top, keys }, bySort] = [query, sorter(query.keys, spec.team)];
  const all = rows.filter(query.keep).sort(bySort);
  // A next link goes on behind the last item shown, so that writes between two pages shift nothing.
  const last = token ? all.findIndex((row) => row.id === token.last) : -1;
  let start = last >= 0 ? last + 1 : Math.max(0, Number(token?.at ?? query.skip));
  const ties = FAULT === 'paging-ties-lost' && last >= 0 && keys.length > 0;
  while (ties && start < all.length && bySort(all[start], all[last]) === 0) start += 1;
  const [page, sent] = [Math.min(top ?? Number(pick(`${spec.team}.pageSize`)), 999), Number(token?.sent ?? 0)];
  const left = top !== undefined && pick(`${spec.team}.top`) === 'limit' ? top - sent : Infinity;
  const shown = all.slice(start, start + Math.min(page, left));
  if (FAULT === 'select-order-leaks') query.select?.push(...keys.map((key) => key.path[0]));
  const value = shown.map((row) => shape(row, spec, context, usual(row, spec, true), query.select, query.expand));
  const body: Json = query.count ? { '@odata.count': all.length, value } : { value };
  const end = start + shown.length;
  if (shown.length && end < all.length && left > shown.length) {
    const lost = FAULT === 'paging-order-lost' ? '$orderby' : undefined;
    const next = { at: end, last: lost ?? all[end - 1].id, sent: sent + shown.length, eventual: query.eventual };
    body['@odata.nextLink'] = link(context, COLLECTION_OPTIONS.filter((name) => name !== lost), '$skiptoken', next);
  }
  return { status: 200, body };
}
function readItem(context: Context, spec: Spec, row?: Row): Reply {
  if (!row) throw missing('The manager');
  const { select, expand } = parseQuery(context, spec, ITEM_OPTIONS);
  const ignored = FAULT === 'item-select-ignored' && spec === groupSpec;
  const body = shape(row, spec, context, usual(row, spec), ignored ? undefined : select, expand);
  const recipients = body.toRecipients as unknown[] | undefined;
  if (FAULT === 'item-first-recipient' && recipients) body.toRecipients = recipients.slice(0, 1);
  return { status: 200, body };
}
function usersDelta(context: Context): Reply {
  const query = parseQuery(context, userSpec, ['$select']);
  const old = readToken(context.params.get('$deltatoken') ?? makeToken({ at: -1 }));
  const { at, until, since } = query.token ?? { at: 0, until: lastChange, since: old.at };
  const rows = users.filter((user) => Number(user.changed) > Number(since));
  const end = Number(at) + Number(pick('users.pageSize'));
  const value = rows.slice(Number(at), end)
    .map((row) => shape(row, userSpec, context, usual(row, userSpec, true), query.select));
  const next = (name: string, token: Json): string => link(context, ['$select'], name, token);
  const onward = end < rows.length ? { '@odata.nextLink': next('$skiptoken', { at: end, until, since }) }
    : { '@odata.deltaLink': next('$deltatoken', { at: Number(until ?? 0) }) };
  return { status: 200, body: { value, ...onward } };
}

// ---- Writes
function clean(value: unknown, prop: Prop, name: string, team: string): unknown {
  if (value === null && prop.mark === '?') return null;
  if (prop.kind === 'list' && Array.isArray(value)) return value.map((one) => clean(one, prop.of as Prop, name, team));
  if (prop.kind === 'object') return cleanFields(value, prop.fields ?? {}, name, team);
  const fits = prop.kind === 'time' ? typeof value === 'string' && moment(value) : typeof value === prop.kind;
  const blank = prop.mark === '+' && prop.kind === 'string' && !String(value).trim();
  const strange = prop.oneOf && !prop.oneOf.includes(String(value));
  return fits && !blank && !strange ? value : fail(bad(`The value of '${name}' is not valid.`));
}
function cleanFields(body: unknown, props: Props, where: string, team: string, partial = false): Json {
  if (!body || typeof body !== 'object' || Array.isArray(body)) throw bad(`'${where}' must be an object.`);
  const out: Json = {};
  for (const [name, value] of Object.entries(body).filter(([one]) => !one.includes('@'))) { // but annotations
    const known = Object.hasOwn(props, name);
    if (!known && pick(`${team}.unknownBody`) === 'refuse') throw bad(`There is no property '${name}'.`);
    if (known && props[name].mark !== '!') out[name] = clean(value, props[name], name, team);
  }
  const lacking = Object.keys(props).find((name) => props[name].mark === '+' && out[name] === undefined);
  if (lacking && !partial) throw bad(`The property '${lacking}' of '${where}' is required.`);
  return out;
}
const store = (row: Row, change: Json): Row => // the parts of a body that are not given stay
  Object.assign(row, change, { body: { ...(row.body as Json), ...(change.body as Json | undefined) } });
const written = (context: Context, one: Spec, row: Row, status: string): Reply => // with all properties
  ({ status: Number(status), body: shape(row, one, context, Object.keys(one.props)) });
let [created, lastChange] = [0, 0];
function createMessage(context: Context): Reply {
  const change = cleanFields(context.body, messageSpec.props, 'message', 'messages');
  const row = store({
    id: mailId(`created ${++created}`), subject: '', receivedDateTime: new Date().toISOString(), isRead: false,
    hasAttachments: false, importance: 'normal', from: address(me), toRecipients: [],
    body: { contentType: 'text', content: '' }, attachments: [], extended: [],
  }, change);
  messages.push(row);
  const answered = written(context, messageSpec, row, pick('createStatus'));
  if (FAULT === 'create-importance-lost') row.importance = 'normal';
  return answered;
}
function updateMessage(context: Context, key: string): Reply {
  const [row, base] = [findMessage(key), FAULT === 'update-applies-defaults' ? { importance: 'normal' } : {}];
  store(row, { ...base, ...cleanFields(context.body, messageSpec.props, 'message', 'messages', true) });
  return written(context, messageSpec, row, '200');
}
function updateMe(context: Context): Reply {
  const change = Object.entries(cleanFields(context.body, userSpec.props, 'user', 'users', true))
    .filter(([, value]) => FAULT !== 'update-null-ignored' || value !== null);
  Object.assign(me, Object.fromEntries(change), { changed: ++lastChange });
  return written(context, userSpec, me, '200');
}
function createGroup(context: Context): Reply {
  const change = cleanFields(context.body, groupSpec.props, 'group', 'groups');
  const lower = (one: Json): string => String(one.mailNickname).toLowerCase();
  if ([...groups, ...onlyById].some((group) => lower(group) === lower(change))) throw bad('mailNickname is taken.');
  const row: Row = { id: guid(`created ${++created}`), description: null, ...change, members: [] };
  if (FAULT === 'create-false-becomes-true') row.securityEnabled = row.securityEnabled || true;
  (FAULT === 'create-group-unlisted' ? onlyById : groups).push(row);
  return written(context, groupSpec, row, pick('createStatus'));
}
const remove = (rows: Row[], by: Find<Row>): Handler => (_, key) => {
  const row = by(key);
  for (const kept of [rows, onlyById]) if (kept.includes(row)) kept.splice(kept.indexOf(row), 1);
  for (const group of groups) group.members = (group.members as string[]).filter((id) => id !== row.id);
  if (rows === messages && FAULT === 'delete-still-readable') onlyById.push(row);
  return { status: Number(pick('deleteStatus')) };
};

// ---- Functions and actions
function myGroups(): Row[] {
  const mine = new Set(groups.filter((group) => hasMember(group, me.id)));
  if (pick('membership') === 'direct') return [...mine];
  for (const inner of mine) { // a set also visits what is added on the way
    for (const outer of groups) if (hasMember(outer, inner.id)) mine.add(outer);
  }
  return [...mine];
}
function memberGroups({ body }: Context): Reply {
  const { securityEnabledOnly } = cleanFields(body, fields('securityEnabledOnly+:boolean'), 'body', 'groups');
  const secure = (one: Row): unknown => (FAULT === 'member-groups-mail-flag' ? !one.mailEnabled : one.securityEnabled);
  const value = myGroups().filter((group) => !securityEnabledOnly || secure(group)).map((group) => group.id);
  return { status: 200, body: { value } };
}
function memberObjects({ body }: Context): Reply {
  const ids = cleanFields(body, { ids: list({ kind: 'string' }, '+') }, 'body', 'groups').ids as string[];
  return { status: 200, body: { value: myGroups().map(({ id }) => id).filter((id) => ids.includes(id)) } };
}
function reminderView(context: Context, parameters: string): Reply {
  const given = parameters.split(',').map((part) => /^\s*(startDateTime|endDateTime)\s*=\s*'([^']*)'\s*$/.exec(part));
  const [from, to] = ['startDateTime', 'endDateTime']
    .map((name) => moment(given.find((match) => match?.[1] === name)?.[2]));
  if (given.length !== 2 || !from || !to || from > to) throw bad('startDateTime must be before endDateTime.');
  const overlap = pick('reminderWindow') === 'overlap';
  const rows = reminders.map((row) => [row, moment(row.eventStartTime) ?? '', moment(row.eventEndTime) ?? ''] as const)
    .filter(([, start, end]) => start < to && (overlap ? end > from : start >= from)).map(([row]) => row);
  return readCollection(context, alertSpec, rows);
}

// ---- Paths, and what answers each method. `me` is also reached by its own id.
type Handler = (context: Context, key: string) => Reply;
type Find<T> = (key: string) => T;
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const find = (rows: Row[], form: RegExp): Find<Row> => (key) => {
  const row = [...rows, ...onlyById].find((one) => one.id === key || (rows === users && one.userPrincipalName === key));
  return row ?? fail(form.test(key) || pick('malformedKey') === '404' ? missing(key) : bad('Malformed identifier.'));
};
const [findUser, findGroup] = [find(users, new RegExp(`${GUID.source}|@`, 'i')), find(groups, GUID)];
const findMessage = find(messages, /^AAMk[\w-]+=*$/);
const findItem: Find<Row> = (key) => (key === 'root' ? root : find([...items, root], /^01[\dA-F]{24}$/)(key));
const membersOf = (group: Row): Row[] => [...users, ...groups].filter((one) => hasMember(group, one.id));
const newest = (a: Row, b: Row): number => order(b.receivedDateTime, a.receivedDateTime, 'time', 'messages');
const countUsers: Handler = (context) =>
  ({ status: 200, text: String(users.filter(parseQuery(context, userSpec, ['$filter', '$search']).keep).length) });
const many = (one: Spec, rows: Find<Row[]>): Handler => (context, key) => readCollection(context, one, rows(key));
const item = (one: Spec, row: Find<Row | undefined>): Handler => (context, key) => readItem(context, one, row(key));
const routes: Record<string, Record<string, Handler>> = {
  'me': { GET: item(userSpec, () => me), PATCH: updateMe },
  'me/calendar': { GET: item(calendarSpec, () => calendar) },
  'me/manager': { GET: item(userSpec, () => managerOf(me)) },
  'me/messages': { GET: many(messageSpec, () => [...messages].sort(newest)), POST: createMessage },
  'me/messages/*': { GET: item(messageSpec, findMessage), PATCH: updateMessage, DELETE: remove(messages, findMessage) },
  'me/getMemberGroups': { POST: memberGroups },
  'me/checkMemberObjects': { POST: memberObjects },
  'me/reminderView\\(*\\)': { GET: reminderView },
  'drive/items': { GET: many(itemSpec, () => items) },
  'drive/items/*': { GET: item(itemSpec, findItem) },
  'drive/items/*/children': { GET: many(itemSpec, (key) => childrenOf(findItem(key))) },
  'users': { GET: many(userSpec, () => users) },
  'users/delta': { GET: usersDelta },
  'users/\\$count': { GET: countUsers },
  'users/*': { GET: item(userSpec, findUser) },
  'users/*/manager': { GET: item(userSpec, (key) => managerOf(findUser(key))) },
  'groups': { GET: many(groupSpec, () => groups), POST: createGroup },
  'groups/*': { GET: item(groupSpec, findGroup), DELETE: remove(groups, findGroup) },
  'groups/*/members': { GET: many(memberSpec, (key) => membersOf(findGroup(key))) },
};
const patterns = Object.entries(routes).map(([path, handlers]) =>
  ({ form: new RegExp(`^/v1\\.0/${path.replace('*', '([^/]+)')}$`), handlers }));

// ---- HTTP
const trusted = new WeakSet<Socket>(); // used by one fault
function authenticate({ headers, socket }: IncomingMessage, path: string): void {
  if (/^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] === TOKEN) trusted.add(socket);
  else if (FAULT === 'auth-count-open' && path === '/v1.0/users/$count') return;
  else if (FAULT !== 'auth-connection-remembered' || !trusted.has(socket)) {
    throw new Problem(401, 'InvalidAuthenticationToken', 'The access token is missing or not valid.');
  }
}
function answer(request: IncomingMessage, payload: string): Reply {
  const { url = '/', headers } = request;
  const [path, ...search] = url.split('?');
  authenticate(request, path.replace('%24', '$'));
  const method = request.method === 'HEAD' ? 'GET' : String(request.method);
  const base = `http://${headers.host ?? `127.0.0.1:${(server.address() as AddressInfo).port}`}`;
  const context: Context = { path, base, params: new URLSearchParams(search.join('?')), headers, body: undefined };
  const plain = attempt(() => decodeURIComponent(path), 'The path is not encoded correctly.').replace(/\/$/, '');
  const local = plain.replace(`/users/${me.id}/`, '/me/').replace('/me/drive/', '/drive/');
  const route = patterns.find(({ form }) => form.test(local)) ?? fail(missing(`The path '${path}'`));
  const act = route.handlers[method] ?? fail(new Problem(405, 'Request_MethodNotAllowed', `${method} is not allowed.`));
  if (/POST|PATCH/.test(method)) context.body = attempt(() => JSON.parse(payload), 'The body is not JSON.');
  return act(context, route.form.exec(local)?.[1] ?? '');
}
function refusal(error: unknown): Reply {
  const { status, code, message } = error instanceof Problem ? error : new Problem(500, 'internal', String(error));
  return { status, body: { error: { code, message } } };
}
const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { status, body, text = '' } = await Promise.resolve(Buffer.concat(chunks).toString())
    .then((payload) => answer(request, payload)).catch(refusal);
  const content = body ? JSON.stringify(body) : text;
  const type = body ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  const entity = content ? { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) } : {};
  response.writeHead(status, { ...entity, ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}) }).end(content);
});
server.listen(Number(PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
