"""OData query options translated to SQL over the JSON documents of the table `things`."""
import ast
import re
import unicodedata
from datetime import datetime

USER = {"id": "key", "displayName": "str", "surname": "str?", "mail": "str?", "userPrincipalName": "key",
        "jobTitle": "str?", "department": "str?", "officeLocation": "str?", "accountEnabled": "bool",
        "assignedLicenses": "licenses"}
GROUP = {"id": "key", "displayName": "str", "mailEnabled": "bool", "mailNickname": "str", "securityEnabled": "bool"}
SCHEMA = {
    "users": USER, "groups": GROUP, "members": {**USER, **GROUP},
    "messages": {"id": "key", "subject": "text", "body": "body", "toRecipients": "recipients", "from": "recipient",
                 "receivedDateTime": "date", "isRead": "bool", "importance": "importance"},
    "items": {"id": "key", "name": "key", "size": "int", "webUrl": "key", "file": "object", "folder": "object"},
    "reminders": dict.fromkeys("eventId eventSubject eventStartTime eventEndTime reminderFireTime".split(), "key"),
    "calendar": dict.fromkeys("id name color isDefaultCalendar canEdit owner".split(), "key"),
}
NESTED = {"messages": {"from/emailAddress/address": "str", "from/emailAddress/name": "str"}}
LAMBDAS = {"users": {"assignedLicenses": {"skuId"}},
           "messages": {"toRecipients": {"emailAddress/address", "emailAddress/name"}}}
RELATIONS = {"users": {"manager": tuple(USER)}, "items": {"thumbnails": ("id", "small", "medium", "large")},
             "messages": {"attachments": ("id", "name", "contentType", "size", "isInline"),
                          "singleValueExtendedProperties": ("id", "value")}}
TEXTS = dict.fromkeys(("key", "str", "str?", "text", "importance"), "str")
SCALARS = {"bool": "bool", "int": "int", "date": "date", **TEXTS}
GUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|[+-]00:00)")
TOKEN = re.compile(rf"\s*(?:(?P<str>'(?:[^']|'')*'|{GUID})|(?P<date>\d{{4}}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))"
                   r"|(?P<int>-?\d{1,18})|(?P<name>[A-Za-z]\w*(?:/\w+)*))(?![\w'/])|\s*(?P<mark>[(),:])")
OPERATORS = {"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "and": "and", "or": "or",
             "not": "not", "true": "('bool', 1)", "false": "('bool', 0)", "null": "('null', None)"}
NAMES = {ast.Eq: "=", ast.NotEq: "<>", ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<="}


class Fail(Exception):
    """An answer with an error object: status, code, message."""


def bad(message):
    return Fail(400, "BadRequest", message)


def instant(text, fractions=True):
    """A timestamp in UTC with nine decimals, so that text order is time order; None if it is not one."""
    found = TIME.fullmatch(text) if isinstance(text, str) else None
    try:
        moment = datetime.fromisoformat(f"{found[1]}:{found[2] or '00'}")
    except (TypeError, ValueError):
        return None
    return f"{moment.isoformat()}.{(found[3] or '' if fractions else '').ljust(9, '0')}Z"


def sort_key(value, mode):
    """The text by which a value is compared. A '+' in the mode makes different texts differ."""
    if not isinstance(value, str):
        return value
    key = value if mode.startswith("binary") else value.casefold()
    if mode.startswith("linguistic"):  # base letters first, then accents
        base = unicodedata.normalize("NFD", key.replace("ø", "o"))
        key = "".join(c for c in base if not unicodedata.combining(c)) + "\x01" + key
    return key + "\x01" + value if mode.endswith("+") else key


def text_match(how, value, part, mode):
    if not isinstance(value, str) or part is None:
        return None
    value, part = sort_key(value, mode), sort_key(part, mode)
    if how in ("word", "prefix"):
        words, wanted = re.findall(r"\w+", value), re.findall(r"\w+", part)
        return bool(wanted) and all(any(w == t if how == "word" else w.startswith(t) for w in words) for t in wanted)
    return {"startswith": value.startswith, "endswith": value.endswith}.get(how, value.__contains__)(part)


def valid(kind, value):
    fields, is_text = value if isinstance(value, dict) else {}, isinstance(value, str)
    if kind in ("recipients", "licenses"):
        return isinstance(value, list) and all(valid(kind[:-1], item) for item in value)
    if kind == "recipient":
        return valid("address", fields.get("emailAddress"))
    if kind in ("body", "license", "address"):
        needed = {"license": "skuId", "address": "address", "body": next(iter(fields), "")}[kind]
        texts = all(isinstance(text, str) for text in fields.values())
        return needed in fields and texts and fields.get("contentType", "text") in ("text", "html")
    return {"bool": isinstance(value, bool), "date": instant(value) is not None, "text": is_text,
            "str?": is_text or value is None, "importance": value in ("low", "normal", "high"),
            "str": is_text and value.strip() != ""}[kind]


class Query:
    def __init__(self, kind, conf, fault):
        self.kind, self.conf, self.fault = kind, conf, fault
        self.params, self.scope, self.advanced = {}, {}, False
        self.equality, self.two_valued = conf(kind, "equality"), conf(kind, "nulls") == "two"
        self.sorting = conf(kind, "sorting") + ("+" if self.equality == "binary" else "")

    def param(self, value):
        self.params[f"p{len(self.params)}"] = value
        return f":p{len(self.params) - 1}"

    def property(self, path):
        head, _, rest = path.partition("/")
        alias, fields = self.scope.get(head, (None, ()))
        if rest in fields:
            return f"json_extract({alias}.value, '$.{rest.replace('/', '.')}')", "str"
        kind = SCHEMA[self.kind].get(path) or NESTED.get(self.kind, {}).get(path)
        if kind not in SCALARS:
            raise bad(f"'{path}' is not a property that can be compared.")
        sql = f"json_extract(t.doc, '$.{path.replace('/', '.')}')"
        return (f"instant({sql})" if kind == "date" else sql), SCALARS[kind]

    def filter(self, text):
        """Writes the filter as a Python expression, for its grammar, and walks the tree of that."""
        source, position = "", 0
        while position < len(text.rstrip()):
            found = TOKEN.match(text, position)
            if not found:
                raise bad(f"Syntax error in $filter at position {position}.")
            kind, token, position = found.lastgroup, found[found.lastgroup], found.end()
            if kind == "name":  # a name before a colon is the variable of a lambda
                variable = "lambda " * bool(re.match(r"\s*:", text[position:]))
                token = OPERATORS.get(token) or f"{variable}n_{token.replace('/', '__')}"
            elif kind != "mark":
                value = token[1:-1].replace("''", "'") if token[0] == "'" else token
                token = repr((kind, int(value) if kind == "int" else value))
            source += f" {token}"
        try:
            return self.boolean(ast.parse(f"({source})", mode="eval").body)
        except (SyntaxError, MemoryError):
            raise bad("Syntax error in $filter.") from None

    def boolean(self, node):
        sql, kind = self.sql(node)
        if kind not in ("bool", "null"):
            raise bad("A condition must be true or false.")
        return self.known(sql)

    def known(self, sql):
        return f"IFNULL({sql}, 0)" if self.two_valued else f"({sql})"  # unknown becomes false, or stays

    def sql(self, node):
        if isinstance(node, ast.BoolOp):
            word = " AND " if isinstance(node.op, ast.And) else " OR "
            return f"({word.join(self.boolean(value) for value in node.values)})", "bool"
        if isinstance(node, ast.UnaryOp):
            return f"(NOT {self.boolean(node.operand)})", "bool"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self.compare(NAMES[type(node.ops[0])], self.sql(node.left), self.sql(node.comparators[0])), "bool"
        if isinstance(node, ast.Name):
            return self.property(node.id[2:].replace("__", "/"))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node.func.id[2:].replace("__", "/"), node.args)
        if isinstance(node, ast.Tuple) and node.elts and isinstance(node.elts[0], ast.Constant):
            kind, value = ast.literal_eval(node)
            value = instant(value, self.fault != "filter-fraction") if kind == "date" else value
            if kind != "date" or value:
                return self.param(value), kind
        raise bad("Syntax error in $filter.")

    def compare(self, operator, left, right):
        (a, kind), (b, other) = left, right
        if "null" in (kind, other):
            absent = f"({b if kind == 'null' else a} IS {'NOT ' if operator == '<>' else ''}NULL)"
            return absent if operator in ("=", "<>") else self.known("NULL")
        if kind != other or kind == "bool" and operator not in ("=", "<>"):
            raise bad(f"{kind} and {other} cannot be compared so.")
        sa, sb = (f"sort_key({x}, '{self.sorting}')" if kind == "str" else x for x in (a, b))
        a, b = (f"sort_key({x}, '{self.equality}')" if kind == "str" else x for x in (a, b))
        if operator in ("=", "<>"):
            return f"({a} {({'=': 'IS', '<>': 'IS NOT'})[operator] if self.two_valued else operator} {b})"
        # Equal texts are neither greater nor less, also where the order tells them apart.
        return self.known(f"{sa} {operator[0]} {sb} " + (f"OR {a} = {b}" if operator[1:] else f"AND {a} <> {b}"))

    def call(self, name, args):
        if name.endswith("/any") and len(args) == 1 and isinstance(args[0], ast.Lambda):
            collection, alias, outer = name[:-4], f"e{len(self.scope)}", self.scope
            fields = LAMBDAS.get(self.kind, {}).get(collection)
            if not fields:
                raise bad(f"'{collection}' is not a collection that can be filtered.")
            self.advanced, self.scope = True, {**outer, args[0].args.args[0].arg[2:]: (alias, fields)}
            condition, self.scope = self.boolean(args[0].body), outer
            first = f"{alias}.key = 0 AND " if self.fault == "filter-lambda-first" else ""
            return f"EXISTS (SELECT 1 FROM json_each(t.doc, '$.{collection}') {alias} WHERE {first}{condition})", "bool"
        name, args = name.lower(), [self.sql(arg) for arg in args]
        wanted = {"startswith": 2, "endswith": 2, "contains": 2, "tolower": 1}.get(name)
        if len(args) != wanted or any(kind not in ("str", "null") for _, kind in args):
            raise bad(f"'{name}' is not known with these arguments.")
        if name == "tolower":
            return f"lowercase({args[0][0]})", "str"
        self.advanced |= name == "contains"
        return self.known(f"text_match('{name}', {args[0][0]}, {args[1][0]}, '{self.equality}')"), "bool"

    def orderby(self, text):
        keys = []
        for part in text.split(","):
            found = re.fullmatch(r"\s*([\w/]+)(?:\s+(asc|desc))?\s*", part)
            if not found:
                raise bad(f"'{part}' is not an order.")
            sql, kind = self.property(found[1])
            down = found[2] == "desc" and not (keys and self.fault == "order-second-desc")
            first = self.conf(self.kind, "nullOrder") in ("first", "high" if down else "low")
            sql = f"sort_key({sql}, '{self.sorting}')" if kind == "str" else sql
            keys.append(f"{sql} {'DESC' if down else 'ASC'} NULLS {'FIRST' if first else 'LAST'}")
        return ", ".join(keys)

    def search(self, text):
        self.advanced, terms, names = True, [], []
        if not re.fullmatch(r'\s*"(?:[^"\\]|\\.)*"(?:\s+OR\s+"(?:[^"\\]|\\.)*")*\s*', text):
            raise bad('$search takes "property:term", joined with OR.')
        for term in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
            name, _, word = re.sub(r"\\(.)", r"\1", term).partition(":")
            if not word.strip() or SCHEMA[self.kind].get(name) not in TEXTS:
                raise bad(f"'{term}' is not a property and a term that can be searched.")
            names.append(name)
            sql = self.property(names[0] if self.fault == "search-or-property" else name)[0]
            terms.append(f"text_match('{self.conf(self.kind, 'search')}', {sql}, {self.param(word.strip())}, 'nocase')")
        return f"({' OR '.join(terms)})"
