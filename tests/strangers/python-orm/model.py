"""Choices and faults, the ORM model over SQLite in memory, and the seed data."""
import json
import os
import re
import threading
import unicodedata
import uuid
from datetime import datetime, timedelta

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Integer, String, create_engine, event
from sqlalchemy.orm import Session, declarative_base, relationship
from sqlalchemy.pool import StaticPool

TABLE = []  # name, values, default, meaning
for _team, _coll, _nulls, _page, _top, _search in (
        ("users", "linguistic", "high", 25, "page", "prefix"), ("groups", "nocase", "last", 10, "limit", "prefix"),
        ("messages", "binary", "low", 5, "page", "word"), ("items", "nocase", "low", 10, "page", None)):
    TABLE += [
        (f"{_team}.collation", ["binary", "nocase", "linguistic", "linguistic-nocase"], _coll, "comparison of text"),
        (f"{_team}.nulls", ["low", "high", "first", "last"], _nulls, "place of null in $orderby"),
        (f"{_team}.logic", ["three", "two"], "three", "null in filters: unknown as in SQL, or false (ne: true)"),
        (f"{_team}.page", [3, 5, 10, 25], _page, "page size when $top is not given"),
        (f"{_team}.top", ["page", "limit"], _top, "$top is the size of each page, or limits the whole result"),
        (f"{_team}.key", ["always", "selected"], "always", "identifier with $select: always, or only when selected"),
        (f"{_team}.unselected", ["absent", "null"], "absent", "unselected properties are left out, or null"),
        (f"{_team}.search", ["word", "prefix", "substring"], _search, "what a term must match")][:8 if _search else 7]
TABLE += [
    ("messages.body", ["stored", "text", "html"], "stored", "body shape when no preference is sent"),
    ("count.header", ["never", "filtered", "always"], "filtered", "when $count needs ConsistencyLevel: eventual"),
    ("option.unknown", ["refuse", "ignore"], "refuse", "unknown options that begin with $"),
    ("option.unsupported", [400, 501], 400, "status for an option the endpoint does not support"),
    ("body.unknown", ["ignore", "refuse"], "ignore", "unknown properties (and id) in request bodies"),
    ("create.status", [201, 200], 201, "status of a create"),
    ("delete.status", [204, 200], 204, "status of a delete"),
    ("links", ["absolute", "relative"], "absolute", "form of next and delta links"),
    ("etags", ["weak", "header", "none"], "weak", "ETag header and @odata.etag, header only, or no entity tags"),
    ("membership", ["transitive", "direct"], "transitive", "groups that getMemberGroups, checkMemberObjects count"),
    ("membership.shape", ["envelope", "list"], "envelope", "membership answers: object with value, or a bare list")]
CHOICES = {row[0]: dict(zip(("name", "values", "default", "meaning"), row)) for row in TABLE}
FAULTS = [{"name": n, "area": a, "meaning": m} for n, a, m in (
    ("create-importance-lost", "create", "a created message echoes its importance but stores normal"),
    ("create-unnamed-recipients-merge", "create", "recipients are keyed by name, so those without a name collapse"),
    ("create-group-flags-coupled", "create", "mailEnabled of a new group becomes the opposite of securityEnabled"),
    ("patch-defaults-bound", "update", "PATCH of a message without importance sets it back to normal"),
    ("patch-null-ignored", "update", "PATCH /me treats null as omitted, a field cannot be cleared"),
    ("delete-still-indexed", "delete", "a deleted message is still found with $filter or $search"),
    ("expand-manager-within-page", "expand", "in a list, a manager who is not on the same page expands to none"),
    ("expand-takes-outer-select", "expand", "the outer $select replaces the nested $select"),
    ("item-key-prefix", "item", "a message is also found by a cut identifier"),
    ("item-first-license", "item", "a user read by id shows only the first of assignedLicenses"),
    ("paging-forgets-skip", "paging", "the first next link does not add $skip, so items come twice"),
    ("paging-unstable-ties", "paging", "equal sort keys come in another order from the second page on"),
    ("auth-token-case", "authentication", "the token is compared ignoring case"),
    ("auth-per-connection", "authentication", "after one good request the connection is trusted"),
    ("filter-not-first-only", "filter", "not (a or b) negates only the first term inside the parentheses"),
    ("filter-any-first", "filter", "any looks at the first element of the collection only"),
    ("order-later-desc-lost", "order", "desc is ignored from the second key on"),
    ("search-or-same-property", "search", "terms after OR are looked up in the property of the first term"),
    ("reminder-view-whole-days", "operation", "the reminder view rounds its bounds to whole days"),
    ("select-lost-on-next-page", "select-count", "$select is not applied from the second page on"))]
FAULT, C = os.environ.get("FAULT"), {name: item["default"] for name, item in CHOICES.items()}
for _name, _value in json.loads(os.environ.get("CHOICES") or "{}").items():
    C[_name] = next((v for v in CHOICES.get(_name, {}).get("values", []) if str(v) == str(_value)), None)
if None in C.values() or FAULT and FAULT not in [f["name"] for f in FAULTS]:
    raise SystemExit("unknown choice or fault")
STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?Z")

def fold(text):
    letters = unicodedata.normalize("NFKD", text.translate({0xf8: "o", 0xd8: "O", 0x142: "l", 0x141: "L"}))
    return "".join(c for c in letters if not unicodedata.combining(c)).casefold()

def search_hit(text, term, mode):
    text, term = fold(text or ""), fold(term)
    if mode == "substring":
        return term in text
    words, hit = re.findall(r"\w+", text), str.__eq__ if mode == "word" else str.startswith
    return all(any(hit(word, wanted) for word in words) for wanted in re.findall(r"\w+", term) or ["?"])

def stamp(text):
    """An ISO 8601 UTC time with seven digits of fraction, so that text order is time order; None when malformed."""
    match = STAMP.fullmatch(text)
    try:
        return match and f"{datetime.fromisoformat(match[1]).isoformat()}.{(match[2] or '').ljust(7, '0')}Z"
    except ValueError:
        return None

Base = declarative_base()

def entity(name, /, **columns):
    """A mapped class from column types; names that end in Time hold what stamp() makes."""
    made = {"seq": Column(Integer, primary_key=True), "id": Column(String), "rev": Column(Integer, default=1)}
    made |= {k: Column(JSON(none_as_null=True) if v is JSON else v) for k, v in columns.items()}
    return type(name, (Base,), {"__tablename__": name.lower()} | made)

Membership = entity("Membership", group_seq=Integer, member_seq=Integer)
Directory = entity(  # users and groups share one table, as members of a group can be either
    "Directory", kind=String, displayName=String, mail=String, givenName=String, surname=String, jobTitle=String,
    department=String, officeLocation=String, accountEnabled=Boolean, assignedLicenses=JSON, description=String,
    mailEnabled=Boolean, securityEnabled=Boolean, mailNickname=String, manager_seq=ForeignKey("directory.seq"))
Directory.manager = relationship(Directory, remote_side=Directory.seq)
Message = entity(  # gone: deletes are soft
    "Message", subject=String, body=JSON, toRecipients=JSON, receivedDateTime=String, isRead=Boolean, gone=Boolean,
    importance=String, attachments=JSON, singleValueExtendedProperties=JSON, **{"from": JSON})
DriveItem = entity("DriveItem", parent=Integer, name=String, size=Integer, webUrl=String, file=JSON, folder=JSON,
                   thumbnails=JSON)
Calendar = entity("Calendar", name=String, color=String, isDefaultCalendar=Boolean, canEdit=Boolean, owner=JSON)
Reminder = entity("Reminder", eventId=String, eventSubject=String, eventStartTime=String, eventEndTime=String,
                  reminderFireTime=String)
engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
LOCK = threading.RLock()  # one connection, one request at a time in the store

@event.listens_for(engine, "connect")
def on_connect(connection, _record):
    for name, key in (("ANYCASE", str.casefold), (  # letters, then accents, then lower before upper case
            "LINGUISTIC", lambda text: (fold(text), unicodedata.normalize("NFD", text).casefold(), text.swapcase()))):
        connection.create_collation(name, lambda a, b, k=key: (k(a) > k(b)) - (k(a) < k(b)))
    connection.create_function("search_hit", 3, search_hit)
    for name, method in (("u_lower", str.lower), ("u_fold", str.casefold), ("u_startswith", str.startswith),
                         ("u_endswith", str.endswith), ("u_contains", str.__contains__)):
        connection.create_function(name, -1, lambda *args, f=method: None if None in args else f(*args))

FIRST = "Ana Étienne José Zoë ann Brian Çelia dmitri Søren Élodie Ian MARÍA Noah Ångela lucía Oskar Paul".split()
LAST = "O'Brien,Müller,de la Cruz,Núñez,McDonald,van Dyk,Smith,D'Angelo,Łukasik,Åberg,zhang".split(",")
TITLES = ["Engineer", "Data Engineer", None, "analyst", "Manager", "Account Executive"]
DEPARTMENTS = ["Finance", "R&D", "sales", None, "Ingeniería", "Human Resources", "Sales"]
GROUPS = "All Staff,Équipe Data,sales,Board,Sales,Ski Club,Zürich,Review,data platform,On-Call,L'Atelier,Empty,Alumni"
SUBJECTS = "Budget review,budget REVIEW,Re: Quarterly plan,Déjeuner d'équipe,Server outage,Zürich trip".split(",")
ME = 6  # seq of the signed-in user

def new_id(kind, number):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://contoso.example/{kind}/{number}"))

def at(start, minutes, fraction=0):
    return f"{(start + timedelta(minutes=minutes)).isoformat()}.{fraction:07}Z"

def seed():
    Base.metadata.create_all(engine)
    db = Session(engine)
    for i in range(48):
        first, last = FIRST[i % 17], LAST[i % 11]
        name = f"{first} {last}" if i < 44 else ["Ana O'Brien", "José de la Cruz", "brian VAN DYK", "Zoe"][i - 44]
        mail = re.sub(r"[ ']", "", fold(f"{first}.{last}{i}@contoso.example"))
        db.add(Directory(
            seq=i + 1, id=new_id("user", i), kind="user", displayName=name, givenName=first, surname=last,
            mail=None if i % 9 == 4 else mail.title() if i % 10 == 7 else mail, accountEnabled=i % 8 != 6,
            jobTitle=TITLES[i % 6], department=DEPARTMENTS[i % 7], officeLocation=f"{'ABC'[i % 3]}/{100 + i % 8}",
            manager_seq=None if i == 0 or i % 13 == 12 else (i - 1) // 4 + 1,
            assignedLicenses=[{"skuId": new_id("sku", (i + p) % 3)} for p in range(i % 4)]))
    for i, name in enumerate(GROUPS.split(",")):
        db.add(Directory(
            seq=100 + i, id=new_id("group", i), kind="group", displayName=name, mailNickname=f"team{i:02}",
            description=None if i % 3 == 2 else f"About {name}", mailEnabled=i % 2 == 0, securityEnabled=i % 4 != 2))
        members = {u + 1 for u in range(0, 48, i + 2) if i != 11}
        members |= {6: {ME}, 7: {103}, 9: {107, 101}, 0: {101, 105}}.get(i, set())
        db.add_all(Membership(group_seq=100 + i, member_seq=m) for m in sorted(members))
    for i in range(60):
        users = [db.get(Directory, (i * 5 + k * 7) % 48 + 1) for k in range(4)]
        people = [{"emailAddress": {"address": u.mail or "x@example.net", "name": u.displayName}} for u in users]
        text = f"Hello {users[1].givenName}, see point {i} and answer by Friday."
        db.add(Message(
            **{"from": people[0]}, toRecipients=people[1:2 + i % 3], gone=False, isRead=i % 3 == 0,
            id=new_id("message", i), subject=SUBJECTS[i % 6] + (f" #{i}" if i % 4 else ""),
            importance=("low", "normal", "high", "normal")[i % 4],
            body={"contentType": ("text", "html")[i % 3 == 1], "content": f"<p>{text}</p>" if i % 3 == 1 else text},
            receivedDateTime=at(datetime(2024, 3, 1), i * 37 % 58 * 660 + i % 5, (0, 2500000, 0, 1234567)[i % 4]),
            attachments=[{"id": new_id("file", f"{i}-{p}"), "name": f"File {i}-{p}.pdf", "size": 512 * i,
                          "contentType": "text/plain", "isInline": p == 1} for p in range(0 if i % 5 else 1 + i % 2)],
            singleValueExtendedProperties=[{"id": f"String {{{new_id('set', 0)}}} Name Hue", "value": "Red"}][i % 6:]))
    for i in range(30):  # three folders of ten rows: folder, subfolder, four files beside it, four files in it
        root, n, web = ("Documents", "photos", "Archive")[i // 10], i % 10, "https://contoso.example/drive"
        name = f"{('Plan', 'été', 'budget', 'Photo')[n % 4]}-{n}.{('txt', 'jpg')[n % 2]}"
        sizes = {k: {"url": f"{web}/thumbs/{i}/{k}", "width": 96, "height": 96} for k in ("small", "medium", "large")}
        db.add(DriveItem(
            seq=i + 1, id=new_id("item", i), name=root if n == 0 else f"Year {2020 + i // 10}" if n == 1 else name,
            size=n // 2 % 3 * 2048, webUrl=f"{web}/{root}/{n}", parent=None if n == 0 else i - n + (1 if n < 6 else 2),
            file={"mimeType": ("text/plain", "image/jpeg")[n % 2]} if n > 1 else None,
            folder={"childCount": 5 - n} if n < 2 else None, thumbnails=[{"id": "0"} | sizes] * (n > 2 and n % 2)))
    db.add(Calendar(id=new_id("calendar", 0), name="Calendar", color="lightBlue", isDefaultCalendar=True, canEdit=True,
                    owner={"name": "Brian van Dyk", "address": "brian.vandyk5@contoso.example"}))
    for i in range(12):
        day = datetime(2024, 4, 1, 9) + timedelta(hours=i * 17)
        db.add(Reminder(eventId=new_id("event", i), eventSubject=SUBJECTS[i % 6], eventStartTime=at(day, 0),
                        eventEndTime=at(day, 45), reminderFireTime=at(day, -15)))
    db.commit()
