#!/usr/bin/env python3
"""A directory and mailbox service on a small in-memory table engine (engine.py)."""
import base64, html, json, re, sys, threading, uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from engine import FAULT, NESTED, Parser, Refused, Table, args, choice, fold, instant, rng, show, syntax, test, unsupported, value


# ------------------------------------------------------------------ schema and data
more = choice('more_columns')
USERS = Table('users', {'id': 'str', 'displayName': 'str', 'mail': 'str', 'jobTitle': 'str', 'department': 'str', 'officeLocation': 'str', 'surname': 'str',
                        'accountEnabled': 'bool', 'assignedLicenses': 'list', **({'givenName': 'str', 'city': 'str'} if more else {})}, ('department', 'surname', 'jobTitle'))
MESSAGES = Table('messages', {'id': 'str', 'subject': 'str', 'body': 'complex', 'toRecipients': 'list', 'from': 'complex', 'receivedDateTime': 'time', 'isRead': 'bool',
                              'importance': 'str', **({'bodyPreview': 'str'} if more else {})}, ('subject', 'importance', 'isRead'))
GROUPS = Table('groups', {'id': 'str', 'displayName': 'str', 'mailEnabled': 'bool', 'mailNickname': 'str', 'securityEnabled': 'bool'}, ('displayName', 'mailNickname'))
ITEMS = Table('drive_items', {'id': 'str', 'name': 'str', 'size': 'num', 'createdDateTime': 'time', 'folder': 'complex', 'file': 'complex'}, ('name',))
CHILDREN = Table('children', ITEMS.columns)
MEMBERS = Table('members', {**GROUPS.columns, **USERS.columns})
RELATIONS = {'users': {'manager'}, 'messages': {'attachments', 'singleValueExtendedProperties'}, 'drive_items': {'thumbnails', 'children'},
             'children': {'thumbnails', 'children'}, 'groups': {'members'}, 'members': set()}
SEARCHABLE = {'users': ['displayName', 'mail', 'department', 'jobTitle', 'surname'], 'messages': ['subject', 'body', 'from'], 'groups': ['displayName', 'mailNickname'],
              'members': ['displayName'], 'drive_items': ['name'], 'children': ['name']}
MEMBERSHIP, BOSS, PARENT, EXTRA, REMINDERS = [], {}, {}, {}, []


def seed():
    given = ['Megan', 'Adele', 'Isaiah', 'Lynne', 'Diego', 'Patti', 'Lidia', 'Zoë', 'Émile', 'Johanna', 'alex', 'Pradeep', 'Miriam', 'Nestor', 'Grady']
    family = ["O'Brien", 'Bowen', 'Vance', 'Langer', 'Robbins', 'Siciliani', 'Fernandez', 'Holloway', 'Åkesson', 'McDonald', 'vance', "D'Souza", 'Graham']
    areas = ['Marketing', 'Legal', 'Retail', 'Operations', 'Research & Development', 'Sales']
    titles = ['Marketing Manager', 'Paralegal', 'Store Manager', 'CVP', 'Designer', 'Product Manager', 'Auditor', None]
    for i in range(48):
        g, f = given[i % 15], family[i % 13]
        u = USERS.insert({'displayName': f'{g} {f}', 'surname': f, 'givenName': g, 'city': ['Oslo', 'Lyon', 'Austin'][i % 3], 'department': rng.choice(areas),
                          'mail': None if i % 10 == 7 else re.sub(r'[^a-z0-9.@]', '', f'{g}.{f}{i}@fabrikam.example'.lower()), 'jobTitle': titles[rng.randrange(8)],
                          'officeLocation': rng.choice(['12/1110', '23/3101', 'Remote', 'HQ East']), 'accountEnabled': i % 5 != 3,
                          'assignedLicenses': [{'skuId': f'6fd2c87f-b296-42f0-b197-1e91e994b9{k:02d}'} for k in rng.sample(range(4), i % 4)]}, True)
        ids = list(USERS.rows)
        if i and i % 9 != 5:
            BOSS[u['id']] = ids[(i - 1) // 4]
    BOSS[ids[0]] = ids[5]
    person = lambda u: {'emailAddress': {'name': u['displayName'], 'address': u['mail'] or 'unknown@fabrikam.example'}}
    people, start = list(USERS.rows.values()), datetime(2025, 1, 6, 7, 30, tzinfo=timezone.utc)
    topics = ['Weekly status', 'RE: Weekly status', 'Contract for signature', 'Team dinner', "Manager's notes", 'Invoice #20', 'weekly digest', 'Release 2.0_final', 'Holiday plans', 'Vacation request']
    for i in range(70):
        text = i % 4 == 0
        m = MESSAGES.insert({'subject': rng.choice(topics) + (f' {i}' if i % 2 else ''), 'from': person(people[i * 5 % 48]), 'toRecipients': [person(p) for p in [people[0]] + rng.sample(people[1:], i % 3)],
                             'body': {'contentType': 'text' if text else 'html', 'content': f'Status {i}: all fine & on time.' if text else f'<html><body><div>Status <b>{i}</b></div><div>See the attached plan.</div></body></html>'},
                             'receivedDateTime': show(start + timedelta(hours=7 * (i // 3), milliseconds=250 * (i % 2) if choice('fraction') else 0)), 'isRead': i % 5 < 3,
                             'importance': ['normal', 'normal', 'high', 'low'][i % 4], 'bodyPreview': f'Status {i}'}, True)
        EXTRA[m['id'], 'attachments'] = [{'id': f'{i}-{k}', 'name': f'plan-{i}-{k}.xlsx', 'contentType': 'application/octet-stream', 'size': 2048 + k} for k in range(i % 4 if i % 3 == 0 else 0)]
        EXTRA[m['id'], 'singleValueExtendedProperties'] = [{'id': 'Integer {00062008-0000-0000-C000-000000000046} Id 0x8510', 'value': str(i)}] if i % 6 == 0 else []
    for i, n in enumerate(['Everyone', 'Mark 8 Project', 'Legal', 'Retail', 'Design', 'Leadership', "Parents' Circle", 'Ops on call', 'R&D', 'Digital Initiative', 'Contoso Marketing',
                           'Paralegal', 'U.S. Sales', 'Sales and Marketing', 'All Company', 'Temps', 'security-admins']):
        g = GROUPS.insert({'displayName': n, 'mailEnabled': i % 4 != 1, 'mailNickname': re.sub(r'\W', '', n), 'securityEnabled': i % 3 != 0}, True)
        MEMBERSHIP.extend((g['id'], p['id']) for k, p in enumerate(people) if i == 0 or (k * (i + 2)) % 7 == i % 7)
    gid = list(GROUPS.rows)
    MEMBERSHIP.extend([(gid[9], gid[1]), (gid[14], gid[9]), (gid[5], gid[2]), (gid[12], gid[13]), (gid[8], gid[16])])
    MEMBERSHIP.extend((gid[k], people[0]['id']) for k in (1, 13, 16) if (gid[k], people[0]['id']) not in MEMBERSHIP)

    def file(name, parent, size):
        it = ITEMS.insert({'name': name, 'size': size, 'createdDateTime': show(start + timedelta(days=len(ITEMS.rows))), **({'file': {'mimeType': 'application/octet-stream'}} if size else {'folder': {'childCount': 0}})}, True)
        if parent:
            PARENT[it['id']] = parent['id']
            parent['folder']['childCount'] += 1
        EXTRA[it['id'], 'thumbnails'] = [{'id': '0', **{s: {'height': h, 'width': h, 'url': f'https://cdn.example/{it["id"]}/{s}'} for s, h in (('small', 96), ('medium', 176))}}] if size else []
        return it
    for name, count, ext in (('Reports', 15, '.docx'), ('Pictures', 8, '.png'), ('Old stuff', 0, ''), ('Music', 6, '.mp3')):
        top = file(name, None, 0)
        for k in range(count):
            file(f'{name[:3].lower() if k % 2 else name[:3]}_{k:02d}{ext}', top, 1000 + rng.randrange(90000))
    for i in range(14):
        at = datetime(2025, 3, 10, 8, tzinfo=timezone.utc) + timedelta(hours=10 * i)
        REMINDERS.append((at, {'eventId': f'evt-{i}', 'eventSubject': topics[i % 10], 'reminderFireTime': {'dateTime': show(at), 'timeZone': 'UTC'},
                               'eventStartTime': {'dateTime': show(at + timedelta(minutes=15)), 'timeZone': 'UTC'}}))
    return people[0]


ME = seed()


# ------------------------------------------------------------------ statements
def split(text):
    return re.split(r',(?![^(]*\))', text)


def columns_of(text, table):
    out = set()
    for c in (p.strip() for p in text.split(',')):
        if c not in table.columns and c not in RELATIONS[table.name] and c != '*' and choice('unknown_select', table.name) == 'error':
            raise syntax(f"Could not find a property named '{c}' on this type.")
        out.add(c)
    return None if '*' in out else out


def relations_of(text, table):
    out = {}
    for part in split(text):
        m = re.fullmatch(r'\s*(\w+)\s*(?:\(\s*\$select=([\w, ]+)\))?\s*', part)
        if not m or m[1] not in RELATIONS[table.name] or not choice('expand', table.name):
            raise unsupported(f"$expand={part}")
        sub = {'manager': USERS, 'members': MEMBERS, 'children': CHILDREN}.get(m[1])
        out[m[1]] = None if not m[2] else columns_of(m[2], sub) if sub else {c.strip() for c in m[2].split(',')}
    return out


class Statement:
    """SELECT ... FROM table WHERE ... ORDER BY ... LIMIT, taken from the query options."""
    OPTIONS = ('$select', '$filter', '$orderby', '$expand', '$top', '$skip', '$count', '$search', '$skiptoken')

    def __init__(self, req, table):
        self.req, self.q, self.table = req, req.query, table
        for k in list(self.q):
            if k.startswith('$') and k not in self.OPTIONS and choice('unknown_option') == 'error':
                raise syntax(f"The query option '{k}' is not recognised.")
            if k in self.OPTIONS and self.q[k].strip() == '':
                if choice('blank_option') == 'error':
                    raise syntax(f"The query option '{k}' has no value.")
                del self.q[k]
        self.select = columns_of(self.q['$select'], table) if '$select' in self.q else None
        self.expand = relations_of(self.q['$expand'], table) if '$expand' in self.q else {}

    def number(self, name):
        text = self.q.get(name)
        if text is not None and not re.fullmatch(r'\d{1,9}', text):
            raise syntax(f"'{text}' is no valid value for {name}.")
        return None if text is None else int(text)

    def need_header(self):
        if self.req.headers.get('ConsistencyLevel', '').lower() != 'eventual':
            raise Refused(choice('advanced_status'), 'Advanced query capabilities are not available: the header ConsistencyLevel: eventual is needed.', 'Request_UnsupportedQuery')

    def where(self, rows):
        t = self.table
        if '$filter' in self.q:
            if not choice('where', t.name):
                raise unsupported('$filter')
            parser = Parser(self.q['$filter'], t)
            condition = parser.parse()
            if parser.advanced:
                self.need_header()
            source = {'children': ITEMS}.get(t.name, t)
            rows = [r for r in source.candidates(condition, rows) if test(condition, r, {}, t) is True]
        if '$search' in self.q:
            if not choice('search', t.name):
                raise unsupported('$search')
            self.need_header()
            if '$orderby' in self.q and choice('search_order') == 'error':
                raise unsupported('$search with $orderby')
            rows = self.search(rows)
        return rows

    def search(self, rows):
        terms, optional = [], choice('search_quotes') == 'optional'
        for part in re.split(r'\s+OR\s+', self.q['$search'].strip()):
            m = re.fullmatch(r'"(\w+):([^"]*)"', part) or optional and re.fullmatch(r'(\w+):([^"]*)', part)
            if not m or m[1] not in SEARCHABLE[self.table.name]:
                raise syntax('$search takes terms of the form "property:term".')
            terms.append((m[1], fold(m[2]).split()))
        mode = choice('search_mode')

        def hit(row, term):
            text = row.get(term[0]) or ''
            if isinstance(text, dict):
                text = html.unescape(re.sub(r'<[^>]*>', ' ', text['content'])) if 'content' in text else ' '.join(text['emailAddress'].values())
            text = fold(text)
            if mode == 'substring':
                return all(w in text for w in term[1])
            words = re.findall(r'\w+', text) + text.split()
            return all(any(w == x or mode == 'prefix' and x.startswith(w) for x in words) for w in term[1])
        combine = all if FAULT == 'search-needs-all' else any
        return [r for r in rows if combine(hit(r, t) for t in terms)]

    def order(self, rows):
        t = self.table
        if '$orderby' not in self.q:
            return rows
        if not choice('order_by', t.name):
            raise unsupported('$orderby')
        keys = []
        for part in self.q['$orderby'].split(','):
            m = re.fullmatch(r'\s*([\w/]+)(?:\s+(asc|desc))?\s*', part)
            if not m:
                raise syntax('Syntax error in $orderby.')
            path = m[1].split('/')
            kind = t.columns.get(path[0]) if len(path) == 1 else t.columns.get(path[0]) and NESTED.get('/'.join(path[1:]))
            if kind in (None, 'list', 'complex'):
                if kind or choice('unknown_order', t.name) == 'error':
                    raise syntax(f"Cannot order by '{m[1]}'.")
                continue
            keys.append((path, kind, m[2] == 'desc'))
            if FAULT == 'order-stops-at-desc' and m[2] == 'desc':
                break
        nocase, nulls = choice('sort_collation', t.name) == 'nocase', choice('null_order', t.name)
        for path, kind, desc in reversed(keys):
            def key(row):
                v = value(('col', path, kind), row, {}, t)
                missing = v is None
                rank = missing if nulls == 'last' else not missing if nulls == 'first' else (missing != desc)
                return (rank, 0 if missing else fold(v) if nocase else v)
            if FAULT == 'order-drops-nulls':
                rows = [r for r in rows if value(('col', path, kind), r, {}, t) is not None]
            rows = sorted(rows, key=key, reverse=desc)
        return rows

    def run(self, rows):
        t, q = self.table, self.q
        table_rows = len(rows)
        ordering = choice('default_order', t.name)
        rows = rows[::-1] if ordering == 'newest' else sorted(rows, key=lambda r: r['id']) if ordering == 'key' else rows
        top, skip = self.number('$top'), self.number('$skip')
        if q.get('$count', 'true') not in ('true', 'false'):
            raise syntax('$count is true or false.')
        counted = q.get('$count') == 'true'
        if skip is not None and not choice('offset', t.name):
            raise unsupported('$skip')
        if top == 0 and choice('top_zero', t.name) == 'error':
            raise syntax('$top must be greater than zero.')
        paged = choice('top_role', t.name) == 'page'
        if top is not None and top > choice('top_max', t.name):
            if choice('top_excess', t.name) == 'error':
                raise syntax(f"The limit of {choice('top_max', t.name)} for $top is exceeded.")
            top = choice('top_max', t.name)
        need = choice('count_header', t.name)
        if counted and (need == 'always' or need == 'where' and '$filter' in q):
            self.need_header()
        start, total, left = skip or 0, None, None if paged else top
        token = q.get('$skiptoken')
        if token is not None:
            try:
                state = SNAPSHOTS[token] if token in SNAPSHOTS else json.loads(base64.urlsafe_b64decode(token))
                start, left = state['s'], state['l']
            except (ValueError, KeyError):
                raise syntax('The skip token is not valid.')
        if token in SNAPSHOTS:
            rows, total = [r for r in state['rows']], state['total']
        else:
            rows = self.where(rows)
            total = len(rows)
            rows = rows if FAULT == 'next-forgets-order' and (token or skip) else self.order(rows)
        size = choice('page_size', t.name)
        if top is not None and (paged or token is None):
            size = top
        take = size if left is None else min(size, left)
        page = rows[start:start + take]
        body = {'value': [self.show(r, True) for r in page]}
        if choice('context'):
            body['@odata.context'] = f'{self.req.base}/$metadata#{t.name}'
        if counted and (token is None or choice('count_on', t.name) == 'every'):
            body['@odata.count'] = table_rows if FAULT == 'count-ignores-where' else total
        left = None if left is None else left - take
        more = start + take < len(rows) and take > 0 and (left is None or left > 0)
        if more or FAULT == 'endless-next' and token:
            after = start + take - (FAULT == 'page-overlap')
            if not more:
                after = 0
            style, keep = choice('cursor', t.name), {k: v for k, v in q.items() if k != '$skiptoken'}
            if style == 'plain' and left is None and choice('offset', t.name):
                keep['$skip'] = str(after)
            elif style == 'snapshot' and FAULT not in ('next-forgets-order',):
                key = f's{len(SNAPSHOTS) + 1:06x}'
                SNAPSHOTS[key] = {'s': after, 'l': left, 'rows': rows, 'total': total}
                keep['$skiptoken'] = key
            else:
                keep['$skiptoken'] = base64.urlsafe_b64encode(json.dumps({'s': after, 'l': left}).encode()).decode()
            body['@odata.nextLink'] = f'{self.req.origin}{self.req.path}?' + '&'.join(f'{quote(k, safe="$")}={quote(v)}' for k, v in keep.items())
        return body

    def show(self, row, in_list=False):
        t, out = self.table, {}
        for c, v in row.items():
            if c in t.columns:
                if self.select is None or c in self.select:
                    out[c] = v
                elif choice('unselected', t.name) == 'null':
                    out[c] = None
        if 'body' in out and out['body']:
            out['body'] = self.body(out['body'])
        if t is MEMBERS and choice('member_tag'):
            out['@odata.type'] = '#directory.' + ('user' if row['id'] in USERS.rows else 'group')
        if t in (USERS, MESSAGES, GROUPS, ITEMS) and choice('etag', t.name) != 'none' and choice('etag_in_body', t.name):
            out['@odata.etag'] = t.tag(row)
        for rel, chosen in self.expand.items():
            if FAULT == 'expand-lost-in-list' and in_list and t is MESSAGES:
                continue
            out.update(self.related(row, rel, None if FAULT == 'nested-select-ignored' else chosen))
        if FAULT == 'expanded-row-sticks' and t is USERS:
            if 'manager' in out:
                EXTRA[row['id'], 'seen'] = out['manager']
            elif (row['id'], 'seen') in EXTRA and self.select is None:
                out['manager'] = EXTRA[row['id'], 'seen']
        return out

    def related(self, row, rel, chosen):
        sub = Statement.__new__(Statement)
        sub.req, sub.q, sub.select, sub.expand = self.req, {}, chosen, {}
        if rel == 'manager':
            boss = USERS.rows.get(BOSS.get(row['id']))
            sub.table = USERS
            return {'manager': sub.show(boss)} if boss else {'manager': None} if choice('lonely_manager') == 'null' else {}
        if rel == 'children':
            sub.table = CHILDREN
            return {rel: [sub.show(x) for x in children(row['id'])]}
        if rel == 'members':
            sub.table = MEMBERS
            return {rel: [sub.show(x) for x in members(row['id'])]}
        return {rel: [{k: v for k, v in x.items() if chosen is None or k in chosen} for x in EXTRA.get((row['id'], rel), [])]}

    def body(self, body):
        m = re.search(r'body-content-type\s*=\s*"?(text|html)', self.req.headers.get('Prefer', ''), re.I)
        want = m[1].lower() if m and choice('honour_prefer') else 'html' if choice('html_view') == 'html' else body['contentType']
        if m and choice('honour_prefer') and choice('say_applied'):
            self.req.out['Preference-Applied'] = f'body-content-type="{want}"'
        if want == body['contentType']:
            return body
        text = body['content']
        if want == 'text':
            return {'contentType': 'text', 'content': html.unescape(re.sub(r'<[^>]*>', '', re.sub(r'</div>', '\n', text))).strip()}
        return {'contentType': 'html', 'content': f'<html><body><div>{html.escape(text, False)}</div></body></html>'}


SNAPSHOTS = {}
LOG = []  # identifiers of changed rows, in order


def children(item_id):
    return [r for r in ITEMS.rows.values() if PARENT.get(r['id']) == item_id]


def members(group_id):
    return [USERS.rows.get(m) or GROUPS.rows.get(m) for g, m in MEMBERSHIP if g == group_id and (m in USERS.rows or m in GROUPS.rows)]


def groups_of(member, deep):
    out, todo = [], [member]
    while todo:
        x = todo.pop(0)
        for g, m in MEMBERSHIP:
            if m == x and g not in out and (g in GROUPS.rows or FAULT == 'membership-outlives-group'):
                out.append(g)
                todo += [g] if deep else []
    return out


def clean(table, body):
    """Checks a request body against the columns of a table."""
    out = {}
    wrong = lambda c: Refused(choice('body_error'), f"Invalid value for property '{c}'.", 'InvalidValue')
    recipient = lambda r: isinstance(r, dict) and isinstance(r.get('emailAddress'), dict) and isinstance(r['emailAddress'].get('address'), str)
    for c, v in body.items():
        kind = table.columns.get(c)
        if c.startswith('@') or '@odata' in c:
            continue
        if c == 'id':
            if choice('given_id') == 'error':
                raise wrong(c)
            continue
        if kind is None:
            if choice('unknown_column') == 'error':
                raise Refused(choice('body_error'), f"The property '{c}' does not exist.", 'UnknownProperty')
            continue
        if v is None:
            if c not in ('mail', 'jobTitle', 'department', 'officeLocation', 'subject', 'surname') and choice('null_required') == 'error':
                raise wrong(c)
            if kind not in ('str',) or c in ('importance', 'displayName', 'mailNickname'):
                continue
        elif not isinstance(v, {'str': str, 'bool': bool, 'list': list, 'complex': dict, 'time': str, 'num': (int, float)}[kind]):
            raise wrong(c)
        elif kind == 'time':
            if instant(v) is None:
                raise wrong(c)
            if choice('received') == 'now':
                continue
            v = show(instant(v))
        elif c == 'toRecipients' and not all(map(recipient, v)) or c == 'from' and not recipient(v):
            raise wrong(c)
        elif c == 'importance' and v not in ('low', 'normal', 'high'):
            raise wrong(c)
        elif c == 'body':
            v = {'contentType': v.get('contentType', 'text'), 'content': v.get('content', '')}
            if not all(isinstance(x, str) for x in v.values()) or v['contentType'].lower() not in ('text', 'html'):
                raise wrong(c)
            v['contentType'] = v['contentType'].lower()
        elif c == 'assignedLicenses' and not all(isinstance(x, dict) and isinstance(x.get('skuId'), str) for x in v):
            raise wrong(c)
        out[c] = v
    return out


# ------------------------------------------------------------------ routes
class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = 'HTTP/1.1', True

    def log_message(self, *a):
        pass

    def handle_any(self):
        url = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        self.out, self.origin = {'Content-Type': 'application/json; charset=utf-8'}, ORIGIN
        self.base, path, self.data, verb = ORIGIN + '/v1.0', url.path, data, self.command
        self.query = dict(parse_qsl(url.query, keep_blank_values=True))
        self.path = path
        with LOCK:
            try:
                status, body = self.route([unquote(p) for p in path.strip('/').split('/')] + ([''] if path.endswith('/') and choice('trailing_slash') == 'refuse' else []), verb)
            except Refused as e:
                code = e.code or {401: 'Unauthenticated', 404: 'ItemNotFound', 405: 'MethodNotAllowed', 412: 'PreconditionFailed'}.get(e.status, 'InvalidRequest')
                if choice('code_style') == 'snake':
                    code = re.sub(r'(?<=[a-z])(?=[A-Z])', '_', code).lower()
                error = {'code': code, 'message': e.message, **({'innerError': {'request-id': str(uuid.uuid4())}} if choice('error_extra') else {})}
                if FAULT == 'error-without-message' and '$filter' in self.query:
                    del error['message']
                status, body = e.status, {'error': error}
            except Exception as e:
                print(repr(e), file=sys.stderr)
                status, body = 500, {'error': {'code': 'InternalError', 'message': 'An internal error has happened.'}}
            if status >= 400:
                self.out = {'Content-Type': 'application/json; charset=utf-8', **({'WWW-Authenticate': 'Bearer'} if status == 401 and choice('www_auth') else {})}
            payload = b'' if body is None or status in (204, 304) else json.dumps(body, ensure_ascii=False).encode()
        lines = [f'HTTP/1.1 {status} {self.responses.get(status, ("Status",))[0]}'] + [f'{k}: {v}' for k, v in self.out.items() if payload or k != 'Content-Type']
        if status not in (204, 304):
            lines.append(f'Content-Length: {len(payload)}')
        self.wfile.write('\r\n'.join(lines).encode() + b'\r\n\r\n' + payload)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do_HEAD = do_OPTIONS = handle_any

    def json_body(self):
        try:
            body = json.loads(self.data)
        except ValueError:
            raise Refused(400, 'The body is not valid JSON.', 'InvalidBody')
        if not isinstance(body, dict):
            raise Refused(choice('body_error'), 'The body must be an object.', 'InvalidBody')
        return body

    def fetch(self, table, key):
        row = table.rows.get(key)
        if row is None:
            if choice('bad_key', table.name) == 400 and not table.key_fits(key):
                raise Refused(400, f"'{key}' is no identifier.", 'InvalidIdentifier')
            raise Refused(404, f"The item '{key}' does not exist.", 'ItemNotFound')
        return row

    def listing(self, table, rows, verb):
        self.only(verb, 'GET')
        return 200, Statement(self, table).run(rows)

    def only(self, verb, *allowed):
        if verb not in allowed:
            raise Refused(choice('no_method'), f'{verb} is not allowed here.', 'MethodNotAllowed')

    def agrees(self, table, row, header):
        plain = lambda x: x.strip().removeprefix('W/')
        return header.strip() == '*' or plain(table.tag(row)) in [plain(x) for x in header.split(',')]

    def item(self, table, row, status=200):
        st = Statement(self, table)
        if self.command == 'GET':
            for k in ('$filter', '$orderby', '$top', '$skip', '$count', '$search'):
                if k in self.query:
                    raise unsupported(k)
        if choice('etag', table.name) != 'none':
            self.out['ETag'] = table.tag(row)
            given = self.headers.get('If-None-Match')
            if given and self.command == 'GET' and (FAULT == 'none-match-blind' or self.agrees(table, row, given)):
                return 304, None
        body = st.show(row)
        if choice('context'):
            body['@odata.context'] = f'{self.base}/$metadata#{table.name}/$entity'
        return status, body

    def change(self, table, row, verb):
        given = self.headers.get('If-Match')
        if given and choice('etag', table.name) != 'none' and not self.agrees(table, row, given):
            raise Refused(412, 'The item has been changed meanwhile.', 'PreconditionFailed')
        if verb == 'PATCH':
            body = self.json_body()
            if not body and choice('empty_patch') == 400:
                raise Refused(400, 'Nothing to change.', 'InvalidBody')
            table.update(row, clean(table, body))
            LOG.append(row['id'])
            return self.item(table, row)
        table.delete(row)
        return choice('removed', table.name), None

    def create(self, table, row):
        row = table.insert(row)
        if choice('location'):
            self.out['Location'] = f'{self.base}{self.path.removeprefix("/v1.0")}/{row["id"]}'
        return self.item(table, row, choice('created', table.name))

    def paren_key(self, part):
        m = re.fullmatch(r"(users|groups|messages|items)\('([^']+)'\)", part)
        return m.groups() if m and choice('paren_key', {'items': 'drive_items'}.get(m[1], m[1])) else (part,)

    def ids(self, ids):
        return 200, ids if choice('bare_lists') else {'value': ids}

    def route(self, s, verb):
        nowhere = Refused(choice('no_route'), 'There is no such resource.', 'ResourceNotFound')
        scheme, _, given = self.headers.get('Authorization', '').partition(' ')
        if given.strip() != args.token or scheme != 'Bearer' and (choice('scheme_case') == 'exact' or scheme.lower() != 'bearer'):
            if not (FAULT == 'open-members' and verb == 'GET' and s[-1] == 'members'):
                raise Refused(401, 'Valid credentials are needed.', 'Unauthenticated')
        s = [x for p in s for x in self.paren_key(p)]
        if s[0] != 'v1.0' or len(s) < 2:
            raise nowhere
        match s[1:]:
            case ['me']:
                self.only(verb, 'GET', 'PATCH')
                return self.item(USERS, ME) if verb == 'GET' else self.change(USERS, ME, verb)
            case ['users']:
                return self.listing(USERS, list(USERS.rows.values()), verb)
            case ['users', '$count']:
                self.only(verb, 'GET')
                rows = list(USERS.rows.values())
                n = len(Statement(self, USERS).where(rows))
                self.out['Content-Type'] = choice('count_type')
                return 200, len(rows) if FAULT == 'count-path-ignores-where' else n
            case ['users', p] if p == choice('delta_path'):
                rows, token = list(USERS.rows.values()), self.query.pop('$deltatoken', None)
                since = self.query.pop('$since', str(len(LOG)))
                if token is not None:
                    m = re.fullmatch(r't(\d+)', token)
                    if m and int(m[1]) <= len(LOG):
                        rows = [r for r in rows if r['id'] in LOG[int(m[1]):]]
                    elif choice('stale_delta') == 'error':
                        raise Refused(410, 'This delta token is not known.', 'ResyncRequired')
                status, body = self.listing(USERS, rows, verb)
                if '@odata.nextLink' in body:
                    body['@odata.nextLink'] += f'&$since={since}' + ('' if token is None else '&$deltatoken=' + quote(token))
                else:
                    body['@odata.deltaLink'] = f'{self.base}/users/{p}?$deltatoken=t{since}'
                return status, body
            case ['users', key]:
                self.only(verb, 'GET')
                return self.item(USERS, self.fetch(USERS, key))
            case ['me', 'manager'] | ['users', _, 'manager']:
                self.only(verb, 'GET')
                boss = BOSS.get(ME['id'] if s[1] == 'me' else self.fetch(USERS, s[2])['id'])
                if not boss:
                    raise Refused(404, 'There is no manager.', 'ResourceNotFound')
                return self.item(USERS, USERS.rows[boss])
            case ['me', 'calendar']:
                self.only(verb, 'GET')
                for k in self.query:
                    if k.startswith('$') and (k != '$select' and k in Statement.OPTIONS or choice('unknown_option') == 'error' and k not in Statement.OPTIONS):
                        raise unsupported(k)
                wanted = [c.strip() for c in self.query.get('$select', '*').split(',')]
                shown = {'id': 'calendar-1', 'name': 'Calendar', 'isDefaultCalendar': True, 'owner': {'name': ME['displayName'], 'address': ME['mail']}}
                return 200, {c: v for c, v in shown.items() if '*' in wanted or c in wanted}
            case ['me', 'messages']:
                self.only(verb, 'GET', 'POST')
                if verb == 'GET':
                    return self.listing(MESSAGES, list(MESSAGES.rows.values()), verb)
                me = {'emailAddress': {'name': ME['displayName'], 'address': ME['mail']}}
                row = {'subject': '', 'body': {'contentType': 'text', 'content': ''}, 'toRecipients': [], 'from': me, 'isRead': False, 'importance': 'normal',
                       'receivedDateTime': show(datetime.now(timezone.utc)), 'bodyPreview': '', **clean(MESSAGES, self.json_body())}
                return self.create(MESSAGES, row)
            case ['me', 'messages', key] | ['groups', key]:
                table = GROUPS if s[1] == 'groups' else MESSAGES
                self.only(verb, *(('GET', 'DELETE') if table is GROUPS else ('GET', 'PATCH', 'DELETE')))
                if FAULT == 'delete-missing-ok' and verb == 'DELETE' and key not in table.rows:
                    return choice('removed', table.name), None
                if verb != 'GET' and 'If-Match' in self.headers and key not in table.rows and choice('match_missing') == 412:
                    raise Refused(412, 'The item is not there.', 'PreconditionFailed')
                row = self.fetch(table, key)
                return self.item(table, row) if verb == 'GET' else self.change(table, row, verb)
            case ['me', 'drive', 'items'] | ['drive', 'items']:
                return self.listing(ITEMS, list(ITEMS.rows.values()), verb)
            case ['me', 'drive', 'items', key] | ['drive', 'items', key]:
                self.only(verb, 'GET')
                return self.item(ITEMS, self.fetch(ITEMS, key))
            case ['me', 'drive', 'items', key, 'children'] | ['drive', 'items', key, 'children']:
                if FAULT == 'children-of-nowhere' and key not in ITEMS.rows:
                    return self.listing(CHILDREN, children(key), verb)
                return self.listing(CHILDREN, children(self.fetch(ITEMS, key)['id']), verb)
            case ['groups']:
                self.only(verb, 'GET', 'POST')
                if verb == 'GET':
                    return self.listing(GROUPS, list(GROUPS.rows.values()), verb)
                body = clean(GROUPS, self.json_body())
                for c in {'all': ['displayName', 'mailEnabled', 'mailNickname', 'securityEnabled'], 'name': ['displayName'], 'none': []}[choice('group_required')]:
                    if c not in body:
                        raise Refused(choice('body_error'), f"'{c}' is required.", 'MissingProperty')
                return self.create(GROUPS, {'displayName': '', 'mailEnabled': False, 'mailNickname': 'g', 'securityEnabled': False, **body})
            case ['groups', key, 'members']:
                return self.listing(MEMBERS, members(self.fetch(GROUPS, key)['id']), verb)
            case ['me', 'getMemberGroups']:
                self.only(verb, 'POST')
                secure = self.json_body().get('securityEnabledOnly')
                if not isinstance(secure, bool):
                    raise Refused(choice('body_error'), 'securityEnabledOnly must be a boolean.', 'InvalidValue')
                return self.ids([g for g in groups_of(ME['id'], choice('groups_deep')) if not secure or g not in GROUPS.rows or GROUPS.rows[g]['securityEnabled']])
            case ['me', 'checkMemberObjects']:
                self.only(verb, 'POST')
                asked = self.json_body().get('ids')
                if not isinstance(asked, list) or not all(isinstance(x, str) for x in asked) or len(asked) > choice('check_limit'):
                    raise Refused(choice('body_error'), 'ids must be a list of strings.', 'InvalidValue')
                mine = set(GROUPS.rows) if FAULT == 'check-echoes-groups' else groups_of(ME['id'], choice('check_deep'))
                found = [x for x in dict.fromkeys(asked) if x in mine]
                return self.ids(sorted(found) if choice('check_sorted') else found)
            case ['me', p] if p.startswith(choice('reminder_case')):
                self.only(verb, 'GET')
                ends = dict(re.findall(r"(\w+)='([^']*)'", p)) if choice('reminder_path') == 'function' and '(' in p else self.query
                span = [ends.get('startDateTime'), ends.get('endDateTime')]
                if FAULT == 'reminder-blank-ok' and span[0] == '':
                    span[0] = '1970-01-01T00:00:00Z'
                a, b = map(instant, span)
                if a is None or b is None:
                    raise syntax('startDateTime and endDateTime are needed, both as timestamps.')
                found = [r for at, r in REMINDERS if a <= at <= b]
                return 200, found if choice('bare_lists') else {'value': found}
        raise nowhere


LOCK = threading.Lock()
ThreadingHTTPServer.daemon_threads = True
server = ThreadingHTTPServer(('127.0.0.1', args.port), Handler)
ORIGIN = f'http://127.0.0.1:{server.server_address[1]}'
print(f'listening on {ORIGIN}/v1.0', flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
