"""A directory and mailbox over HTTP. Environment: PORT, TOKEN, CHOICES, FAULT; --describe lists the last two."""
import html
import json
import os
import re
import signal
import sys
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlencode

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

import query as q
from model import (CHOICES, FAULT, FAULTS, LOCK, ME, C, Calendar, Directory, DriveItem, Membership, Message, Reminder,
                   engine, new_id, seed, stamp)
from query import Options, Refused

TOKEN, REVISIONS, ME_ID = os.environ.get("TOKEN", ""), iter(range(2, 10**9)), new_id("user", ME - 1)
# Shapes of request bodies: text is a pattern, ANY may be null, names with ! are required, lists and objects nest.
ANY, TEXT, NICK, TIME = r".*", r".*\S.*", r"[^\s@()\[\]\";:<>,\\]{1,64}", r"\d{4}-.*Z"
PERSON = {"emailAddress!": {"address!": TEXT, "name": ANY}}
MESSAGE = {"subject": ANY, "isRead": bool, "receivedDateTime": TIME, "importance": "low|normal|high", "from": PERSON,
           "body": {"contentType": "text|html", "content": r"[\s\S]*"}, "toRecipients": [PERSON]}
NEW_MESSAGE = MESSAGE | {"singleValueExtendedProperties": [{"id!": TEXT, "value!": r"[\s\S]*"}],
                         "attachments": [{"name!": TEXT, "contentType": TEXT, "isInline": bool}]}
USER = {"displayName": TEXT, "accountEnabled": bool, "assignedLicenses": [{"skuId!": TEXT}], "givenName": ANY,
        "surname": ANY, "mail": ANY, "jobTitle": ANY, "department": ANY, "officeLocation": ANY}
TEAM = {"displayName!": TEXT, "mailNickname!": NICK, "mailEnabled!": bool, "securityEnabled!": bool, "description": ANY}

def check(value, shape, where="body"):
    """A request body in a given shape -> the same without what is unknown."""
    if isinstance(shape, list) and isinstance(value, list):
        return [check(v, shape[0], where) for v in value]
    if isinstance(shape, dict) and isinstance(value, dict):
        shapes = {name.rstrip("!"): inner for name, inner in shape.items()}
        wrong = [k for k in value if k not in shapes and "@odata." not in k and C["body.unknown"] == "refuse"]
        wrong += [name for name in shape if name.endswith("!") and name[:-1] not in value]
        if wrong:
            raise Refused(f"{where}: missing or unknown: {', '.join(wrong)}")
        return {k: check(v, shapes[k], k) for k, v in value.items() if k in shapes}
    if shape is bool and isinstance(value, bool) or shape == ANY and value is None:
        return value
    if isinstance(shape, str) and isinstance(value, str) and re.fullmatch(shape, value, re.S):
        if not re.search("[\ud800-\udfff\0]", value) and (shape != TIME or stamp(value)):
            return stamp(value) if shape == TIME else value
    raise Refused(f"{where}: the value is not valid")

def show(name, value, want):
    if name == "body" and value["contentType"] != want != "stored":
        text = html.unescape(re.sub(r"<[^>]*>", "", value["content"]))
        return {"contentType": want, "content": text if want == "text" else f"<p>{html.escape(value['content'])}</p>"}
    return value[:-1].rstrip("0").rstrip(".") + "Z" if name.endswith("Time") else value

def trim(values, spec, chosen):
    names = [*values] if chosen is None else chosen + [spec.key] * (spec.pick("key") == "always")
    rest = dict.fromkeys(values) if spec.pick("unselected") == "null" else {}
    return rest | {name: value for name, value in values.items() if name in names}

class Api(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, wbufsize, trusted = "HTTP/1.1", True, 65536, False

    def run(self):
        self.out, length = {}, self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not re.fullmatch("[0-9]{1,7}", length):
            self.out["Connection"], length = "close", "0"
        self.raw = self.rfile.read(int(length))
        try:
            with LOCK, Session(engine) as self.db:
                result = self.answer()
                status, payload = result if isinstance(result, tuple) else (200, result)
                self.db.commit()
        except Exception as error:  # what json, SQLite or Python cannot take is a bad request, too
            error = error if isinstance(error, Refused) else Refused(f"The request cannot be processed: {error!r:.80}")
            status, payload = error.status, {"error": {"code": error.code, "message": error.message}}
        data = b"" if payload is None else json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        self.out["Content-Type"] = "text/plain" if isinstance(payload, int) else "application/json; charset=utf-8"
        if status not in (204, 304):
            self.out["Content-Length"] = str(len(data))
        self.send_response(status)
        for name, value in self.out.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = run
    log_request = log_error = lambda *_: None  # quiet

    def answer(self):
        same = str.casefold if FAULT == "auth-token-case" else str
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer" and TOKEN and same(token.strip()) == same(TOKEN):
            self.trusted = FAULT == "auth-per-connection"
        elif not self.trusted:
            self.out["WWW-Authenticate"] = "Bearer"
            raise Refused("The access token is missing or not valid.", 401, "InvalidAuthenticationToken")
        self.address, _, text = self.path.partition("?")
        self.params = dict(parse_qsl(text, keep_blank_values=True))
        want = re.search(r'body-content-type\s*=\s*"?(text|html)\b', self.headers.get("Prefer", ""), re.I)
        self.preferred = want and want[1].lower()
        self.eventual = self.headers.get("ConsistencyLevel", "").lower() == "eventual"
        for method, pattern, handler in ROUTES:
            match = re.fullmatch("/v1[.]0" + pattern, unquote(self.address))
            if match and method == self.command:
                return handler(self, *match.groups())
        raise Refused("There is no such path with this method.", 404, "ResourceNotFound")

    def find(self, spec, key):
        same = spec.entity.id == key
        if FAULT == "item-key-prefix" and spec is q.MESSAGES and len(key) > 20:
            same = spec.entity.id.startswith(key, autoescape=True)
        obj = self.db.query(spec.entity).filter(same, spec.base).first()
        if obj is None:
            raise Refused(f"There is no item '{key}'.", 404, "ResourceNotFound")
        if self.command in ("PATCH", "DELETE") and self.matches("If-Match", obj) is False:
            raise Refused("The item has changed.", 412, "PreconditionFailed")
        return obj

    def matches(self, header, obj):  # weak comparison of entity tags; None without them
        text = self.headers.get(header) if C["etags"] != "none" else None
        return text and (text.strip() == "*" or f'"{obj.seq}.{obj.rev}"' in re.findall('"[^"]*"', text))

    def shape(self, obj, spec, chosen=None, expand=None, page=None):  # page is None below the top level
        out = {"@odata.type": f"#microsoft.graph.{obj.kind}"} if spec is q.MEMBERS else {}
        if page is not None and spec.key == "id" and C["etags"] == "weak":
            out["@odata.etag"] = f'W/"{obj.seq}.{obj.rev}"'
        props = spec.props if spec is not q.MEMBERS else (q.USERS if obj.kind == "user" else q.GROUPS).props
        values = {name: show(name, getattr(obj, name), self.preferred or C["messages.body"]) for name in props
                  if name not in ("file", "folder") or getattr(obj, name)}
        out |= trim(values, spec, chosen)
        for name, inner in (expand or {}).items():
            inner = chosen if FAULT == "expand-takes-outer-select" and inner and chosen else inner
            value = getattr(obj, name)
            if isinstance(value, list):
                out[name] = [trim(row, spec, inner) for row in value]
            else:
                lost = FAULT == "expand-manager-within-page" and page and value not in page
                out[name] = self.shape(value, spec, inner) if value and not lost else None
        return out

    def link(self, params):
        start = f"http://{self.headers.get('Host', '127.0.0.1')}" if C["links"] == "absolute" else ""
        return f"{start}{self.address}?{urlencode(params, safe='$', quote_via=quote)}"

    def collection(self, spec, *within, delta=None):
        opts = Options(self.params, spec, q.DELTA if delta else spec.options, self.eventual)
        indexed = FAULT == "delete-still-indexed" and opts.where
        rows = self.db.query(spec.entity).filter(*within, *opts.where, *([] if indexed else [spec.base]))
        size, tie = spec.pick("page") if opts.top is None else opts.top, spec.entity.seq
        tie = tie.desc() if opts.later and opts.order and FAULT == "paging-unstable-ties" else tie
        page = rows.order_by(*(opts.order or spec.order), tie).offset(opts.start).limit(size + 1).all()
        out = {"@odata.count": rows.count()} if opts.count else {}
        chosen = None if opts.later and FAULT == "select-lost-on-next-page" else opts.select
        out["value"] = [self.shape(obj, spec, chosen, opts.expand, page[:size]) for obj in page[:size]]
        rest = {k: v for k, v in self.params.items() if k not in ("$skip", "$skiptoken", "$deltatoken")}
        if len(page) > size > 0 and (opts.top is None or spec.pick("top") == "page"):
            following = size if FAULT == "paging-forgets-skip" and not opts.later else opts.start + size
            rest |= {"$deltatoken": "%d-%d" % delta} if delta else {}
            out["@odata.nextLink"] = self.link(rest | {"$skiptoken": str(following)})
        elif delta:
            out["@odata.deltaLink"] = self.link(rest | {"$deltatoken": str(delta[1])})
        return out

    def item(self, spec, obj, status=200):
        if obj is None:
            raise Refused("The item does not exist.", 404, "ResourceNotFound")
        self.db.flush()
        opts = Options(self.params, spec, ["$select", "$expand"][:1 + bool(spec.relations)], self.eventual)
        if C["etags"] != "none" and not opts.expand and not self.preferred:
            self.out["ETag"] = f'W/"{obj.seq}.{obj.rev}"'
            if self.command == "GET" and self.matches("If-None-Match", obj):
                return 304, None
        out = self.shape(obj, spec, opts.select, opts.expand, [])
        if FAULT == "item-first-license" and self.address.startswith("/v1.0/users/") and out.get("assignedLicenses"):
            out["assignedLicenses"] = out["assignedLicenses"][:1]
        return status, out

    def delta(self):
        last = self.db.query(func.max(Directory.rev)).filter(q.USERS.base).scalar()
        since, _, until = self.params.get("$deltatoken", "0").partition("-")
        return self.collection(q.USERS, Directory.rev > int(since), delta=(int(since), int(until or last)))

    def count(self):
        opts = Options(self.params | {"$count": "true"}, q.USERS, ["$filter", "$search", "$count"], self.eventual)
        return self.db.query(Directory).filter(q.USERS.base, *opts.where).count()

    def reminders(self, text):
        given = dict(re.findall(r"(\w+)\s*=\s*'([^']*)'", text or ""))
        start, end = (stamp(given.get(name, "")) for name in ("startDateTime", "endDateTime"))
        if not start or not end:
            raise Refused("startDateTime and endDateTime are required, ISO 8601 UTC timestamps")
        if FAULT == "reminder-view-whole-days":
            start, end = start[:10], end[:10] + "T24"
        return self.collection(q.REMINDERS, Reminder.reminderFireTime >= start, Reminder.reminderFireTime < end)

    def membership(self, name, shape):
        wanted, found, fresh = check(json.loads(self.raw), {name + "!": shape})[name], set(), {ME}
        while fresh:
            above = select(Membership.group_seq).where(Membership.member_seq.in_(fresh))
            fresh = set(self.db.scalars(above)) - found
            found |= fresh
            fresh = fresh if C["membership"] == "transitive" else set()
        groups = self.db.query(Directory).filter(Directory.seq.in_(found)).order_by(Directory.seq)
        ids = [g.id for g in groups if (g.id in wanted if name == "ids" else g.securityEnabled or not wanted)]
        return {"value": ids} if C["membership.shape"] == "envelope" else ids

    def write(self, spec, obj, shape, status=200):
        data, obj.rev = check(json.loads(self.raw), shape), next(REVISIONS)
        if FAULT == "patch-defaults-bound" and self.command == "PATCH" and spec is q.MESSAGES:
            data = {"importance": "normal"} | data
        if FAULT == "create-unnamed-recipients-merge" and self.command == "POST" and "toRecipients" in data:
            data["toRecipients"] = list({p["emailAddress"].get("name"): p for p in data["toRecipients"]}.values())
        if "attachments" in data:
            blank = {"contentType": "application/octet-stream", "size": 0, "isInline": False}
            data["attachments"] = [blank | row | {"id": new_id(obj.id, n)} for n, row in enumerate(data["attachments"])]
        for name, value in data.items():
            if value is not None or spec is not q.USERS or FAULT != "patch-null-ignored":
                setattr(obj, name, obj.body | value if name == "body" else value)
        return self.item(spec, obj, status)

    def create(self, spec, shape, **defaults):
        obj = spec.entity(id=new_id("new", next(REVISIONS)), **defaults)
        self.db.add(obj)
        result = self.write(spec, obj, shape, C["create.status"])
        if spec is q.GROUPS and self.db.query(Directory).filter(
                func.u_lower(Directory.mailNickname) == obj.mailNickname.lower()).count() > 1:
            raise Refused("mailNickname is taken", 409, "Conflict")
        if FAULT == "create-group-flags-coupled" and spec is q.GROUPS:
            obj.mailEnabled = not obj.securityEnabled
        if FAULT == "create-importance-lost" and spec is q.MESSAGES:
            obj.importance = "normal"
        return result

    def create_mail(self):
        me, now = self.db.get(Directory, ME), stamp(datetime.utcnow().isoformat(timespec="seconds") + "Z")
        return self.create(
            q.MESSAGES, NEW_MESSAGE, subject="", gone=False, isRead=False, importance="normal", toRecipients=[],
            body={"contentType": "text", "content": ""}, receivedDateTime=now, singleValueExtendedProperties=[],
            attachments=[], **{"from": {"emailAddress": {"address": me.mail, "name": me.displayName}}})

    def delete(self, obj):
        if isinstance(obj, Message):
            obj.gone = True
        else:
            self.db.query(Membership).filter(or_(
                Membership.group_seq == obj.seq, Membership.member_seq == obj.seq)).delete()
            self.db.delete(obj)
        return C["delete.status"], None

ITEM, MAIL, DRIVE = "/([^/]+)", "/me/messages", "(?:/me)?/drive/items"
ROUTES = [
    ("GET", "/me", lambda s: s.item(q.USERS, s.find(q.USERS, ME_ID))),
    ("PATCH", "/me", lambda s: s.write(q.USERS, s.find(q.USERS, ME_ID), USER)),
    ("GET", "/me/calendar", lambda s: s.item(q.CALENDAR, s.db.query(Calendar).first())),
    ("GET", "/me/manager", lambda s: s.item(q.USERS, s.find(q.USERS, ME_ID).manager)),
    ("POST", MAIL, Api.create_mail),
    ("PATCH", MAIL + ITEM, lambda s, key: s.write(q.MESSAGES, s.find(q.MESSAGES, key), MESSAGE)),
    ("DELETE", MAIL + ITEM, lambda s, key: s.delete(s.find(q.MESSAGES, key))),
    ("GET", r"/me/reminderView(?:\((.*)\))?", Api.reminders),
    ("POST", "/me/getMemberGroups", lambda s: s.membership("securityEnabledOnly", bool)),
    ("POST", "/me/checkMemberObjects", lambda s: s.membership("ids", [TEXT])),
    ("GET", DRIVE + ITEM + "/children", lambda s, key: s.collection(
        q.ITEMS, DriveItem.parent == s.find(q.ITEMS, key).seq)),
    ("GET", "/users/delta", Api.delta),
    ("GET", "/users/[$]count", Api.count),
    ("GET", "/users" + ITEM + "/manager", lambda s, key: s.item(q.USERS, s.find(q.USERS, key).manager)),
    ("POST", "/groups", lambda s: s.create(q.GROUPS, TEAM, kind="group")),
    ("DELETE", "/groups" + ITEM, lambda s, key: s.delete(s.find(q.GROUPS, key))),
    ("GET", "/groups" + ITEM + "/members", lambda s, key: s.collection(q.MEMBERS, Directory.seq.in_(
        select(Membership.member_seq).where(Membership.group_seq == s.find(q.GROUPS, key).seq))))]
for _path, _spec in ((MAIL, q.MESSAGES), (DRIVE, q.ITEMS), ("/users", q.USERS), ("/groups", q.GROUPS)):
    ROUTES += [("GET", _path, lambda s, spec=_spec: s.collection(spec)),
               ("GET", _path + ITEM, lambda s, key, spec=_spec: s.item(spec, s.find(spec, key)))]

if __name__ == "__main__":
    if "--describe" in sys.argv:
        sys.exit(print(json.dumps({"language": "Python 3.11", "store": "SQLAlchemy ORM over SQLite in memory",
                                   "choices": list(CHOICES.values()), "faults": FAULTS})))
    seed()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Api)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
