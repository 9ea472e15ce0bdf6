"""A directory, mail and drive service over SQLite in memory."""
import html
import http.server
import json
import os
import re
import sqlite3
import sys
import threading
from urllib.parse import quote, unquote, unquote_plus

import data
from odata import RELATIONS, SCHEMA, Fail, Query, bad, instant, sort_key, text_match, valid

FAULT, TOKEN = os.environ.get("FAULT", ""), os.environ.get("TOKEN", "")
CHOICES = {choice["name"]: choice["default"] for choice in data.choices()}
PLAIN = ["$select", "$top", "$skip", "$count", "$skiptoken"]
COLLECTION = PLAIN + ["$filter", "$orderby", "$expand", "$search"]
OPTIONS = COLLECTION + ["$deltatoken", "$format", "$apply"]
CHILDREN = "t.kind = 'items' AND json_extract(t.doc, '$.parent') = :key"
MEMBERS_OF = "t.id IN (SELECT mid FROM members WHERE gid = :key)"
DIRECT = "SELECT gid FROM members WHERE mid = :me"
PARENTS = "SELECT m.gid FROM members m JOIN parents p ON m.mid = p.id JOIN things t ON t.id = p.id AND NOT t.gone"
LOCK, DB = threading.Lock(), sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
SEED, MEMBERS = data.seed()
ME = SEED[0][1]["id"]


def conf(kind, name):
    team = {"members": "groups", "reminders": "messages"}.get(kind, kind)
    return CHOICES.get(f"{team}.{name}" if kind else name)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, wbufsize = "HTTP/1.1", True, 65536

    def log_message(self, *args):
        pass

    def answer(self):
        self.extra, self.options, self.select, self.expand = {}, {}, None, {}
        self.plain = bool(re.search(r'body-content-type\s*=\s*"?text\b', self.headers.get("Prefer", ""), re.I))
        try:
            self.close_connection |= "Transfer-Encoding" in self.headers  # a chunked body is not read
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with LOCK:
                status, result = self.route(raw)
        except (Fail, RecursionError, UnicodeError, OverflowError, sqlite3.OperationalError) as error:
            self.extra.pop("Content-Type", None)
            status, code, message = error.args if isinstance(error, Fail) else (400, "BadRequest", "Malformed request.")
            result = {"error": {"code": code, "message": message}}
        content = b"" if result is None else json.dumps(result).encode()
        self.send_response(int(status))
        if content:
            self.extra.setdefault("Content-Type", "application/json; charset=utf-8")
        if status not in (204, 304):
            self.extra["Content-Length"] = str(len(content))
        for name, value in self.extra.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content if self.command != "HEAD" else b"")

    do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = do_PUT = do_OPTIONS = answer

    def route(self, raw):
        path, _, query = self.path.replace("%24", "$").partition("?")
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        same = token.lower() == TOKEN.lower() if FAULT == "auth-token-case" else token == TOKEN
        same = same and TOKEN and scheme.lower() == "bearer" or FAULT == "auth-count-open" and path.endswith("$count")
        if not same:
            self.extra["WWW-Authenticate"] = "Bearer"
            raise Fail(401, "Unauthenticated", "A valid bearer token is needed.")
        matches = ((re.fullmatch(r"/v1\.0/" + pattern, path), ROUTES[pattern]) for pattern in ROUTES)
        found, methods = next((match for match in matches if match[0]), (None, None))
        if not found:
            raise Fail(404, "NotFound", "There is no such path.")
        method = "GET" if self.command == "HEAD" else self.command
        if method not in methods:
            self.extra["Allow"] = ", ".join(methods)
            raise Fail(405, "MethodNotAllowed", f"{self.command} is not possible here.")
        for pair in filter(None, query.split("&")):
            name, _, value = (unquote_plus(text) for text in pair.partition("="))
            unknown = name[:1] == "$" and name not in OPTIONS
            if name in self.options or unknown and conf(None, "unknownOption") == "reject":
                raise bad(f"The option '{name}' is given twice or not known.")
            self.options[name] = value
        self.allow(*(OPTIONS if method == "GET" else ()))
        function, *arguments = methods[method]
        arguments += [unquote(text or "") for text in found.groups()]
        if method in ("POST", "PATCH"):
            try:
                arguments.append(dict(**json.loads(raw)))
                json.dumps(arguments[-1], ensure_ascii=False).encode()  # refuses half of a surrogate pair
            except (TypeError, ValueError):
                raise bad("The body must be a JSON object.") from None
        return getattr(self, function)(*arguments)

    def allow(self, *allowed):
        for name in self.options:
            if name in OPTIONS and name not in allowed:
                raise Fail(conf(None, "unsupported"), "NotSupported", f"'{name}' is not supported here.")

    def shape(self, kind):
        relations, self.expand = RELATIONS.get(kind, {}), {}
        self.select = self.names(self.options.get("$select"), (*SCHEMA[kind], *relations))
        for part in re.split(r",(?![^(]*\))", self.options["$expand"]) if "$expand" in self.options else []:
            found = re.fullmatch(r"\s*(\w+)\s*(?:\(\s*\$select=([^;()]*)\))?\s*", part)
            if not found or found[1] not in relations:
                raise Fail(conf(None, "unsupported"), "NotSupported", f"'{part}' cannot be expanded.")
            self.expand[found[1]] = self.names(found[2], relations[found[1]])

    def names(self, text, known):
        names = None if text is None else [name.strip() for name in text.split(",")]
        if names and not set(names) <= set(known):
            raise bad(f"'{text}' cannot be selected.")
        return names

    def show(self, kind, doc, select=None, expand=(), known=None):
        known = [name for name in known or SCHEMA[kind] if name in doc]
        chosen = set(known if select is None else select) | ({"id"} if conf(kind, "key") == "always" else set())
        known = known if conf(kind, "unselected") == "null" else [name for name in known if name in chosen]
        out = {name: doc[name] if name in chosen else None for name in known}
        if kind == "messages" and out.get("body") and self.plain:
            self.extra["Preference-Applied"] = 'outlook.body-content-type="text"'
            if out["body"]["contentType"] == "html":
                text = html.unescape(re.sub(r"<[^>]*>", "", out["body"]["content"]))
                out["body"] = {"contentType": "text", "content": text}
        for name in expand:
            nested = None if FAULT == "expand-nested-select" else expand[name]
            if name != "manager":
                out[name] = [self.show(kind, item, nested, known=RELATIONS[kind][name]) for item in doc[name]]
            else:
                out[name] = doc["managerId"] and self.show("users", self.row("users", doc["managerId"])[0], nested)
        return out

    def row(self, kind, key, header=None):
        found = DB.execute("SELECT doc, coalesce(old, doc), version FROM things WHERE kind = ? AND id = ? AND NOT gone",
                           (kind, key)).fetchone()
        if not found:
            raise Fail(conf(None, "malformedKey") if re.search("[^!-~]", key) else 404, "NotFound", "No such item.")
        match = self.tag(kind, found[2], header) if header else None
        if header == "If-Match" and match is False:
            raise Fail(412, "PreconditionFailed", "The item has another entity tag.")
        return json.loads(found[0]), json.loads(found[1]), match

    def tag(self, kind, version, header=""):
        if conf(kind, "etag") != "strong":
            return None
        tags = [f'"{version}"', f'"{version}-text"']  # a body shown as text is another representation
        self.extra["ETag"] = tags[kind == "messages" and self.plain]
        tags, given = tags if header == "If-Match" else [self.extra["ETag"]], self.headers.get(header)
        return None if given is None else bool({"*", *tags} & set(re.findall(r'(?:W/)?"[^"]*"|\*', given)))

    def item(self, kind, key):
        self.allow("$select", "$expand")
        self.shape(kind)
        doc, old, match = self.row(kind, key, "If-None-Match")
        if match:
            return 304, None
        select = self.select[:-1] if FAULT == "item-select-last" and self.select and self.select[1:] else self.select
        return 200, self.show(kind, old if FAULT == "item-stale" else doc, select, self.expand)

    def collection(self, kind, where=None, allowed=COLLECTION, **params):
        missing = {"$skip": conf(kind, "skip") == "no", "$search": conf(kind, "search") == "none"}
        self.allow(*[name for name in allowed if not missing.get(name)])
        self.shape(kind)
        values = {"$count": "false", "$top": conf(kind, "pageSize"), "$skip": "0", "$skiptoken": "0", **self.options}
        for name in ("$count", "$top", "$skip", "$skiptoken"):
            if not re.fullmatch("true|false" if name == "$count" else "[0-9]{1,9}", values[name]):
                raise bad(f"'{name}' cannot be '{values[name]}'.")
        counting, where = values["$count"] == "true", where or f"t.kind = '{kind}'"
        query, parts = Query(kind, conf, FAULT), [where] + ["NOT t.gone"] * (FAULT != "delete-still-listed")
        parts += [read(self.options[name]) for name, read in (("$filter", query.filter), ("$search", query.search))
                  if name in self.options]
        advanced, condition = query.advanced or counting and conf(kind, "count") == "header", " AND ".join(parts)
        if advanced and self.headers.get("ConsistencyLevel", "").lower() != "eventual":
            raise Fail(400, "UnsupportedQuery", "Advanced query capabilities are not available: no ConsistencyLevel.")
        order = query.orderby(self.options["$orderby"]) + ", " if "$orderby" in self.options else ""
        params.update(query.params)
        top, served = int(values["$top"]), int(values["$skiptoken"])
        limit = "$top" in self.options and conf(kind, "top") == "limit"
        left = max(0, top - served) if limit else top
        size, back = min(left, int(conf(kind, "maxTop"))), int(FAULT == "paging-repeat" and order != "" and served > 0)
        start = int(values["$skip"]) + served - back
        rows = DB.execute(f"SELECT doc, kind FROM things t WHERE {condition} ORDER BY {order}seq"
                          f" LIMIT {size + 1 + back} OFFSET {start}", params).fetchall()
        full = size > 0 and len(rows) > size + back - (FAULT == "paging-last-link")
        out, first_only = {"value": []}, FAULT == "expand-first-only"
        if counting:
            counted = where if FAULT == "count-ignores-filter" else condition
            out["@odata.count"] = DB.execute(f"SELECT COUNT(*) FROM things t WHERE {counted}", params).fetchone()[0]
        for n, (doc, of) in enumerate(rows[:size + back]):
            shown = self.show(of, json.loads(doc), self.select, () if n and first_only else self.expand)
            out["value"].append({"@odata.type": f"#microsoft.graph.{of[:-1]}", **shown} if kind == "members" else shown)
        if full and not (limit and left == size):
            out["@odata.nextLink"] = self.link({**self.options, "$skiptoken": str(served + size)})
        return 200, out

    def link(self, options):
        host = "" if conf(None, "nextLink") == "relative" else f"http://{self.headers.get('Host', '127.0.0.1')}"
        query = "&".join(f"{quote(name, '$')}={quote(value)}" for name, value in options.items())
        return f"{host}{self.path.partition('?')[0]}?{query}"

    def related(self, owner, kind, where, allowed, key):
        self.row(owner, key)
        return self.collection(kind, where, allowed, key=key)

    def count(self):
        self.allow("$filter", "$search")
        self.options["$count"], self.extra["Content-Type"] = "true", "text/plain"
        return 200, self.collection("users")[1]["@odata.count"]

    def delta(self):
        """A token is 'since-until': the versions at which the round before and this round began."""
        token = re.fullmatch(r"(\d{1,9})-(\d{0,9})", self.options.get("$deltatoken", "0-"))
        if not token:
            raise bad("The delta token is not valid.")
        until = token[2] or str(DB.execute("SELECT MAX(version) FROM things").fetchone()[0])
        self.options["$deltatoken"] = f"{token[1]}-{until}"
        allowed = ["$select", "$skiptoken", "$deltatoken"]
        out = self.collection("users", "t.kind = 'users' AND t.version > :since", allowed, since=int(token[1]))[1]
        if "@odata.nextLink" not in out:
            self.options.pop("$skiptoken", None)
            out["@odata.deltaLink"] = self.link({**self.options, "$deltatoken": f"{until}-"})
        return 200, out

    def reminders(self, arguments):
        given = dict(re.findall(r"(startDateTime|endDateTime)\s*=\s*'([^']*)'", arguments))
        start, end = instant(given.get("startDateTime")), instant(given.get("endDateTime"))
        if not start or not end:
            raise bad("startDateTime and endDateTime are needed, as ISO 8601 timestamps.")
        end = end[:10] + "T24" if FAULT == "reminder-end-day" else end
        column, sign = "instant(json_extract(t.doc, '$.eventStartTime'))", conf(None, "reminderEnd")
        where = f"t.kind = 'reminders' AND {column} >= :start AND {column} {sign} :end"
        return self.collection("reminders", where, PLAIN, start=start, end=end)

    def groups_of(self, name, kind, body):
        wanted = body.get(name)
        if not isinstance(wanted, kind) or kind is list and not all(isinstance(key, str) for key in wanted):
            raise bad(f"'{name}' is missing or not valid.")
        parents = f"{DIRECT} UNION {PARENTS}" if conf(None, "membership") == "transitive" else DIRECT
        rows = DB.execute(f"WITH RECURSIVE parents(id) AS ({parents}) SELECT id, json_extract(doc, '$.securityEnabled')"
                          " FROM things WHERE NOT gone AND id IN (SELECT id FROM parents) ORDER BY seq", {"me": ME})
        return 200, {"value": [key for key, safe in rows if (key in wanted if kind is list else safe or not wanted)]}

    def write(self, kind, key, body):
        old, schema = self.row(kind, key, "If-Match")[0] if key else {}, SCHEMA[kind]
        new = {name: value for name, value in body.items() if schema.get(name, "key") != "key"}
        wrong = [name for name, value in new.items() if not valid(schema[name], value)]
        if conf(kind, "unknownBody") == "reject":
            wrong += [name for name in body if name not in schema and "@" not in name]
        wrong += [name for name, of in schema.items() if kind == "groups" and of in ("str", "bool") and name not in new]
        if wrong:
            raise bad(f"These properties are missing, unknown or not valid: {', '.join(wrong)}.")
        taken = "SELECT 1 FROM things WHERE NOT gone AND lowercase(json_extract(doc, '$.mailNickname')) = lowercase(?)"
        if kind == "groups" and DB.execute(taken, (new["mailNickname"],)).fetchone():
            raise Fail(409, "Conflict", "The mailNickname is taken.")
        if "body" in new:
            new["body"] = {"contentType": "text", "content": "", **old.get("body", {}), **new["body"]}
        if FAULT == "create-last-recipient" and not key and len(new.get("toRecipients", "")) > 1:
            new["toRecipients"].pop()
        if FAULT == "create-false-flag" and kind == "groups":
            new["securityEnabled"] = True
        if FAULT == "create-double-quote" and not key and "subject" in new:
            new["subject"] = new["subject"].replace("'", "''")
        if FAULT == "update-null-ignored" and key:
            new = {name: value for name, value in new.items() if value is not None}
        if FAULT == "update-importance-reset" and key and kind == "messages":
            new = {"importance": "normal", **new}
        version = DB.execute("SELECT MAX(version) + 1 FROM things").fetchone()[0]
        first = {} if kind == "groups" else {
            "subject": "", "body": {"contentType": "text", "content": ""}, "toRecipients": [], "isRead": False,
            "from": data.address(SEED[0][1]), "receivedDateTime": data.stamp(), "importance": "normal",
            "attachments": [], "singleValueExtendedProperties": []}
        doc = {**(old or {"id": data.guid(f"new{version}"), **first}), **new}
        DB.execute("INSERT INTO things (kind, id, doc, version) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
                   " SET old = doc, doc = excluded.doc, version = excluded.version",
                   (kind, doc["id"], json.dumps(doc), version))
        self.tag(kind, version)
        return 200 if key else int(conf(None, "createStatus")), self.show(kind, doc)

    def delete(self, kind, key):
        self.row(kind, key, "If-Match")
        DB.execute("UPDATE things SET gone = 1 WHERE id = ?", (key,))
        return int(conf(None, "deleteStatus")), None


ROUTES = {
    "me": {"GET": ("item", "users", ME), "PATCH": ("write", "users", ME)},
    "me/calendar": {"GET": ("item", "calendar", "AAMkCalendar0")},
    "me/manager": {"GET": ("item", "users", SEED[0][1]["managerId"])},
    "me/messages": {"GET": ("collection", "messages"), "POST": ("write", "messages", "")},
    "me/messages/([^/]+)": {"GET": ("item", "messages"), "PATCH": ("write", "messages"),
                            "DELETE": ("delete", "messages")},
    "me/drive/items": {"GET": ("collection", "items")},
    "(?:me/)?drive/items/([^/]+)": {"GET": ("item", "items")},
    "(?:me/)?drive/items/([^/]+)/children": {"GET": ("related", "items", "items", CHILDREN, COLLECTION)},
    r"me/reminderView(?:(?:\(|%28)(.*)(?:\)|%29))?": {"GET": ("reminders",)},
    "me/getMemberGroups": {"POST": ("groups_of", "securityEnabledOnly", bool)},
    "me/checkMemberObjects": {"POST": ("groups_of", "ids", list)},
    "users": {"GET": ("collection", "users")},
    "users/delta": {"GET": ("delta",)},
    r"users/\$count": {"GET": ("count",)},
    "users/([^/]+)": {"GET": ("item", "users")},
    "groups": {"GET": ("collection", "groups"), "POST": ("write", "groups", "")},
    "groups/([^/]+)": {"GET": ("item", "groups"), "DELETE": ("delete", "groups")},
    "groups/([^/]+)/members": {"GET": ("related", "groups", "members", MEMBERS_OF, PLAIN)},
}


def main():
    choices = data.choices()
    if "--describe" in sys.argv:
        return print(json.dumps({"language": "Python", "store": "SQLite", "choices": choices, "faults": data.FAULTS}))
    CHOICES.update({name: str(value) for name, value in json.loads(os.environ.get("CHOICES") or "{}").items()})
    if any(CHOICES[choice["name"]] not in choice["values"] for choice in choices):
        sys.exit("unknown choice")
    DB.create_function("sort_key", 2, sort_key)
    DB.create_function("text_match", 4, text_match)
    DB.create_function("lowercase", 1, lambda text: text and text.lower())
    DB.create_function("instant", 1, lambda text: instant(text, FAULT != "filter-fraction"))
    DB.execute("CREATE TABLE things (seq INTEGER PRIMARY KEY, kind TEXT, id TEXT UNIQUE, doc TEXT, old TEXT,"
               " version INTEGER DEFAULT 1, gone INTEGER DEFAULT 0)")
    DB.execute("CREATE TABLE members (gid TEXT, mid TEXT)")
    DB.executemany("INSERT INTO things (kind, id, doc) VALUES (?, ?, ?)",
                   [(kind, doc.get("id") or doc["eventId"], json.dumps(doc)) for kind, doc in SEED])
    DB.executemany("INSERT INTO members VALUES (?, ?)", MEMBERS)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT") or 0)), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
