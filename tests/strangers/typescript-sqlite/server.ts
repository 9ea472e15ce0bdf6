// The HTTP side: authentication, paths, methods, request bodies, answers.
import { IncomingHttpHeaders, createServer } from 'node:http';
import { Entity, ME, Row, choice, currentSequence, db, entities, fault, insert, newKey, settings, update } from './store';
import { Form, HttpError, Options, Source, advancedError, bad, countRows, etagOf, findRows, parseOptions, present, readPage } from './query';

type Pair = [string, string];
interface Request { method: string; path: string; query: string; headers: IncomingHttpHeaders; text: string }
interface Answer { status: number; body?: any; headers?: Record<string, string> }
// What a path leads to: an item has a row, a collection a source; the shape is the path with {} for identifiers.
interface Place { kind: 'item' | 'collection' | 'count' | 'delta' | 'operation'; source: Source; row?: Row; shape: string; name?: string }

const notFound = (what: string) => new HttpError(404, 'ResourceNotFound', `Resource '${what}' does not exist.`);
const operations = /^(?:getMemberGroups|checkMemberObjects|reminderView(?:\(.*\))?)$/s;
const writes: Row = { me: ['PATCH'], 'me/messages': ['POST'], 'me/messages/{}': ['PATCH', 'DELETE'], groups: ['POST'], 'groups/{}': ['DELETE'] };

function lookup(source: Source, id: string): Row {
  const [row] = fault('item-prefix-key') ? findRows(source, 'substr(t.id, 1, length(?)) = ?', id, id) : findRows(source, 't.id = ?', id);
  if (!row) throw notFound(id);
  return row;
}
function resolve([first, ...rest]: string[]): Place {
  const users: Source = { entity: entities.users, set: 'users' };
  let place: Place;
  if (first === 'me' || first === 'drive') place = { kind: 'item', source: users, row: lookup(users, ME), shape: first };
  else if (first === 'users' || first === 'groups') place = { kind: 'collection', source: { entity: entities[first], set: first }, shape: first };
  else throw notFound(first);
  for (const segment of first === 'drive' ? ['drive', ...rest] : rest) {
    const { source, row } = place, shape = `${place.shape}/${segment}`, relation = row && source.entity.relations[segment];
    if (place.kind === 'collection' && segment === '$count') place = { kind: 'count', source, shape };
    else if (place.shape === 'users' && /^delta(\(\))?$/.test(segment)) place = { kind: 'delta', source: { ...source, set: 'delta' }, shape };
    else if (place.kind === 'collection') place = { kind: 'item', source, row: lookup(source, segment), shape: `${place.shape}/{}` };
    else if (place.kind === 'item' && relation) {
      const next: Source = { entity: entities[relation.target], set: relation.set, parent: source.entity.name, parentRow: row!.n, on: relation.on };
      const one = relation.many ? undefined : findRows(next)[0];
      if (!relation.many && !one) throw notFound(segment);
      place = { kind: relation.many ? 'collection' : 'item', source: next, row: one, shape };
    } else if (place.kind === 'item' && source.entity === entities.users && operations.test(segment)) place = { kind: 'operation', source, row, shape, name: segment };
    else throw notFound(segment);
  }
  return place;
}

// ---- request bodies ----
function readBody(text: string): Row {
  let body: any;
  try { body = JSON.parse(text); } catch { throw bad('The request body is not valid JSON.'); }
  if (!isObject(body)) throw bad('The request body must be an object.');
  return body;
}
const isObject = (v: any) => v !== null && typeof v === 'object' && !Array.isArray(v);
const isRecipient = (v: any) => isObject(v) && isObject(v.emailAddress) && typeof v.emailAddress.address === 'string';
const listChecks: Record<string, (v: any) => boolean> = {
  toRecipients: isRecipient, assignedLicenses: (v) => isObject(v) && typeof v.skuId === 'string', attachments: (v) => isObject(v) && typeof v.name === 'string',
  singleValueExtendedProperties: (v) => isObject(v) && typeof v.id === 'string' && typeof v.value === 'string',
};
function checkValue(name: string, kind: string, value: any): any {
  const good = kind === 'timestamp' ? /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))
    : kind === 'string' ? (value === null ? !['displayName', 'mailNickname', 'importance'].includes(name) : typeof value === 'string')
    : kind === 'list' ? Array.isArray(value) && value.every(listChecks[name])
    : name === 'from' ? isRecipient(value)
    : name === 'body' ? isObject(value) && ['text', 'html', undefined].includes(value.contentType) && ['string', 'undefined'].includes(typeof value.content)
    : typeof value === 'boolean';
  if (!good) throw bad(`The value of '${name}' is not valid.`);
  return kind === 'timestamp' ? Date.parse(value) : value;
}
function checkBody(entity: Entity, body: Row, current?: Row): Row {
  const values: Row = {};
  for (const [name, value] of Object.entries(body)) {
    const nested = entity === entities.messages && (name === 'attachments' || name === 'singleValueExtendedProperties');
    if (name === 'id' || name === 'parentFolderId') {
      if (choice('readOnly') === 'refuse' && value !== current?.[name]) throw bad(`'${name}' cannot be written.`);
    } else if (nested || entity.fields[name]) {
      if (!(value === null && current && fault('update-null-ignored'))) values[name] = checkValue(name, nested ? 'list' : entity.fields[name], value);
    } else if (choice('unknownProperty') === 'refuse' && !name.includes('@')) throw bad(`There is no property '${name}' on ${entity.name}.`);
  }
  return values;
}
function writeNested(message: Row, { attachments, singleValueExtendedProperties: extended, ...values }: Row): Row {
  if (attachments) db.prepare('DELETE FROM attachments WHERE messageId = ?').run(message.id);
  if (extended) db.prepare('DELETE FROM extendedProperties WHERE messageId = ?').run(message.id);
  for (const { name, contentType, size } of attachments ?? []) {
    const id = newKey('attachments', `${message.id}${currentSequence()}`);
    insert('attachments', { id, name, contentType: contentType ?? 'application/octet-stream', size: size ?? 0, messageId: message.id });
  }
  for (const { id, value } of extended ?? []) insert('extendedProperties', { id, value, messageId: message.id });
  return values;
}
const create = db.transaction((source: Source, body: Row): number => {
  const { name } = source.entity, id = newKey(name, `new${currentSequence()}`), me = findRows({ entity: entities.users, set: 'users' }, 't.id = ?', ME)[0];
  const given = checkBody(source.entity, body);
  if (name === 'groups') {
    const required = choice('groups.required') === 'all' ? Object.keys(source.entity.fields).slice(1) : ['displayName'];
    for (const field of required) if (given[field] === undefined) throw bad(`'${field}' is required.`);
    if (fault('create-false-becomes-default') && !given.securityEnabled) delete given.securityEnabled;
    return insert(name, { id, mailEnabled: false, mailNickname: `group${currentSequence()}`, securityEnabled: true, ...given });
  }
  const values = writeNested({ id }, given);
  if (fault('create-one-recipient')) values.toRecipients = values.toRecipients?.slice(0, 1) ?? [];
  const inbox = findRows({ entity: entities.mailFolders, set: '' }, 't.ownerId = ?', ME)[0].id;
  return insert(name, { id, ownerId: ME, parentFolderId: inbox, subject: '', toRecipients: [], receivedDateTime: Date.now(), isRead: false, importance: 'normal',
    from: { emailAddress: { name: me.displayName, address: me.mail ?? '' } }, ...values, body: { contentType: 'text', content: '', ...values.body } });
});
const change = db.transaction((source: Source, row: Row, body: Row) => {
  const values = writeNested(row, checkBody(source.entity, body, row));
  if (values.body) values.body = { ...JSON.parse(row.body), ...values.body };
  if (fault('update-resets-importance') && source.entity.name === 'messages') values.importance ??= 'normal';
  update(source.entity.name, row.n, values);
});
const remove = db.transaction(({ entity: { name } }: Source, row: Row) => {
  db.prepare(`DELETE FROM "${name}" WHERE n = ?`).run(row.n);
  if (name === 'groups') db.prepare('DELETE FROM membership WHERE groupId = ?').run(row.id);
  else for (const table of ['attachments', 'extendedProperties']) db.prepare(`DELETE FROM ${table} WHERE messageId = ?`).run(row.id);
});

// ---- operations ----
function operation(place: Place, text: string, pairs: Pair[]): Row {
  const name = place.name!.split('(')[0], userId = place.row!.id;
  if (name === 'reminderView') {
    const args: Row = Object.fromEntries(pairs);
    for (const [, key, value] of place.name!.matchAll(/(\w+)='([^']*)'/g)) args[key] = value;
    const [from, to] = ['startDateTime', 'endDateTime'].map((key) => checkValue(key, 'timestamp', args[key]?.replace(/^'(.*)'$/, '$1')));
    const fire = 't.start - t.reminderMinutesBeforeStart * 60000';
    const events = findRows({ entity: entities.events, set: '' }, `t.ownerId = ? AND t.isReminderOn = 1 AND ${fire} >= ? AND ${fire} < ?`, userId, from, to);
    const time = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
    return { value: events.map((e) => ({ eventId: e.id, eventSubject: e.subject, eventStartTime: time(e.start), eventEndTime: time(e.end),
      reminderFireTime: time(e.start - e.reminderMinutesBeforeStart * 60000) })) };
  }
  const body = readBody(text), groups = { entity: entities.groups, set: 'groups' };
  let found: string[];
  if (name === 'getMemberGroups') {
    const only = body.securityEnabledOnly ?? (choice('securityOnlyMissing') === 'false' ? false : undefined);
    if (typeof only !== 'boolean') throw bad('securityEnabledOnly must be true or false.');
    found = findRows(groups, `t.id IN (SELECT groupId FROM membership WHERE userId = ?) AND t.securityEnabled >= ?`, userId, Number(only)).map((g) => g.id);
  } else {
    if (!Array.isArray(body.ids) || !body.ids.every((id: any) => typeof id === 'string')) throw bad('ids must be a list of strings.');
    const member = db.prepare(`SELECT 1 FROM membership WHERE groupId = ? ${fault('operation-check-anyone') ? '' : 'AND userId = ?'}`);
    found = [...new Set<string>(body.ids)].filter((id) => member.get(...(fault('operation-check-anyone') ? [id] : [id, userId])));
  }
  return choice('operationShape') === 'array' ? found as any : { value: found };
}

// ---- requests and answers ----
function handle(request: Request): Answer {
  const { method, headers } = request, base = `http://${headers.host}/v1.0`, eventual = headers.consistencylevel?.toString().toLowerCase() === 'eventual';
  const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '', expected = process.env.TOKEN ?? '';
  const length = fault('auth-prefix-token') ? Math.min(token.length, expected.length) : undefined;
  if (!token || token.slice(0, length) !== expected.slice(0, length)) throw new HttpError(401, 'InvalidAuthenticationToken', 'Access token is missing or not valid.');
  const segments = request.path.split('/').slice(1).map(decodeURIComponent);
  const decode = (text: string) => decodeURIComponent(text.replace(/\+/g, ' '));
  const pairs: Pair[] = request.query.split('&').filter(Boolean).map((p) => [decode(p.split('=')[0]), decode(p.split('=').slice(1).join('='))]);
  if (segments.length > 2 && segments.at(-1) === '' && choice('trailingSlash') === 'accept') segments.pop();
  if (segments[0] !== 'v1.0') throw new HttpError(choice('otherVersion'), 'InvalidVersion', `Version '${segments[0]}' does not exist.`);
  const place = resolve(segments.slice(1)), { source, row, kind } = place, { entity } = source;
  const own = kind === 'operation' ? [place.name!.startsWith('reminderView') ? 'GET' : 'POST'] : ['GET', ...(writes[place.shape] ?? [])];
  if (!own.includes(method)) throw new HttpError(choice('wrongMethod'), 'MethodNotAllowed', `${method} is not possible here.`);
  if (kind === 'operation') return { status: 200, body: operation(place, request.text, pairs) };

  const options = parseOptions(pairs, entity, source.set, kind === 'collection' && method === 'POST' ? 'item' : kind);
  const preferred = /(?:^|[\s,;.])body-content-type\s*=\s*"?(text|html)\b/i.exec(headers.prefer?.toString() ?? '')?.[1].toLowerCase();
  const form: Form = { body: preferred ?? choice('messages.bodyDefault'), seen: new Set() };
  const context = choice('context') === 'yes' ? { '@odata.context': `${base}/$metadata#${entity.name}` } : {};
  const item = (status: number, shown: Row, more: Record<string, string> = {}): Answer => ({
    status, body: { ...context, ...present(entity, shown, options.select, options.expand, form) },
    headers: entity.tagged && choice('etag') !== 'body' ? { ETag: etagOf(shown), ...more } : more,
  });
  const byNumber = (n: number) => db.prepare(`SELECT * FROM "${entity.name}" WHERE n = ?`).get(n) as Row;
  const matches = (header: string) => header.trim() === '*' || header.match(/"[^"]*"/g)?.includes(etagOf(row!).slice(2));
  if (method === 'POST') {
    const made = byNumber(create(source, readBody(request.text)));
    return item(choice('createStatus'), made, { Location: `${base}/${place.shape}/${encodeURIComponent(made.id)}` });
  }
  const guarded = method === 'PATCH' || (method === 'DELETE' && !fault('delete-ignores-if-match'));
  if (guarded && headers['if-match'] && !matches(headers['if-match'])) throw new HttpError(412, 'PreconditionFailed', 'The entity tag does not match.');
  if (method === 'PATCH') change(source, row!, readBody(request.text));
  if (method === 'DELETE') remove(source, row!);
  if (method !== 'GET') return method === 'PATCH' ? item(200, byNumber(row!.n)) : { status: choice('deleteStatus') };
  if (kind === 'item') {
    if (fault('item-expand-lost')) options.expand = [];
    if (entity.tagged && headers['if-none-match'] && matches(headers['if-none-match'])) return { status: 304, headers: { ETag: etagOf(row!) } };
    return item(200, row!);
  }
  if (kind === 'count') {
    if (source.set === 'users' && choice('users.countPathNeedsHeader') === 'yes' && !eventual) throw advancedError();
    return { status: 200, body: String(countRows(source, options, eventual)), headers: { 'Content-Type': choice('countForm') } };
  }
  return { status: 200, body: { ...context, ...collection(source, options, eventual, form, `http://${headers.host}${request.path}`, pairs) } };
}
function collection(source: Source, options: Options, eventual: boolean, form: Form, address: string, pairs: Pair[]): Row {
  if (source.set === 'delta') options.since ??= 0;
  const page = readPage(source, options, eventual), out: Row = {};
  if (page.count !== undefined) out['@odata.count'] = page.count;
  const link = (changed: Row, dropped: string[]) => `${address}?${[...pairs.filter(([name]) => !dropped.includes(name) && !(name in changed)), ...Object.entries(changed)]
    .map((pair) => pair.map((text) => encodeURIComponent(text).replace(/^%24/, '$')).join('=')).join('&')}`;
  if (page.next) out['@odata.nextLink'] = link(page.next, ['$skip', '$skiptoken', ...(fault('paging-filter-lost') ? ['$filter'] : [])]);
  else if (source.set === 'delta') out['@odata.deltaLink'] = link({ $deltatoken: page.snapshot }, ['$skiptoken']);
  return { ...out, value: page.rows.map((row) => present(source.entity, row, options.select, options.expand, form)) };
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const [path, ...query] = req.url!.replace(/^https?:\/\/[^/]*/i, '').split('?');
    let answer: Answer;
    try {
      answer = handle({ method: req.method!, path, query: query.join('?'), headers: req.headers, text: Buffer.concat(chunks).toString() });
    } catch (e: any) {
      const refused = e instanceof URIError || e instanceof RangeError || e.message === 'Recursion limit';
      const known = e instanceof HttpError ? e : refused ? bad('The address is wrongly encoded or too deeply nested.') : new HttpError(500, 'InternalError', 'Unexpected error.');
      if (known.status === 500) console.error(e);
      const inner = choice('errorDetail') === 'inner' ? { innerError: { date: new Date().toISOString(), 'request-id': newKey('request', String(Math.random())) } } : {};
      answer = { status: known.status, body: { error: { code: known.code, message: known.message, ...inner } }, headers: known.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {} };
    }
    const text = answer.body === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const type: Record<string, string> = text ? { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(text)) } : {};
    res.writeHead(answer.status, { ...(answer.status === 200 && !text ? { 'Content-Length': '0' } : type), ...answer.headers }).end(text);
  });
});
if (process.argv.includes('--describe')) console.log(JSON.stringify({ language: 'TypeScript', store: 'SQLite', ...settings }));
else server.listen(Number(process.env.PORT || 0), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${(server.address() as any).port}`));
