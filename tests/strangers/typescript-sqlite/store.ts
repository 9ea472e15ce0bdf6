// Settings, the schema, the in-memory SQLite store and its seed data.
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import seed from './seed.json';
import settings from './settings.json';

export { settings };
export type Row = Record<string, any>;

// settings.json holds the choices (the first value is the default) and the faults.
const chosen: Row = {}, activeFault = process.env.FAULT || '';
for (const c of settings.choices) chosen[c.name] = c.default;
for (const [name, value] of Object.entries(JSON.parse(process.env.CHOICES || '{}'))) {
  const match = (settings.choices.find((c) => c.name === name)?.values as any[] | undefined)?.find((v) => String(v) === String(value));
  if (match === undefined) throw new Error(`CHOICES: ${name}=${value} is not known`);
  chosen[name] = match;
}
if (activeFault && !settings.faults.some((f) => f.name === activeFault)) throw new Error(`FAULT: ${activeFault} is not known`);
export const choice = (name: string): any => chosen[name];
export const fault = (name: string): boolean => activeFault === name;

export type Kind = 'string' | 'boolean' | 'number' | 'timestamp' | 'object' | 'list';
// `on` joins the target row t to the parent row p; `set` names the collection for its limits.
export interface Relation { target: string; set: string; many: boolean; on: string; expand: boolean }
export interface Entity { name: string; fields: Record<string, Kind>; relations: Record<string, Relation>; tagged: boolean }

const kinds: Record<string, Kind> = { s: 'string', b: 'boolean', n: 'number', t: 'timestamp', o: 'object', l: 'list' };
export const entities: Record<string, Entity> = {};
export const db = new Database(':memory:');
const statements = new Map<string, Database.Statement>();
export function prepare(sql: string): Database.Statement {
  if (statements.size > 400) statements.clear();
  if (!statements.has(sql)) statements.set(sql, db.prepare(sql));
  return statements.get(sql)!;
}
let sequence = 0;
export const currentSequence = () => sequence;

// Fields are written "name" or "name:kind"; a relation is [name, target, set, many, on, may be expanded].
function define(name: string, fieldSpec: string, hidden: string, tagged: boolean, relationSpecs: [string, string, string, boolean, string, boolean][]) {
  const fields: Record<string, Kind> = Object.create(null);
  for (const part of fieldSpec.split(' ')) fields[part.split(':')[0]] = kinds[part.split(':')[1] || 's'];
  const relations: Record<string, Relation> = Object.create(null);
  for (const [key, target, set, many, on, expand] of relationSpecs) relations[key] = { target, set, many, on, expand };
  entities[name] = { name, fields, relations, tagged };
  const columns = [...Object.keys(fields), ...hidden.split(' ').filter(Boolean)].map((c) => `"${c}"`);
  db.exec(`CREATE TABLE "${name}" (n INTEGER PRIMARY KEY, rev INTEGER, ${columns.join(', ')})`);
}

define('users', 'id displayName mail jobTitle department officeLocation surname accountEnabled:b assignedLicenses:l', 'managerId', true, [
  ['manager', 'users', 'users', false, 't.id = p.managerId', true],
  ['messages', 'messages', 'messages', true, 't.ownerId = p.id', false],
  ['mailFolders', 'mailFolders', 'mailFolders', true, 't.ownerId = p.id', false],
  ['calendar', 'calendars', 'calendars', false, 't.ownerId = p.id AND t.isDefaultCalendar = 1', false],
  ['calendars', 'calendars', 'calendars', true, 't.ownerId = p.id', false],
  ['events', 'events', 'events', true, 't.ownerId = p.id', false],
  ['drive', 'drives', 'drives', false, 't.ownerId = p.id', false]]);
define('messages', 'id subject body:o toRecipients:l from:o receivedDateTime:t isRead:b importance parentFolderId', 'ownerId', true, [
  ['attachments', 'attachments', 'attachments', true, 't.messageId = p.id', true],
  ['singleValueExtendedProperties', 'extendedProperties', 'extendedProperties', true, 't.messageId = p.id', true]]);
define('attachments', 'id name contentType size:n', 'messageId', false, []);
define('extendedProperties', 'id value', 'messageId', false, []);
define('mailFolders', 'id displayName', 'ownerId', false, [['messages', 'messages', 'messages', true, 't.parentFolderId = p.id', false]]);
define('groups', 'id displayName mailEnabled:b mailNickname securityEnabled:b', '', true, [
  ['members', 'users', 'members', true, 't.id IN (SELECT userId FROM membership WHERE groupId = p.id)', true]]);
define('calendars', 'id name color canEdit:b isDefaultCalendar:b owner:o', 'ownerId', false, [
  ['events', 'events', 'events', true, 't.calendarId = p.id', false]]);
define('events', 'id subject start:t end:t isReminderOn:b reminderMinutesBeforeStart:n', 'ownerId calendarId', false, []);
define('drives', 'id driveType owner:o', 'ownerId', false, [
  ['items', 'items', 'items', true, 't.driveId = p.id AND t.parentId IS NOT NULL', false],
  ['root', 'items', 'items', false, 't.driveId = p.id AND t.parentId IS NULL', false]]);
define('items', 'id name size:n folder:o file:o createdDateTime:t lastModifiedDateTime:t', 'driveId parentId', false, [
  ['children', 'items', 'items', true, 't.parentId = p.id', true],
  ['thumbnails', 'thumbnails', 'thumbnails', true, 't.itemId = p.id', true]]);
define('thumbnails', 'id small:o medium:o', 'itemId', false, []);
define('membership', 'groupId userId', '', false, []);
db.exec(`CREATE UNIQUE INDEX membership_pair ON membership (groupId, userId);
  CREATE UNIQUE INDEX users_id ON users (id); CREATE UNIQUE INDEX messages_id ON messages (id); CREATE INDEX messages_owner ON messages (ownerId);
  CREATE INDEX attachments_message ON attachments (messageId); CREATE INDEX extended_message ON extendedProperties (messageId);
  CREATE INDEX items_parent ON items (parentId); CREATE INDEX thumbnails_item ON thumbnails (itemId);`);

const lower = (v: any) => (typeof v === 'string' ? v.toLowerCase() : v);
const register = (name: string, f: (...a: any[]) => any) => db.function(name, { deterministic: true, varargs: true }, f);
register('key_binary', (v) => v);
register('key_nocase', lower);
register('key_locale', (v) => (typeof v === 'string' ? lower(v.normalize('NFD').replace(/\p{M}/gu, '')) + '\u0001' + lower(v) : v));
const onText = (f: (a: string, b: string) => boolean) => (a: any, b: any) => (a === null || b === null ? null : f(String(a), String(b)) ? 1 : 0);
for (const name of ['startsWith', 'endsWith', 'includes'] as const) register(`text_${name}`, onText((a, b) => a[name](b)));
const words = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+/gu) || [];
register('text_search', onText((text, term) => {
  const [a, b] = [lower(text), lower(term)];
  if (choice('searchMatch') === 'substring') return a.includes(b);
  const all = words(a), wanted = words(b);
  return wanted.length > 0 && wanted.every((w) => all.some((x) => (choice('searchMatch') === 'word' ? x === w : x.startsWith(w))));
}));

const encode = (v: any) => (typeof v === 'boolean' ? Number(v) : v !== null && typeof v === 'object' ? JSON.stringify(v) : v);
export function insert(name: string, row: Row): number {
  const columns = Object.keys(row);
  const sql = `INSERT INTO "${name}" (rev, ${columns.map((c) => `"${c}"`)}) VALUES (?, ${columns.map(() => '?')})`;
  return Number(db.prepare(sql).run(++sequence, ...columns.map((c) => encode(row[c]))).lastInsertRowid);
}
export function update(name: string, n: number, changes: Row) {
  const sets = ['rev = ?', ...Object.keys(changes).map((c) => `"${c}" = ?`)];
  db.prepare(`UPDATE "${name}" SET ${sets} WHERE n = ?`).run(++sequence, ...Object.values(changes).map(encode), n);
}
export function newKey(set: string, seed: string): string {
  const hex = createHash('sha1').update(`${set}:${seed}`).digest('hex');
  const format = choice(`${set}.keyFormat`) ?? (set === 'items' ? 'drive' : 'guid');
  if (format === 'number') return String(parseInt(hex.slice(0, 10), 16) + 1000000);
  if (format === 'base64') return 'AAMkAD' + Buffer.from(hex.slice(0, 32), 'hex').toString('base64').replace(/\+/g, '-').replace(/\//g, '_');
  if (format === 'special') return `m/${hex.slice(0, 6)} ø+'${hex.slice(6, 12)}%=`;
  if (format === 'drive') return `01${hex.slice(0, 14).toUpperCase()}!${parseInt(hex.slice(0, 4), 16)}`;
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

// ---- seed data: in seed.json "@set:name" stands for the identifier of that item ----
const keyed: Record<string, Row[]> = JSON.parse(JSON.stringify(seed), (_, value) => {
  const [, set, name] = (typeof value === 'string' && /^@(\w+):(.*)$/s.exec(value)) || [];
  return set ? newKey(set, name) : value;
});
db.transaction(() => {
  for (const [name, rows] of Object.entries(keyed)) {
    const times = Object.keys(entities[name].fields).filter((f) => entities[name].fields[f] === 'timestamp');
    for (const row of rows) insert(name, { ...row, ...Object.fromEntries(times.map((f) => [f, Date.parse(row[f])])) });
  }
})();
export const ME = newKey('users', '3');

const charNames: Row = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': '\'', nbsp: ' ' };
export const toHtml = (text: string) =>
  `<html><body>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\n/g, '<br>')}</body></html>`;
export const toText = (html: string) =>
  html.replace(/<(?:br|\/p|\/div)\s*\/?>/gi, '\n').replace(/<[^>]*>/g, '').replace(/&(\w+|#39);/g, (all, name) => charNames[name] ?? all);
