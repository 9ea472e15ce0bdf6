"""The choices three teams made, the faults that can be switched on, and the invented organisation."""
import re
import time
import uuid

# name: (values, defaults for users, groups, messages and items, meaning)
BY_COLLECTION = {
    "equality": (["nocase", "binary"], "nocase nocase binary nocase", "letters in eq, ne and text functions"),
    "sorting": (["linguistic", "nocase", "binary"], "linguistic linguistic binary nocase", "in $orderby and gt/lt"),
    "nulls": (["two", "three"], "two two three two", "null in comparisons: false, or unknown also under not"),
    "nullOrder": (["low", "high", "first", "last"], "low low high last", "place of null in an order"),
    "top": (["page", "limit"], "page page page limit", "$top as size of a page or as limit of the result"),
    "pageSize": (["20", "10", "100"], "20 10 20 100", "items of a page without $top"),
    "maxTop": (["999", "100", "25"], "999 999 999 100", "largest page"),
    "unselected": (["absent", "null"], "absent absent absent absent", "what an unselected property becomes"),
    "key": (["asked", "always"], "asked asked always asked", "id under $select: only if named, or always"),
    "count": (["free", "header"], "header header free free", "whether $count needs ConsistencyLevel"),
    "search": (["prefix", "word", "substring"], "prefix prefix word none", "how a $search term matches"),
    "skip": (["yes", "no"], "no no yes yes", "whether $skip is supported"),
    "etag": (["none", "strong"], "none none strong none", "entity tags on items"),
    "unknownBody": (["ignore", "reject"], "reject reject ignore ignore", "unknown properties in a body"),
}
GLOBAL = {
    "createStatus": (["201", "200"], "status of a create"),
    "deleteStatus": (["204", "200"], "status of a delete"),
    "unsupported": (["501", "400"], "status for an option the endpoint does not support"),
    "malformedKey": (["404", "400"], "status for a key that cannot be one"),
    "nextLink": (["absolute", "relative"], "form of next and delta links"),
    "unknownOption": (["reject", "ignore"], "an unknown $-option"),
    "membership": (["transitive", "direct"], "group membership in the two member actions"),
    "reminderEnd": (["<=", "<"], "how a reminder's event starts before endDateTime"),
}
FAULTS = """
create-last-recipient create A message created with several recipients loses the last one
create-false-flag create A group created with securityEnabled false is stored with true
create-double-quote create An apostrophe in the subject of a created message is stored doubled
update-null-ignored update A null in a PATCH of /me is taken for a field that was omitted
update-importance-reset update A PATCH of a message that omits importance sets it to normal
delete-still-listed delete A deleted item is gone by its id and still in its collection
expand-first-only expand Only the first item of a page is expanded
expand-nested-select expand A nested $select is accepted and not applied
item-stale item An item read after a change returns the state before it, the list the state after it
item-select-last item An item read with several names in $select drops the last of them
paging-repeat paging With $orderby each next page begins with the last item of the page before
paging-last-link paging A last page that is exactly full carries a next link
auth-token-case authentication The token is compared ignoring case
auth-count-open authentication The users count is answered without authentication
filter-fraction filter Timestamps are compared without their fractional seconds
filter-lambda-first filter A lambda looks at the first element of the collection only
order-second-desc order desc on the second and later keys is ignored
search-or-property search Every term after OR is looked up in the property of the first term
reminder-end-day operation The reminder view compares the end by its day, so later reminders of that day appear
count-ignores-filter select-count The count in the envelope is that of the unfiltered collection
"""
FAULTS = [dict(zip(("name", "area", "meaning"), line.split(" ", 2))) for line in FAULTS.strip().splitlines()]


def choices():
    kinds = ("users", "groups", "messages", "items")
    rows = [(f"{kind}.{name}", values + ["none"] * (name == "search" and kind in ("groups", "items")), default, meaning)
            for name, (values, usual, meaning) in BY_COLLECTION.items() for kind, default in zip(kinds, usual.split())]
    rows += [(name, values, values[0], meaning) for name, (values, meaning) in GLOBAL.items()]
    return [dict(zip(("name", "values", "default", "meaning"), row)) for row in rows]


GIVEN = "Anna Émile josé Liam Nadia Oskar Priya Søren Zoë Tomás anna Wei Ingrid Marek Chloé Yusuf".split()
FAMILY = "Berg,O'Neill,de la Cruz,Müller,MacLeod,Çelik,Novák,van Dyke,macleod,Ångström,D'Souza".split(",")
TITLES = ["Engineer", "Senior Engineer", None, "Accountant", "HR Manager", "engineer", "Director of Sales"]
DEPARTMENTS = ["Engineering", "Finance", "Human Resources", None, "sales", "Sales"]
ROOMS, FOLDERS = ["Oslo 1/204", "Lisbon 3", "Kraków 2/007", "Galway"], ["Contracts", "photos", "Rapports", "Budget"]
GROUPS = "All Staff,Engineering,finance,Fjord,Équipe Paris,Sales,Security,HR,O'Hara,Board,engineering,Social".split(",")
SUBJECTS = ["Budget review", "budget for Q2", "Lunch?", "Re: Lunch?", "Café menu", "Zebra crossing", "Weekly report",
            "Don't forget the report", "reporting line", "Élan launch", "Invoice 1042", "Travel plan"]
FILES = [("Plan.docx", "application/msword"), ("plan old.docx", "application/msword"), ("team.png", "image/png"),
         ("Übersicht.pdf", "application/pdf"), ("Notes.txt", "text/plain")]


def guid(name):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def stamp(hours=None, fraction=""):
    seconds = time.time() if hours is None else 1709272800 + hours * 3600
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + fraction + "Z"


def address(user):
    return {"emailAddress": {"name": user["displayName"], "address": user["mail"] or user["userPrincipalName"]}}


def drive_item(number, name, parent, content):
    key = "01" + guid(f"item{number}").replace("-", "").upper()
    sizes = {size: {"url": f"https://thumbs.contoso.example/{key}/{size}.png", "width": width, "height": width * 3 // 4}
             for size, width in (("small", 96), ("medium", 176), ("large", 800))}
    return {"id": key, "name": name, "size": number * 1531 % 9000, "parent": parent, **content,
            "webUrl": f"https://contoso.example/drive/{key}",
            "thumbnails": [{"id": "0", **sizes}] if "file" in content and number % 4 else []}


def seed():
    """Returns (kind, document) pairs in their natural order, and (group, member) pairs."""
    users, messages = [], []
    for n in range(48):
        given, family = (GIVEN[n * 5 % 16], FAMILY[n * 3 % 11]) if n not in (20, 31) else ("Anna", "Berg")  # namesakes
        name = re.sub("[^A-Za-z.]", "", f"{given[:1]}.{family}") + str(n)
        users.append({
            "id": guid(f"user{n}"), "displayName": f"{given} {family}", "surname": family, "accountEnabled": n % 8 != 5,
            "mail": None if n % 9 == 4 else f"{name}@contoso.example", "jobTitle": TITLES[n % 7],
            "userPrincipalName": f"{name.lower()}@contoso.example", "department": DEPARTMENTS[n % 6],
            "officeLocation": ROOMS[n % 4], "assignedLicenses": [{"skuId": guid(f"s{k}")} for k in range(n % 3, n % 5)],
            "managerId": guid(f"user{n // 6 or 5}") if n == 0 or n % 10 and n > 5 else None})
    for n in range(60):
        subject, html = SUBJECTS[n * 7 % 12] + (f" {n // 12}" if n % 5 == 2 else ""), n % 3 == 1
        content = f"<p>Hello, about <b>{subject}</b> &amp; item {n}.</p>" if html else f"About {subject}, item {n}."
        extended = {"id": f"String {{{guid('property')}}} Name Project", "value": f"P-{n}"}
        messages.append({
            "id": "AAMkAD" + guid(f"message{n}").replace("-", ""), "subject": subject, "isRead": n % 3 == 0,
            "body": {"contentType": "html" if html else "text", "content": content},
            "toRecipients": [address(users[(n * k) % 48]) for k in range(n % 4)] or [address(users[0])],
            "from": address(users[n * 11 % 48]), "importance": ("normal", "high", "low")[n % 5 % 3],
            "receivedDateTime": stamp(n // 2 * 7, (".5", "", "", ".25", ".1250001")[n % 5]),
            "attachments": [{"id": f"ATT{k}", "name": FILES[k % 5][0], "contentType": FILES[k % 5][1],
                             "size": 1200 + k, "isInline": k % 2 == 1} for k in range(n, n + n % 4 % 3)],
            "singleValueExtendedProperties": [] if n % 4 else [extended]})
    items = [drive_item(n, FOLDERS[n], None, {"folder": {"childCount": 6}}) for n in range(4)]
    items += [drive_item(4 + n, "Archive", items[n]["id"], {"folder": {"childCount": 1}}) for n in range(4)]
    items += [drive_item(8 + n, FILES[n % 5][0], items[n // 5 if n < 20 else n - 16]["id"],
                         {"file": {"mimeType": FILES[n % 5][1]}}) for n in range(24)]
    groups = [{"id": guid(f"group{n}"), "displayName": name, "mailNickname": f"group{n}", "mailEnabled": n % 2 == 0,
               "securityEnabled": n % 3 != 2} for n, name in enumerate(GROUPS)]
    reminders = [{"eventId": guid(f"event{n}"), "eventSubject": SUBJECTS[n], "eventStartTime": stamp(n * 9 + 3),
                  "eventEndTime": stamp(n * 9 + 4), "reminderFireTime": stamp(n * 9 + 2.75)} for n in range(12)]
    calendar = {"id": "AAMkCalendar0", "name": "Calendar", "color": "auto", "isDefaultCalendar": True, "canEdit": True,
                "owner": address(users[0])["emailAddress"]}
    members = [(groups[g]["id"], users[u]["id"]) for g in range(12) for u in range(48)
               if g == 0 or u * 7 % (g + 3) == g % 4]
    members += [(groups[g]["id"], groups[m]["id"]) for g, m in ((7, 0), (9, 7), (3, 1), (6, 3), (11, 5))]
    kinds = {"users": users, "groups": groups, "messages": messages, "items": items, "reminders": reminders}
    return [(kind, doc) for kind in kinds for doc in kinds[kind]] + [("calendar", calendar)], members
