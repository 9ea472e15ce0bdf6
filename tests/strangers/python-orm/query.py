"""OData query options turned into SQLAlchemy clauses. SQL decides: unknown is unknown, also under not."""
import re

from sqlalchemy import Boolean, Integer, String, and_, exists, func, literal, literal_column, not_, or_, true

from model import FAULT, C, Calendar, Directory, DriveItem, Message, Reminder, stamp

class Refused(Exception):
    def __init__(self, message, status=400, code="BadRequest"):
        self.message, self.status, self.code = message, status, code

def kind_of(column):
    time = getattr(column, "key", None) and column.key.endswith("Time")
    return "time" if time else {String: "string", Boolean: "bool", Integer: "int"}.get(type(column.type))

def field_of(column, path):
    return func.json_extract(column, "$." + path.replace("/", "."), type_=String)

class Spec:  # how one kind of resource looks from outside
    base, order, key = true(), (), "id"

    def __init__(self, team, entity, props, options="", relations=(), lambdas=None, searchable="", **more):
        self.team, self.entity, self.props, self.options = team, entity, props.split(), options.split()
        self.lambdas, self.searchable, self.relations = lambdas or {}, searchable.split(), dict(relations)
        self.__dict__ |= more
        self.columns = {p: getattr(entity, p) for p in self.props if kind_of(getattr(entity, p))}
        self.columns |= {f"from/emailAddress/{p}": field_of(getattr(entity, "from"), f"emailAddress/{p}")
                         for p in ("name", "address") if "from" in self.props}

    def pick(self, name):
        return C[f"{self.team}.{name}"]

VIEW = "$select $orderby $top $skip $count $skiptoken"
LIST, DELTA = VIEW + " $filter $search", ["$select", "$skiptoken", "$deltatoken"]
USER = "id displayName givenName surname mail jobTitle department officeLocation accountEnabled assignedLicenses"
GROUP = " description mailEnabled mailNickname securityEnabled"
USERS = Spec("users", Directory, USER, LIST + " $expand", {"manager": USER.split()}, {"assignedLicenses": ["skuId"]},
             "displayName givenName surname mail jobTitle department", base=Directory.kind == "user")
GROUPS = Spec("groups", Directory, "id displayName" + GROUP, LIST, searchable="displayName description mailNickname",
              base=Directory.kind == "group")
MEMBERS = Spec("groups", Directory, USER + GROUP, LIST, {}, {"assignedLicenses": ["skuId"]}, "displayName mail")
PARTS = {"attachments": "id name contentType size isInline".split(), "singleValueExtendedProperties": ["id", "value"]}
MESSAGES = Spec("messages", Message, "id subject body from toRecipients receivedDateTime isRead importance",
                LIST + " $expand", PARTS, {"toRecipients": ["emailAddress/address", "emailAddress/name"]}, "subject",
                base=~Message.gone, order=[Message.receivedDateTime.desc()])
ITEMS = Spec("items", DriveItem, "id name size webUrl file folder", VIEW + " $filter $expand",
             {"thumbnails": ["id", "small", "medium", "large"]})
CALENDAR = Spec("messages", Calendar, "id name color isDefaultCalendar canEdit owner")
REMINDERS = Spec("messages", Reminder, "eventId eventSubject eventStartTime eventEndTime reminderFireTime", VIEW,
                 key="eventId", order=[Reminder.eventStartTime])
TOKEN = re.compile(r"""\s*(?:(?P<string>'(?:[^']|'')*')|(?P<time>\d{4}-\d\d-\d\dT[\d:.]+Z)|(?P<mark>[(),:])
    |(?P<guid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?P<int>-?\d{1,15}(?![\w.-]))
    |(?P<name>[a-z_]\w*(?:/[a-z_]\w*)*)|(?P<junk>\S))""", re.I | re.X)
EXPAND = re.compile(r"\s*(\w+)\s*(?:\(\s*\$select=([^;$]*)\))?\s*")
FUNCTIONS = {"tolower": 1, "startswith": 2, "endswith": 2, "contains": 2}
WORDS = {"true": (literal(1), "bool"), "false": (literal(0), "bool"), "null": (literal(None), "null")}

class Filter:  # recursive descent over $filter; the parts come back as SQL clauses
    def __init__(self, text, spec, need_eventual):
        self.spec, self.need_eventual, self.scope, how = spec, need_eventual, {}, spec.pick("collation")
        self.any_case, self.two_valued = how.endswith("nocase"), spec.pick("logic") == "two"
        self.equal = "ANYCASE" if self.any_case else "BINARY"
        self.order = "LINGUISTIC" if how.startswith("linguistic") else self.equal
        self.tokens = [(match.lastgroup, match[match.lastgroup]) for match in TOKEN.finditer(text)] + [("end", "")]
        self.clause = self.chain()
        self.take("")

    def found(self, *values):  # takes the next token if it is one of the values
        return self.tokens.pop(0)[1] if self.tokens[0][1] in values else None

    def take(self, value):
        if self.found(value) is None:
            raise Refused(f"$filter: '{value or 'the end'}' expected at '{self.tokens[0][1]}'")

    def chain(self, words=("or", "and")):
        part = (lambda: self.chain(words[1:])) if len(words) > 1 else self.single
        clause = part()
        while self.found(words[0]):
            clause = (or_ if words[0] == "or" else and_)(clause, part())
        return clause

    def single(self):
        if self.found("not"):
            if FAULT != "filter-not-first-only" or self.tokens[0][1] != "(":
                return not_(self.single())
            self.tokens.insert(1, ("name", "not"))
        if self.found("("):
            clause = self.chain()
            self.take(")")
            return clause
        left, kind = self.operand()
        operator = self.found("eq", "ne", "gt", "ge", "lt", "le")
        if operator:
            return self.compare(operator, left, kind, *self.operand())
        if kind not in ("bool", "test"):
            raise Refused("$filter: a comparison is expected")
        return self.settle(left == 1) if kind == "bool" else left

    def settle(self, clause):
        return func.coalesce(clause, 0) == 1 if self.two_valued else clause

    def compare(self, operator, a, kind, b, other):
        kinds = {kind, other}
        if "null" in kinds and "test" not in kinds:
            if operator not in ("eq", "ne"):
                return self.settle(literal_column("(1 = NULL)"))
            clause = true() if kinds == {"null"} else (b if kind == "null" else a).is_(None)
            return not_(clause) if operator == "ne" else clause
        if len(kinds) > 1 or kind == "test" or kind == "bool" and operator not in ("eq", "ne"):
            raise Refused(f"$filter: {kind} and {other} cannot be compared with {operator}")
        same, x = a == b, a
        if kind == "string":
            same, x = a.collate(self.equal) == b, a.collate(self.order)
        if self.two_valued:
            same = func.coalesce(same, and_(a.is_(None), b.is_(None))) == 1
        beyond = x > b if operator[0] == "g" else x < b
        if operator in ("eq", "ne"):
            return same if operator == "eq" else not_(same)
        return self.settle(or_(beyond, same) if operator[1] == "e" else and_(beyond, not_(same)))

    def operand(self):  # -> (SQL expression, kind)
        kind, text = self.tokens.pop(0)
        if kind == "string":
            return literal(text[1:-1].replace("''", "'")), kind
        if kind in ("guid", "int"):
            return (literal(text), "string") if kind == "guid" else (literal(int(text)), kind)
        if kind == "time" and stamp(text):
            return literal(stamp(text)), kind
        if kind == "name" and self.found("("):
            return self.any(text[:-4]) if text.endswith("/any") else self.call(text.lower())
        column = (self.spec.columns | self.scope).get(text)
        if column is None and text not in WORDS:
            raise Refused(f"$filter: '{text or 'the end'}' is not a value or a property that can be filtered")
        return WORDS.get(text) or (column, kind_of(column))

    def call(self, name):
        arguments = [self.operand()]
        while self.found(","):
            arguments.append(self.operand())
        self.take(")")
        texts, kinds = zip(*arguments)
        if FUNCTIONS.get(name) != len(texts) or {*kinds} - {"string", "null"}:
            raise Refused(f"$filter: {name} is not a known function or has wrong arguments")
        self.need_eventual(name, name == "contains")
        if name == "tolower":
            return func.u_lower(*texts, type_=String), "string"
        texts = [func.u_fold(text) for text in texts] if self.any_case else texts
        return self.settle(getattr(func, f"u_{name}")(*texts) == 1), "test"

    def any(self, collection):
        self.need_eventual("any")
        if collection not in self.spec.lambdas or self.scope:
            raise Refused(f"$filter: any is not supported on '{collection}'")
        rows = func.json_each(getattr(self.spec.entity, collection)).table_valued("value", "key")
        variable, criterion = self.tokens.pop(0)[1], rows.c.key == 0 if FAULT == "filter-any-first" else true()
        if variable != ")":
            self.take(":")
            self.scope = {f"{variable}/{path}": field_of(rows.c.value, path) for path in self.spec.lambdas[collection]}
            criterion, self.scope = and_(criterion, self.chain()), {}
            self.take(")")
        return exists(literal(1)).select_from(rows).where(criterion), "test"

class Options:  # the query options of one request, checked against what the endpoint supports
    def __init__(self, params, spec, allowed, eventual=False):
        self.spec, self.eventual, self.expand = spec, eventual, {}
        for name in [name for name in params if name.startswith("$") and name not in allowed]:
            if name in LIST.split() + ["$expand"]:
                raise Refused(f"{name} is not supported here", C["option.unsupported"], "NotSupported")
            if C["option.unknown"] == "refuse":
                raise Refused(f"{name} is not a known option")
        given = {name: text for name, text in params.items() if name in allowed}
        for name in given.keys() & {"$count", "$skip", "$skiptoken", "$top"}:
            if not re.fullmatch("true|false" if name == "$count" else "[0-9]{1,9}", given[name]):
                raise Refused(f"{name}: '{given[name]}' is not a possible value")
        self.later, self.start = "$skiptoken" in given, int(given.get("$skiptoken", given.get("$skip", "0")))
        self.top = min(int(given["$top"]), 999) if "$top" in given else None
        self.count, filtered = given.get("$count") == "true", "$filter" in given or "$search" in given
        self.need_eventual("$count", self.count and C["count.header"] in ("always", filtered and "filtered"))
        self.select = self.properties(given.get("$select"), spec.props)
        self.where = [Filter(given["$filter"], spec, self.need_eventual).clause] if "$filter" in given else []
        self.where += [self.search(given["$search"])] if "$search" in given else []
        keys = given["$orderby"].split(",") if "$orderby" in given else []
        self.order = [term for number, key in enumerate(keys) for term in self.sort(number, key)]
        for part in re.split(r",(?![^()]*\))", given["$expand"]) if "$expand" in given else []:
            name, inner = EXPAND.fullmatch(part).groups() if EXPAND.fullmatch(part) else (None, None)
            if name not in spec.relations:
                raise Refused(f"$expand: '{part}' is not supported")
            self.expand[name] = self.properties(inner, spec.relations[name])

    def need_eventual(self, what, needed=True):
        if needed and not self.eventual:
            raise Refused(f"{what}: advanced query capabilities are not available without ConsistencyLevel: eventual")

    def properties(self, text, props):
        names = None if text is None else [name.strip() for name in text.split(",")]
        if names and set(names) - {*props, "*"}:
            raise Refused(f"$select: '{text}' names an unknown property")
        return props if names and "*" in names else names

    def sort(self, number, key):
        name, *rest = key.split() or [""]
        column, collation, nulls = self.spec.columns.get(name), self.spec.pick("collation"), self.spec.pick("nulls")
        if column is None or rest not in ([], ["asc"], ["desc"]):
            raise Refused(f"$orderby: '{key}' is not supported")
        desc = rest == ["desc"] and not (number and FAULT == "order-later-desc-lost")
        null_first = {"low": not desc, "high": desc}.get(nulls, nulls == "first")
        yield column.is_(None).desc() if null_first else column.is_(None)
        if kind_of(column) == "string":
            column = column.collate("ANYCASE" if collation == "nocase" else collation.split("-")[0].upper())
        yield column.desc() if desc else column

    def search(self, text):
        self.need_eventual("$search")
        terms = [re.fullmatch(r'\s*"(\w+):([^"]*\w[^"]*)"\s*', part) for part in re.split(r'(?<=")\s+OR\s+(?=")', text)]
        if None in terms or {term[1] for term in terms} - {*self.spec.searchable}:
            raise Refused('$search: "<property>:<term>", joined with OR, on a searchable property is expected')
        parts, how = [term.groups() for term in terms], self.spec.pick("search")
        if FAULT == "search-or-same-property":
            parts = [(parts[0][0], term) for _, term in parts]
        return or_(*[func.search_hit(self.spec.columns[name], term, how) == 1 for name, term in parts])
