"""Choices, faults, times and the table engine of the service: tables with hash indexes,
a Pratt parser for conditions and SQL's three truth values."""
import argparse, base64, json, os, random, re, sys, uuid
from datetime import datetime, timedelta, timezone
from zlib import crc32

TABLES = ['users', 'messages', 'groups', 'members', 'drive_items', 'children']
PER_TABLE = {  # "<table>.<name>"; the first value is the default
    'page_size': ([100, 5, 12, 20, 60], 'items on a page'),
    'top_max': ([999, 30, 100, 250], 'largest $top'),
    'top_excess': (['clamp', 'error'], 'what happens above it'),
    'top_role': (['limit', 'page'], 'whether $top limits all pages or is the size of a page'),
    'top_zero': (['empty', 'error'], 'answer to $top=0'),
    'eq_collation': (['nocase', 'binary'], 'letter case in eq and ne'),
    'rel_collation': (['binary', 'nocase'], 'letter case in gt, ge, lt and le'),
    'like_collation': (['nocase', 'binary'], 'letter case in text functions'),
    'sort_collation': (['binary', 'nocase'], 'letter case in $orderby'),
    'null_order': (['first', 'last', 'always_last'], 'where null sorts'),
    'cursor': (['offset', 'snapshot', 'plain'], 'form of the next link'),
    'count_header': (['never', 'always', 'where'], 'when $count=true needs ConsistencyLevel'),
    'count_on': (['every', 'first'], 'pages that carry the count'),
    'where': ([True, False], '$filter is supported'),
    'order_by': ([True, False], '$orderby is supported'),
    'offset': ([True, False], '$skip is supported'),
    'search': ([True, False], '$search is supported'),
    'expand': ([True, False], '$expand is supported'),
    'unselected': (['absent', 'null'], 'what becomes of unselected properties'),
    'unknown_select': (['error', 'ignore'], 'unknown property in $select'),
    'unknown_order': (['error', 'ignore'], 'unknown property in $orderby'),
    'created': ([201, 200], 'status of a create'),
    'removed': ([204, 200], 'status of a delete'),
    'etag': (['weak', 'strong', 'none'], 'kind of entity tag'),
    'etag_in_body': ([True, False], '@odata.etag is sent'),
    'key_style': (['uuid', 'int', 'base64', 'slug'], 'form of identifiers'),
    'bad_key': ([404, 400], 'answer to a malformed identifier'),
    'paren_key': ([True, False], "accepts name('key')"),
    'default_order': (['insertion', 'newest', 'key'], 'order without $orderby'),
}
GLOBAL = {
    'body_error': ([400, 422], 'status of a wrong value in a body'),
    'unknown_column': (['error', 'ignore'], 'unknown property in a body'),
    'given_id': (['ignore', 'error'], 'id in a body'),
    'advanced_status': ([400, 403, 422], 'status without ConsistencyLevel'),
    'refuse_status': ([400, 501, 403], 'status of an unsupported option'),
    'syntax_status': ([400, 422], 'status of a wrong option'),
    'unknown_option': (['error', 'ignore'], 'unknown query option'),
    'no_route': ([404, 400], 'status of an unknown path'),
    'no_method': ([405, 404], 'status of a wrong method'),
    'fraction': ([3, 0, 7], 'digits of a second in timestamps'),
    'received': (['given', 'now'], 'who sets receivedDateTime'),
    'html_view': (['as_is', 'html'], 'body without a preference'),
    'honour_prefer': ([True, False], 'the preference is honoured'),
    'say_applied': ([True, False], 'Preference-Applied is sent'),
    'delta_path': (['delta', 'delta()', '$delta'], 'path of change tracking'),
    'count_type': (['text/plain', 'application/json'], 'media type of the count'),
    'reminder_path': (['function', 'query'], 'form of the reminder view'),
    'reminder_case': (['reminderView', 'ReminderView'], 'name of the reminder view'),
    'bare_lists': ([False, True], 'lists of operations without an envelope'),
    'groups_deep': ([True, False], 'getMemberGroups is transitive'),
    'check_deep': ([True, False], 'checkMemberObjects is transitive'),
    'ne_null': (['true', 'unknown'], 'ne a value, where the property is null'),
    'type_clash': (['error', 'unknown'], 'comparing different types'),
    'search_mode': (['words', 'prefix', 'substring'], 'what a search term matches'),
    'search_order': (['allow', 'error'], '$search with $orderby'),
    'error_extra': ([True, False], 'further fields in errors'),
    'www_auth': ([True, False], 'WWW-Authenticate is sent'),
    'context': ([True, False], '@odata.context is sent'),
    'lonely_manager': (['absent', 'null'], 'expanded manager that is missing'),
    'member_tag': ([True, False], 'members carry their type'),
    'more_columns': ([True, False], 'further properties'),
    'code_style': (['pascal', 'snake'], 'style of error codes'),
    'empty_patch': ([200, 400], 'PATCH without fields'),
    'null_required': (['error', 'accept'], 'null for a property that the interface does not call nullable'),
    'group_required': (['all', 'name', 'none'], 'what a new group needs'),
    'check_limit': ([1000, 20], 'most identifiers in one check'),
    'trailing_slash': (['accept', 'refuse'], 'a slash at the end of the path'),
    'location': ([True, False], 'Location is sent'),
    'search_quotes': (['needed', 'optional'], 'quotes around search terms'),
    'stale_delta': (['error', 'restart'], 'an unknown delta token'),
    'check_sorted': ([False, True], 'order of checkMemberObjects'),
    'match_missing': ([404, 412], 'If-Match on a missing item'),
    'scheme_case': (['any', 'exact'], 'letter case of the scheme Bearer'),
    'blank_option': (['error', 'ignore'], 'query option without a value'),
}
DEFAULTS = {'users.count_header': 'always', 'messages.page_size': 12}
FAULTS = {
    'not-takes-and': "filter: 'Logical operators: and, or, not, with parentheses' - `not a and b` is read as `not (a and b)`",
    'doubled-quote-kept': "filter: 'Values: strings in single quotes' - a doubled quote inside stays doubled, so O''Brien finds nobody",
    'ne-null-all': "filter: 'null can be filtered with eq null / ne null' - ne null also returns the items that have null",
    'reminder-blank-ok': "operations: 'both required, non-empty strings' - an empty startDateTime is taken as the beginning of time",
    'error-without-message': "errors: 'an object error with code (string) and message (string)' - refused filters carry no message",
    'tolower-null-crash': "filter: 'Functions: tolower(<property>)' - a null value ends in status 500",
    'order-stops-at-desc': "ordering: 'several keys apply in order' - keys behind a descending key are dropped",
    'order-drops-nulls': "ordering: '$orderby: sort' - items whose key is null are lost from the list",
    'next-forgets-order': "paging: 'paging by following @odata.nextLink' - later pages come in table order",
    'page-overlap': "paging: 'address of the next page' - each page begins with the last item of the page before",
    'endless-next': "paging: '@odata.nextLink: absent on the last page' - the last page points to the first",
    'count-ignores-where': "count: '$count' of a filtered list - @odata.count is the size of the whole table",
    'count-path-ignores-where': "count: 'Count of a users collection ... accepts $filter' - the filter changes nothing",
    'expand-lost-in-list': "expand: '$expand: include related resources' on collection reads - messages in a list come without them",
    'nested-select-ignored': "expand: 'nested form <relation>($select=<props>)' - the related resource comes whole",
    'expanded-row-sticks': "expand: 'manager: returned only when expanded' - after one expanded read it is always there",
    'search-needs-all': "search: 'terms joined with OR' - all terms must be found",
    'index-misses-insert': "writing: '$filter' over all items - a created item is not in the index, so eq does not find it",
    'index-misses-update': "writing: '$filter' - after PATCH an eq filter still works with the old value",
    'delete-missing-ok': "writing: 'item does not exist: 404' - deleting an unknown item succeeds",
    'children-of-nowhere': "errors: 'item does not exist: 404' - children of an unknown drive item are an empty list",
    'check-echoes-groups': "operations: 'list of the identifiers of which the user is a member' - every existing group asked for is returned",
    'membership-outlives-group': "operations: 'list of group identifiers' - a deleted group is still named",
    'none-match-blind': "conditional: 'If-None-Match: entity tag, conditional read' - any tag gives 304",
    'open-members': "authentication: 'A request without valid authentication fails with status 401' - members of a group are readable without",
}
ENV = os.environ.get
ap = argparse.ArgumentParser()
ap.add_argument('--port', type=int, default=int(ENV('PORT', '0')))
ap.add_argument('--token', default=ENV('TOKEN', 'secret'))
ap.add_argument('--choices', default=ENV('CHOICES', '{}'))
ap.add_argument('--fault', default=ENV('FAULT', ''))
ap.add_argument('--describe', action='store_true')
args = ap.parse_args()
if args.describe:
    # The interface promises $expand=thumbnails on children.
    every = [(f'{t}.{n}', *PER_TABLE[n]) for n in PER_TABLE for t in TABLES if (n, t) != ('expand', 'children')] + [(n, *v) for n, v in GLOBAL.items()]
    told = [{'name': n, 'values': v, 'default': DEFAULTS.get(n, v[0]), 'meaning': m} for n, v, m in every]
    faults = [dict(zip(('name', 'area', 'meaning'), (n, *text.split(': ', 1)))) for n, text in FAULTS.items()]
    print(json.dumps({'language': 'Python', 'store': 'a table engine', 'choices': told, 'faults': faults}))
    sys.exit(0)
CHOICES, FAULT = json.loads(args.choices), args.fault
if FAULT not in ('', 'none') and FAULT not in FAULTS:
    sys.exit('no such fault')


def choice(name, table=None):
    for k in ([f'{table}.{name}'] if table else []) + [name]:
        if k in CHOICES:
            return CHOICES[k]
    return DEFAULTS.get(f'{table}.{name}', (PER_TABLE.get(name) or GLOBAL[name])[0][0])


class Refused(Exception):
    def __init__(self, status, message, code=None):
        self.status, self.message, self.code = status, message, code


def syntax(message):
    return Refused(choice('syntax_status'), message, 'BadRequest')


def unsupported(what):
    return Refused(choice('refuse_status'), f'{what} is not supported by this endpoint.', 'NotSupported')


# ------------------------------------------------------------------ times
STAMP = re.compile(r'(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)$')


def instant(text):
    m = STAMP.match(text) if isinstance(text, str) else None
    if not m:
        return None
    try:
        at = datetime(*(int(m[i]) for i in range(1, 6)), int(m[6] or 0), tzinfo=timezone.utc)
    except ValueError:
        return None
    if m[8] != 'Z':
        shift = timedelta(hours=int(m[8][1:3]), minutes=int(m[8][4:6]))
        at = at - shift if m[8][0] == '+' else at + shift
    return at + timedelta(microseconds=round(float('0' + (m[7] or '.0')) * 1e6))


def show(at):
    base, n = at.strftime('%Y-%m-%dT%H:%M:%S'), choice('fraction')
    return base + ('.' + (f'{at.microsecond:06d}' + '0')[:n] if n else '') + 'Z'


# ------------------------------------------------------------------ the table engine
rng = random.Random(41)
NESTED = {'content': 'str', 'contentType': 'str', 'emailAddress/address': 'str', 'emailAddress/name': 'str', 'skuId': 'str', 'childCount': 'num'}


class Table:
    def __init__(self, name, columns, indexed=(), hidden=()):
        self.name, self.columns, self.hidden = name, columns, set(hidden)
        self.rows, self.version, self.serial = {}, {}, 0
        self.index = {c: {} for c in indexed}

    def new_key(self):
        self.serial += 1
        style = choice('key_style', self.name)
        if style == 'uuid':
            return str(uuid.UUID(int=rng.getrandbits(128), version=4))
        if style == 'int':
            return str(1000 + self.serial * 7)
        if style == 'slug':
            return f'{self.name[:3]}-{self.serial:04d}-{rng.getrandbits(24):06x}'
        return base64.urlsafe_b64encode(rng.getrandbits(18 * 8).to_bytes(18, 'big')).decode()

    def key_fits(self, key):
        return re.fullmatch({'uuid': r'[0-9a-fA-F-]{36}', 'int': r'\d+', 'slug': r'[\w-]+', 'base64': r'[\w=-]+'}[choice('key_style', self.name)], key)

    def enter(self, row):
        for c, entries in self.index.items():
            entries.setdefault(fold(row.get(c)), set()).add(row['id'])

    def leave(self, row):
        for c, entries in self.index.items():
            entries.get(fold(row.get(c)), set()).discard(row['id'])

    def insert(self, row, seeding=False):
        row = {'id': self.new_key(), **row}
        self.rows[row['id']], self.version[row['id']] = row, 1
        if seeding or FAULT != 'index-misses-insert':
            self.enter(row)
        return row

    def update(self, row, change):
        if FAULT != 'index-misses-update':
            self.leave(row)
        row.update(change)
        if FAULT != 'index-misses-update':
            self.enter(row)
        self.version[row['id']] += 1

    def delete(self, row):
        self.leave(row)
        del self.rows[row['id']]

    def tag(self, row):
        mark = f'"{self.version[row["id"]]:x}-{crc32(row["id"].encode()) % 65536:x}"'
        return ('W/' if choice('etag', self.name) == 'weak' else '') + mark

    def candidates(self, condition, rows):
        """Uses a hash index for `column eq literal` somewhere in a chain of `and`."""
        stack = [condition]
        while stack:
            n = stack.pop()
            if n[0] == 'and':
                stack += [n[1], n[2]]
            elif n[0] == 'cmp' and n[1] == 'eq' and n[2][0] == 'col' and n[3][0] == 'lit' and len(n[2][1]) == 1 and n[2][1][0] in self.index:
                hits = self.index[n[2][1][0]].get(fold(n[3][1]), ())
                return [r for r in rows if r['id'] in hits]
        return rows


def fold(v):
    return v.casefold() if isinstance(v, str) else v


# ------------------------------------------------------------------ Pratt parser for conditions
TOKEN = re.compile(r"""\s*(?:(?P<str>'(?:[^']|'')*')|(?P<time>\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?)|(?P<num>-?\d+(?:\.\d+)?)
    |(?P<name>[A-Za-z_][\w]*(?:/[A-Za-z_]\w*)*)|(?P<op>[(),:]))""", re.X)
BINDING = {'or': 10, 'and': 20, 'eq': 40, 'ne': 40, 'gt': 40, 'ge': 40, 'lt': 40, 'le': 40}


class Parser:
    def __init__(self, text, table):
        self.table, self.tokens, self.at, self.advanced, self.vars = table, [], 0, False, set()
        pos, text = 0, text.rstrip()
        while pos < len(text):
            m = TOKEN.match(text, pos)
            if not m:
                raise syntax(f'Syntax error at position {pos} of the filter.')
            self.tokens.append((m.lastgroup, m[m.lastgroup]))
            pos = m.end()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ('end', '')

    def take(self, want=None):
        t = self.peek()
        if want and t[1] != want or t[0] == 'end':
            raise syntax(f"Syntax error in the filter: '{want or 'operand'}' expected.")
        self.at += 1
        return t

    def parse(self):
        if len(self.tokens) > 400:
            raise syntax('The filter is too long.')
        node = self.expression(0)
        if self.peek()[0] != 'end':
            raise syntax(f"Syntax error in the filter near '{self.peek()[1]}'.")
        return self.truth(node)

    def kind(self, n):
        if n[0] == 'lit':
            return {str: 'str', bool: 'bool', datetime: 'time', type(None): 'null'}.get(type(n[1]), 'num')
        return n[2] if n[0] == 'col' else 'str' if n[0] == 'lower' else 'bool'

    def truth(self, n):
        if self.kind(n) not in ('bool', 'null') or n[0] == 'lit' and n[1] is None:
            raise syntax('A condition is expected in the filter.')
        return n

    def expression(self, power):
        left = self.nud(self.take())
        while self.peek()[0] == 'name' and BINDING.get(self.peek()[1], 0) > power:
            op = self.take()[1]
            right = self.expression(BINDING[op])
            if op in ('and', 'or'):
                left = (op, self.truth(left), self.truth(right))
            else:
                a, b = self.kind(left), self.kind(right)
                if 'complex' in (a, b) or 'list' in (a, b):
                    raise syntax('Only single values can be compared.')
                if a != b and 'null' not in (a, b):
                    if choice('type_clash') == 'error':
                        raise syntax(f'Incompatible operand types {a} and {b}.')
                    left = ('unknown',)
                else:
                    left = ('cmp', op, left, right)
        return left

    def nud(self, token):
        kind, text = token
        if kind == 'str':
            inner = text[1:-1]
            return ('lit', inner if FAULT == 'doubled-quote-kept' else inner.replace("''", "'"))
        if kind == 'time':
            at = instant(text)
            if at is None:
                raise syntax(f"'{text}' is not a timestamp.")
            return ('lit', at)
        if kind == 'num':
            return ('lit', float(text))
        if text == '(':
            node = self.expression(0)
            self.take(')')
            return node
        if kind != 'name':
            raise syntax(f"Syntax error in the filter near '{text}'.")
        if text == 'not':
            return ('not', self.truth(self.expression(15 if FAULT == 'not-takes-and' else 30)))
        if text in ('true', 'false', 'null'):
            return ('lit', {'true': True, 'false': False, 'null': None}[text])
        if self.peek()[1] == '(':
            return self.call(text)
        return self.column(text.split('/'))

    def column(self, path):
        if path[0] in self.vars:
            kind = NESTED.get('/'.join(path[1:])) if path[1:] else 'str'
        else:
            kind = self.table.columns.get(path[0])
            if len(path) > 1:
                kind = kind and NESTED.get('/'.join(path[1:]) if path[0] != 'from' else '/'.join(path[1:]))
        if kind is None:
            raise syntax(f"Could not find a property named '{'/'.join(path)}'.")
        return ('col', path, kind)

    def call(self, name):
        self.take('(')
        if name.endswith('/any'):
            path = name.split('/')[:-1]
            if self.table.columns.get(path[0]) != 'list':
                raise syntax(f"'{path[0]}' is not a collection.")
            var = self.take()[1]
            self.take(':')
            self.vars.add(var)
            inner = self.truth(self.expression(0))
            self.vars.discard(var)
            self.take(')')
            self.advanced = True
            return ('any', path, var, inner)
        given = [self.expression(0)]
        while self.peek()[1] == ',':
            self.take()
            given.append(self.expression(0))
        self.take(')')
        low = name.lower()
        if low == 'tolower' and len(given) == 1 and self.kind(given[0]) in ('str', 'null'):
            return ('lower', given[0])
        if low in ('startswith', 'endswith', 'contains') and len(given) == 2 and all(self.kind(g) in ('str', 'null') for g in given):
            self.advanced = self.advanced or low == 'contains'
            return ('like', low, *given)
        raise syntax(f"Unknown function or wrong arguments: '{name}'.")


def value(n, row, scope, table):
    if n[0] == 'lit':
        return n[1]
    if n[0] == 'lower':
        v = value(n[1], row, scope, table)
        return v.lower() if v is not None or FAULT == 'tolower-null-crash' else None
    if n[0] != 'col':
        return test(n, row, scope, table)
    v, path = (scope[n[1][0]], n[1][1:]) if n[1][0] in scope else (row, n[1])
    for p in path:
        v = v.get(p) if isinstance(v, dict) else None
    return instant(v) if n[2] == 'time' else v


def test(n, row, scope, table):
    """True, False or None (unknown)."""
    if n[0] in ('and', 'or'):
        a, b = test(n[1], row, scope, table), test(n[2], row, scope, table)
        stop = n[0] == 'or'
        return stop if stop in (a, b) else None if None in (a, b) else not stop
    if n[0] == 'not':
        v = test(n[1], row, scope, table)
        return None if v is None else not v
    if n[0] == 'any':
        items = row
        for p in n[1]:
            items = items.get(p) or []
        return any(test(n[3], row, {**scope, n[2]: x}, table) is True for x in items)
    if n[0] == 'like':
        a, b = value(n[2], row, scope, table), value(n[3], row, scope, table)
        if a is None or b is None:
            return None
        if choice('like_collation', table.name) == 'nocase':
            a, b = fold(a), fold(b)
        return a.startswith(b) if n[1] == 'startswith' else a.endswith(b) if n[1] == 'endswith' else b in a
    if n[0] == 'unknown':
        return None
    if n[0] != 'cmp':
        return value(n, row, scope, table)
    op, a, b = n[1], value(n[2], row, scope, table), value(n[3], row, scope, table)
    if op in ('eq', 'ne'):
        if choice('eq_collation', table.name) == 'nocase':
            a, b = fold(a), fold(b)
        literal_null = ('lit', None) in (n[2], n[3])
        if FAULT == 'ne-null-all' and op == 'ne' and literal_null:
            return True
        if (a is None) != (b is None) and not literal_null and choice('ne_null') == 'unknown':
            return None
        return (a == b) == (op == 'eq')
    if a is None or b is None:
        return None
    if choice('rel_collation', table.name) == 'nocase':
        a, b = fold(a), fold(b)
    return {'gt': a > b, 'ge': a >= b, 'lt': a < b, 'le': a <= b}[op]
