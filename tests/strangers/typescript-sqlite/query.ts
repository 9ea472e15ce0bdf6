// Query options: parsing, translation to SQL, paging, and the JSON form of rows.
import { Entity, Relation, Row, choice, currentSequence, entities, fault, prepare, toHtml, toText } from './store';

export class HttpError extends Error {
  constructor(public status: number, public code: string, message: string) { super(message); }
}
export const bad = (message: string) => new HttpError(400, 'BadRequest', message);
export const unsupported = (message: string) => new HttpError(choice('unsupportedStatus'), 'NotSupported', message);
export const advancedError = () => new HttpError(choice('advancedStatus'), 'Request_UnsupportedQuery',
  'Advanced query capabilities are not available: the request header ConsistencyLevel: eventual is missing (advanced query capabilities are not available without it).');

// A place rows are read from: a table t, perhaps joined to one parent row p.
export interface Source { entity: Entity; set: string; parent?: string; parentRow?: number; on?: string }
export interface Expand { name: string; relation: Relation; select?: Set<string>; expand: Expand[] }
export interface Options {
  select?: Set<string>; expand: Expand[]; filter?: string; orderby?: string; search?: string; top?: number; skip?: number; count?: boolean; token?: string; since?: number;
}
interface Expr { sql: string; type: string }
interface Scope { alias: string; entity?: Entity }

// ---- $filter ----
const tokenPattern = /\s*(?:('(?:[^']|'')*')|(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([(),/:]))/y;
const operators: Record<string, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };
const textFunctions: Record<string, string> = { startswith: 'text_startsWith', endswith: 'text_endsWith', contains: 'text_includes' };
const keyFunction = (entity: Entity) => `key_${choice(`${entity.name}.collation`) ?? 'binary'}`;
const isText = (e: Expr) => e.type === 'string' || e.type === 'any';

function propertyOf(scope: Scope, path: string[]): Expr {
  if (!scope.entity) return { sql: path.length ? `json_extract(${scope.alias}.value, '$.${path.join('.')}')` : `${scope.alias}.value`, type: 'any' };
  const kind = scope.entity.fields[path[0]];
  if (!kind) throw bad(`There is no property '${path.join('/')}' on ${scope.entity.name}.`);
  const column = `${scope.alias}."${path[0]}"`;
  if (path.length === 1) return { sql: column, type: kind };
  if (kind !== 'object') throw bad(`'${path[0]}' has no properties of its own.`);
  return { sql: `json_extract(${column}, '$.${path.slice(1).join('.')}')`, type: 'any' };
}

export class Filter {
  params: any[] = []; advanced = false; sql: string;
  private tokens: string[] = []; private position = 0; private aliases = 0;
  private variables = new Map<string, Scope>(); private key: string; private textKey: string;

  constructor(text: string, private entity: Entity) {
    this.key = keyFunction(entity);
    this.textKey = this.key === 'key_binary' ? 'key_binary' : 'key_nocase';
    const end = text.trimEnd();
    for (tokenPattern.lastIndex = 0; tokenPattern.lastIndex < end.length;) {
      const match = tokenPattern.exec(end);
      if (!match) throw bad(`Invalid filter clause: ${text}`);
      this.tokens.push(match[0].trim());
    }
    this.sql = this.truth(this.or());
    if (this.position < this.tokens.length) throw bad(`Invalid filter clause: unexpected '${this.peek()}'.`);
  }
  private peek = () => this.tokens[this.position];
  private take(expected?: string): string {
    const token = this.tokens[this.position++];
    if (token === undefined || (expected !== undefined && token !== expected)) throw bad(`Invalid filter clause: '${expected ?? 'a value'}' expected.`);
    return token;
  }
  private truth(e: Expr): string {
    if (e.type !== 'boolean') throw bad('Invalid filter clause: a condition was expected.');
    return e.sql;
  }
  private or(): Expr {
    return fault('filter-precedence') ? this.chain(['or', 'and'], () => this.not()) : this.chain(['or'], () => this.chain(['and'], () => this.not()));
  }
  private chain(words: string[], next: () => Expr): Expr {
    let left = next();
    while (words.includes(this.peek())) left = { sql: `(${this.truth(left)} ${this.take().toUpperCase()} ${this.truth(next())})`, type: 'boolean' };
    return left;
  }
  private not(): Expr {
    if (this.peek() !== 'not') return this.comparison();
    this.take();
    return { sql: `(NOT ${this.truth(this.not())})`, type: 'boolean' };
  }
  private comparison(): Expr {
    const left = this.primary(), word = this.peek();
    if (!Object.hasOwn(operators, word ?? '')) return left;
    this.take();
    return { sql: this.compare(word, left, this.primary()), type: 'boolean' };
  }
  private compare(word: string, left: Expr, right: Expr): string {
    const two = choice('nullLogic') === 'two';
    for (const side of [left, right]) if (side.type === 'object' || side.type === 'list') throw unsupported('Objects and collections cannot be compared.');
    if (left.type === 'null' || right.type === 'null') {
      if (word === 'eq' || word === 'ne') return `(${left.sql} IS ${word === 'ne' ? 'NOT ' : ''}${right.sql})`;
      return two ? '0' : 'NULL';
    }
    if (left.type !== right.type && left.type !== 'any' && right.type !== 'any') throw bad(`Invalid filter clause: ${left.type} and ${right.type} cannot be compared.`);
    if (left.type === 'boolean' && word !== 'eq' && word !== 'ne') throw bad(`Invalid filter clause: ${word} is not defined on booleans.`);
    const keyed = (e: Expr) => (isText(e) ? `${this.key}(${e.sql})` : e.sql);
    if (two && (word === 'eq' || word === 'ne')) return `(${keyed(left)} IS ${word === 'ne' ? 'NOT ' : ''}${keyed(right)})`;
    const operator = fault('filter-ge-border') && word === 'ge' && left.type === 'timestamp' ? '>' : operators[word];
    const sql = `(${keyed(left)} ${operator} ${keyed(right)})`;
    return two ? `coalesce(${sql}, 0)` : sql;
  }
  private primary(): Expr {
    const token = this.take();
    if (token === '(') {
      const inner = this.or();
      this.take(')');
      return { ...inner, sql: `(${inner.sql})` };
    }
    if (token[0] === '\'') {
      this.params.push(token.slice(1, -1).replace(/''/g, '\''));
      return { sql: '?', type: 'string' };
    }
    if (/^\d{4}-\d\d-\d\dT/.test(token) && !Number.isNaN(Date.parse(token))) return { sql: String(Date.parse(token)), type: 'timestamp' };
    if (/^-?\d+(\.\d+)?$/.test(token)) return { sql: token, type: 'number' };
    if (token === 'true' || token === 'false') return { sql: token === 'true' ? '1' : '0', type: 'boolean' };
    if (token === 'null') return { sql: 'NULL', type: 'null' };
    if (!/^[A-Za-z_]/.test(token)) throw bad(`Invalid filter clause: unexpected '${token}'.`);
    return this.peek() === '(' ? this.call(token) : this.path(token);
  }
  private call(name: string): Expr {
    const word = name.toLowerCase(), args: Expr[] = [];
    if (word !== 'tolower' && !Object.hasOwn(textFunctions, word)) throw unsupported(`The function '${name}' is not supported.`);
    this.take('(');
    do args.push(this.primary()); while (this.peek() === ',' && this.take());
    this.take(')');
    if (args.length !== (word === 'tolower' ? 1 : 2) || !args.every(isText)) throw bad(`Invalid arguments of '${name}'.`);
    if (word === 'tolower') return { sql: `key_nocase(${args[0].sql})`, type: 'string' };
    if (word === 'contains') this.advanced = true;
    const sql = `${textFunctions[word]}(${args.map((a) => `${this.textKey}(${a.sql})`)})`;
    return { sql: choice('nullLogic') === 'two' ? `coalesce(${sql}, 0)` : sql, type: 'boolean' };
  }
  private path(first: string): Expr {
    const path = [first];
    while (this.peek() === '/') {
      this.take();
      path.push(this.take());
      if (!/^[A-Za-z_]\w*$/.test(path.at(-1)!)) throw bad('Invalid filter clause: a property name was expected.');
      if (path.at(-1) === 'any' && this.peek() === '(') return this.any(path.slice(0, -1));
    }
    return this.property(path);
  }
  private property(path: string[]): Expr {
    const scope = this.variables.get(path[0]);
    return scope ? propertyOf(scope, path.slice(1)) : propertyOf({ alias: 't', entity: this.entity }, path);
  }
  private any(path: string[]): Expr {
    this.advanced = true;
    const alias = `x${++this.aliases}`, relation = path.length === 1 && !this.variables.has(path[0]) ? this.entity.relations[path[0]] : undefined;
    let from: string, condition = '1', entity: Entity | undefined;
    if (relation?.many && relation.expand) {
      entity = entities[relation.target];
      from = `"${relation.target}" ${alias}`;
      condition = relation.on.replace(/\bt\./g, `${alias}.`).replace(/\bp\./g, 't.');
    } else {
      const list = this.property(path);
      if (list.type !== 'list' && list.type !== 'any') throw bad(`'${path.join('/')}' is not a collection.`);
      from = `json_each(${list.sql}) ${alias}`;
      if (fault('filter-any-first')) condition = `${alias}.key = 0`;
    }
    this.take('(');
    if (this.peek() !== ')') {
      const variable = this.take(), outer = this.variables;
      this.take(':');
      this.variables = new Map([...outer, [variable, { alias, entity }]]);
      condition += ` AND ${this.truth(this.or())}`;
      this.variables = outer;
    }
    this.take(')');
    return { sql: `EXISTS (SELECT 1 FROM ${from} WHERE ${condition})`, type: 'boolean' };
  }
}

// ---- the other options ----
function splitTop(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0, quoted = false;
  for (const c of text) {
    if (c === '\'' || c === '"') quoted = !quoted;
    if (!quoted) depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    if (c === separator && depth === 0 && !quoted) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.map((p) => p.trim());
}
function parseSelect(text: string, entity: Entity): Set<string> {
  const names = text.split(',').map((n) => n.trim());
  if (names.includes('')) throw bad('Empty property name in $select.');
  if (names.includes('*')) return new Set(Object.keys(entity.fields));
  const unknown = names.find((n) => !entity.fields[n] && !entity.relations[n]);
  if (unknown && choice('unknownSelect') === 'refuse') throw bad(`There is no property '${unknown}' on ${entity.name}.`);
  return new Set(names);
}
function parseExpand(text: string, entity: Entity, depth = 1): Expand[] {
  if (depth > choice('expandDepth')) throw unsupported('$expand is nested too deeply.');
  return splitTop(text, ',').map((part) => {
    const match = /^(\w+)(?:\s*\((.*)\))?$/s.exec(part), relation = match && entity.relations[match[1]];
    if (!match || !relation?.expand) throw bad(`'${part}' cannot be expanded on ${entity.name}.`);
    const result: Expand = { name: match[1], relation, expand: [] }, target = entities[relation.target];
    for (const option of match[2] === undefined ? [] : splitTop(match[2], ';')) {
      const [, name, value] = /^(\$\w+)\s*=\s*(.+)$/s.exec(option) ?? [];
      if (name === '$select') result.select = parseSelect(fault('expand-nested-select-first') ? value.split(',')[0] : value, target);
      else if (name === '$expand') result.expand = parseExpand(value, target, depth + 1);
      else throw unsupported(`'${option}' is not supported inside $expand.`);
    }
    return result;
  });
}
const allowed: Record<string, string[]> = {
  collection: ['$select', '$filter', '$orderby', '$expand', '$top', '$skip', '$count', '$search', '$skiptoken'],
  item: ['$select', '$expand'], count: ['$filter', '$search'], delta: ['$select', '$expand', '$top', '$skiptoken', '$deltatoken'],
};
export function parseOptions(pairs: [string, string][], entity: Entity, set: string, kind: string): Options {
  const o: Options = { expand: [] }, seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (name[0] !== '$' && choice('customOption') === 'ignore') continue;
    if (!allowed[kind].includes(name) || choice(`${set}.${name.slice(1)}`) === 'refused') throw unsupported(`The query parameter '${name}' is not supported here.`);
    if (seen.has(name) || value.trim() === '') throw bad(`The query parameter '${name}' is empty or given twice.`);
    seen.add(name);
    const wrong = ['$top', '$skip', '$deltatoken'].includes(name) ? !/^\d{1,9}$/.test(value) : name === '$count' ? !/^(true|false)$/.test(value) : false;
    if (wrong) throw bad(`'${value}' is not a value of ${name}.`);
    if (name === '$select') o.select = parseSelect(value, entity);
    else if (name === '$expand') o.expand = parseExpand(value, entity);
    else if (name === '$filter' || name === '$orderby' || name === '$search') o[name.slice(1) as 'filter'] = value;
    else if (name === '$top' || name === '$skip') o[name.slice(1) as 'top'] = Number(value);
    else if (name === '$skiptoken') o.token = Buffer.from(value, 'base64url').toString();
    else if (name === '$deltatoken') o.since = Number(value);
    else o.count = value === 'true';
  }
  if (o.token !== undefined && !/^\d+\.\d+$/.test(o.token)) throw bad('The $skiptoken is not valid.');
  if (o.top !== undefined && o.top > (choice(`${set}.maxTop`) ?? 999) && choice('overTop') === 'refuse') throw bad('$top is above the maximum.');
  return o;
}
function searchSql(text: string, entity: Entity): { sql: string; params: string[] } {
  const pieces = text.trim().match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [], first = fault('search-or-first'), params: string[] = [];
  if (pieces.length % 2 === 0) throw bad('Terms of $search are joined with OR.');
  const parts = (first ? pieces.slice(0, 1) : pieces).map((piece, i) => {
    if (i % 2 === 1 && (piece === 'OR' || piece === 'AND')) return piece;
    const terms = piece.slice(1, -1).replace(/\\(.)/g, '$1').split(/ OR (?=\w+:)/);
    return `(${(first ? terms.slice(0, 1) : terms).map((term) => {
      const [, name, wanted] = /^(\w+):(.+)$/s.exec(term) ?? [];
      if (i % 2 === 1 || piece[0] !== '"' || !name) throw bad('$search must have the form "<property>:<term>", joined with OR.');
      if (entity.fields[name] !== 'string' && name !== 'body') throw unsupported(`'${name}' cannot be searched.`);
      params.push(wanted);
      return `coalesce(text_search(${name === 'body' ? 'json_extract(t.body, \'$.content\')' : `t."${name}"`}, ?), 0)`;
    }).join(' OR ')})`;
  });
  return { sql: `(${parts.join(' ')})`, params };
}
function orderSql(text: string | undefined, entity: Entity): { terms: string; first?: string } {
  const low = choice('nullsOrder') === 'low', key = keyFunction(entity), order = choice(`${entity.name}.defaultOrder`);
  const fallback = ({ displayName: `${key}(t.displayName), t.n`, id: 't.id', newest: 't.receivedDateTime DESC, t.n' } as Row)[order] ?? 't.n';
  if (text === undefined) return { terms: fallback };
  const terms = text.split(',').map((part, i) => {
    const match = /^([A-Za-z]\w*(?:\/\w+)*)(?:\s+(asc|desc))?$/.exec(part.trim());
    if (!match) throw bad(`Invalid $orderby: ${part}`);
    const e = propertyOf({ alias: 't', entity }, match[1].split('/'));
    if (e.type === 'object' || e.type === 'list') throw unsupported(`'${match[1]}' cannot be sorted by.`);
    const desc = match[2] === 'desc' && !(i > 0 && fault('order-second-desc')), sql = isText(e) ? `${key}(${e.sql})` : e.sql;
    return { sql, direction: `${desc ? 'DESC' : 'ASC'} NULLS ${low !== desc ? 'FIRST' : 'LAST'}` };
  });
  return { terms: [...terms.map((t) => `${t.sql} ${t.direction}`), fallback].join(', '), first: terms[0].sql };
}

// ---- reading ----
function conditions(source: Source, o: Options, eventual: boolean): { sql: string; params: any[] } {
  const where = source.parent ? ['p.n = ?', `(${source.on})`] : [], params: any[] = source.parent ? [source.parentRow] : [];
  if (o.since !== undefined) where.push(`t.rev > ${o.since}`);
  const filter = o.filter === undefined ? undefined : new Filter(o.filter, source.entity);
  const rule = choice(`${source.set}.countNeedsHeader`), counted = o.count && (rule === 'always' || (rule === 'filtered' && (filter || o.search)));
  if ((filter?.advanced || o.search !== undefined || counted) && !eventual) throw advancedError();
  for (const part of [filter, o.search === undefined ? undefined : searchSql(o.search, source.entity)]) {
    if (part) where.push(part.sql);
    if (part) params.push(...part.params);
  }
  return { sql: `FROM "${source.entity.name}" t${source.parent ? `, "${source.parent}" p` : ''} WHERE ${where.join(' AND ') || '1'}`, params };
}
export function countRows(source: Source, o: Options, eventual: boolean): number {
  const { sql, params } = conditions(source, o, eventual);
  return (prepare(`SELECT count(*) AS c ${sql}`).get(...params) as Row).c;
}
export function findRows(source: Source, extra = '1', ...values: any[]): Row[] {
  const { sql, params } = conditions(source, { expand: [] }, true), order = orderSql(undefined, source.entity).terms;
  return prepare(`SELECT t.* ${sql} AND ${extra} ORDER BY ${order}`).all(...params, ...values) as Row[];
}
// One page: its rows, the total if asked for, and the options of the next page's address.
export function readPage(source: Source, o: Options, eventual: boolean): { rows: Row[]; count?: number; next?: Row; snapshot: string } {
  const { sql, params } = conditions(source, o, eventual), order = orderSql(o.orderby, source.entity);
  const [position, started] = (o.token ?? `${o.skip ?? 0}.${currentSequence()}`).split('.');
  const offset = Number(position), limit = Math.min(o.top ?? choice(`${source.set}.pageSize`) ?? 10, choice(`${source.set}.maxTop`) ?? 999);
  const tieFault = fault('paging-tie-lost') && order.first !== undefined, topFault = fault('order-top-first') && o.top !== undefined;
  const body = topFault
    ? `FROM (SELECT t.* ${sql} ORDER BY ${orderSql(undefined, source.entity).terms} LIMIT ${limit} OFFSET ${offset}) t ORDER BY ${order.terms}`
    : `${sql} ORDER BY ${order.terms} LIMIT ${tieFault ? -1 : limit + 1} OFFSET ${offset}`;
  const found = prepare(`SELECT t.*${tieFault ? `, ${order.first} AS sortKey` : ''} ${body}`).all(...params) as Row[];
  const rows = found.slice(0, limit), result: ReturnType<typeof readPage> = { rows, snapshot: started };
  const total = topFault || o.count ? countRows(source, o, eventual) : 0;
  if (o.count) result.count = fault('count-after-top') && o.top !== undefined ? Math.min(total, o.top) : total;
  let end = offset + rows.length;
  while (tieFault && rows.length && found[end - offset]?.sortKey === rows.at(-1)!.sortKey) end++;
  const more = topFault ? end < total : end - offset < found.length;
  const rest = choice('topMeaning') === 'total' && o.top !== undefined && source.set !== 'delta' ? o.top - limit : undefined;
  if (!more || limit === 0 || (rest !== undefined && rest <= 0)) return result;
  const plain = choice('nextLink') === 'skip' && choice(`${source.set}.skip`) !== 'refused' && source.set !== 'delta';
  result.next = plain ? { $skip: String(end) } : { $skiptoken: Buffer.from(`${end}.${started}`).toString('base64url') };
  if (rest !== undefined) result.next.$top = String(rest);
  return result;
}

// ---- the JSON form of a row ----
const shortFields = ['id', 'displayName', 'mail', 'jobTitle', 'officeLocation', 'surname'];
export const etagOf = (row: Row) => `W/"${row.n.toString(36)}.${row.rev.toString(36)}"`;
export interface Form { body?: string; seen: Set<number> }
function fieldValue(kind: string, name: string, value: any, form: Form): any {
  if (value === null) return null;
  if (kind === 'boolean') return value === 1;
  if (kind === 'timestamp') return new Date(value).toISOString().replace(choice('timestamps') === 'short' ? '.000Z' : 'Z', 'Z');
  if (kind !== 'object' && kind !== 'list') return value;
  const object = JSON.parse(value);
  if (name !== 'body' || form.body === 'stored' || form.body === object.contentType) return object;
  return { contentType: form.body, content: form.body === 'html' ? toHtml(object.content) : toText(object.content) };
}
export function present(entity: Entity, row: Row, select: Set<string> | undefined, expand: Expand[], form: Form): Row {
  const out: Row = {}, users = entity.name === 'users';
  if (entity.tagged && choice('etag') !== 'header') out['@odata.etag'] = etagOf(row);
  for (const [name, kind] of Object.entries(entity.fields)) {
    const wanted = select ? select.has(name) : !users || choice('users.defaultFields') === 'all' || shortFields.includes(name);
    if (wanted) out[name] = fieldValue(kind, name, row[name], form);
    else if (users && choice('users.unselected') === 'null') out[name] = null;
  }
  for (const e of expand) {
    const target = entities[e.relation.target];
    const found = findRows({ entity: target, set: '', parent: entity.name, parentRow: row.n, on: e.relation.on });
    const shown = fault('expand-shared-manager-once') && !e.relation.many ? found.filter((r) => !form.seen.has(r.n) && form.seen.add(r.n)) : found;
    const items = shown.map((r) => present(target, r, e.select, e.expand, form));
    if (e.relation.many) out[e.name] = items;
    else if (items.length || choice('noManager') === 'null') out[e.name] = items[0] ?? null;
  }
  return out;
}
