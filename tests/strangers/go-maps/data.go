package main

import ("fmt"; "strings"; "time")
// Obj is a JSON object; Row is a stored object with its relations and the sequence number of its last change.
type Obj = map[string]any
type Row struct { t *Type; P Obj; ver int; rel map[string][]*Row; unindexed bool }
// Type is a resource type. Its example tells the properties and their kinds; team is the part of the choices for it;
// write, null, extra (not returned by default) and search are lists of properties.
type Type struct { team, key, search, write, null, extra string; rels map[string]*Type; example Obj; rows []*Row }
var userType = &Type{"users", "id", "displayName mail jobTitle department",
	"displayName givenName surname mail jobTitle department officeLocation accountEnabled",
	"surname mail jobTitle department officeLocation",
	"department accountEnabled mailNickname createdDateTime assignedLicenses", map[string]*Type{}, nil, nil}
var groupType = &Type{team: "groups", key: "id", search: "displayName description", null: "description",
	write: "displayName description mailEnabled mailNickname securityEnabled"}
var messageType = &Type{team: "messages", key: "id", search: "subject body/content from/emailAddress/name",
	rels:  map[string]*Type{"attachments": newType("messages"), "singleValueExtendedProperties": newType("messages")},
	write: "subject body toRecipients from receivedDateTime isRead importance contentType content emailAddress " +
		"name address"}
var itemType = &Type{team: "items", key: "id", search: "name", rels: map[string]*Type{"thumbnails": newType("items")}}
var memberType, calendarType = &Type{team: "groups", key: "id", search: "displayName"}, newType("messages")
var reminderType = &Type{team: "messages", key: "eventId"}
func newType(team string) *Type        { return &Type{team: team, key: "id"} }
func (t *Type) opt(name string) string { return settings[t.team+"."+name] }
func (t *Type) add(p Obj) *Row {
	r := &Row{t, p, seq, map[string][]*Row{}, false}
	t.rows, t.example = append(t.rows, r), merge(p, t.example)
	return r
}
func (r *Row) relate(name string, rows ...*Row) { r.rel[name] = append(r.rel[name], rows...) }
func stamp(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05" + pick(settings["timestamps"] == "seconds", "Z", ".000Z"))
}
func id(kind, i int) string { return fmt.Sprintf("%08x-%04x-4a1c-9b3e-%012x", 0x5d0c0000+i*7919, kind, i) }
func messageID(i int) string { return fmt.Sprintf("AAMkAGI2TG93AAA%05dAAA=", i) }
func recipient(i int) Obj {
	u := userType.rows[i%len(userType.rows)].P
	return Obj{"emailAddress": Obj{"name": u["displayName"], "address": text(u["mailNickname"]) + "@contoso.example"}}
}
// word picks one of the words, in turn; unless gives null in place of a value.
func word(i int, words string) string { return strings.Split(words, ",")[i%(strings.Count(words, ",")+1)] }
func unless(isNull bool, v string) any { return pick[any](isNull, nil, v) }

// seed fills the store; counts and words are fixed.
func seed() {
	day, mail := time.Date(2024, 3, 4, 8, 0, 0, 0, time.UTC), "@contoso.example"
	userType.rels["manager"] = userType
	for i := 0; i < 51; i++ {
		first := word(i, "Anna,Zoë,José,anna,NAOMI,Søren,Łukasz,Mary,élise,Priya,Ödön,bob")
		last := word(i*5+i/36, "O'Brien,García,Müller,van Dijk,Smith,SMITH,d'Angelo,Nakamura")
		nick := strings.Map(func(r rune) rune { return pick(r < 'A' || r > 'z', -1, r) }, first+last) + text(i)
		job := word(i, "Engineer,engineer,Sales Manager,Analyst,Senior Engineer,Director")
		licenses := []any{Obj{"skuId": id(9, i%4)}, Obj{"skuId": id(9, (i+1)%4)}, Obj{"skuId": id(9, 7)}}
		u := userType.add(Obj{"id": id(1, i), "displayName": first + " " + last, "givenName": first, "surname": last,
			"jobTitle": unless(i%7 == 6, job), "mail": unless(i%11 == 10, nick+mail), "mailNickname": nick,
			"department": unless(i%9 == 8, word(i, "Sales,Research,research,Legal")), "accountEnabled": i%6 != 5,
			"officeLocation": unless(i%10 == 9, text(10+i%3)+"/A"), "assignedLicenses": licenses[:(i/4+2)%4],
			"createdDateTime": stamp(day.Add(-time.Duration(i%20) * 36613137e6))})
		when(i > 1 && i%10 != 4, func() { u.relate("manager", userType.rows[1+(i-2)/6]) })
	}
	userType.rows[0].relate("manager", userType.rows[1])
	for i := 0; i < 12; i++ { // groups 6 to 11 hold groups, the last of them two levels deep
		name := word(i, "All Staff,Engineers,engineers EU,Sales,Équipe Paris,Legal") + word(i/6, ", II")
		g := groupType.add(Obj{"id": id(2, i), "displayName": name, "description": unless(i%4 == 3, "Team "+name),
			"mail": unless(i%3 != 0, "group"+text(i)+mail), "mailEnabled": i%3 == 0, "mailNickname": "group" + text(i),
			"securityEnabled": i%2 == 0, "createdDateTime": stamp(day.AddDate(0, 0, -i%5))})
		for j := (6 - i%5) % 5; j < 51; j += 5 { g.relate("members", userType.rows[j]) }
		when(i > 5, func() { g.relate("members", groupType.rows[i-5], groupType.rows[i-6]) })
	}
	memberType.example = merge(groupType.example, userType.example)
	for i := 0; i < 61; i++ {
		subject := word(i, "Budget review,budget plan,Offsite,Re: Offsite,Café menu,INVOICE 42,Project Zephyr,Don't forget")
		at := day.Add(time.Duration(i*37%61)*26113*time.Second + time.Duration(i%4*137)*time.Millisecond)
		content := word(i, "Hello & welcome,<p>About <b>budgets</b> &amp; plans</p>,See below")
		m := messageType.add(Obj{"id": messageID(i), "subject": subject, "receivedDateTime": stamp(at), "isRead": i%4 != 0,
			"body": Obj{"contentType": word(i, "text,html,text"), "content": content}, "from": recipient(i * 11),
			"toRecipients": []any{recipient(i), recipient(i + 7), recipient(i + 14)}[:i%3+1],
			"importance":   word(i/2, "normal,low,high")})
		for j := 0; j < i%5-1; j++ {
			file := Obj{"id": id(4, i*5+j), "name": "File " + text(j) + ".pdf", "size": 1000 + i, "isInline": j == 1}
			m.relate("attachments", messageType.rels["attachments"].add(merge(file, Obj{"contentType": "application/pdf"})))
		}
		extended := Obj{"id": "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Case", "value": text(i)}
		extendedType := messageType.rels["singleValueExtendedProperties"]
		when(i%4 == 1, func() { m.relate("singleValueExtendedProperties", extendedType.add(extended)) })
	}
	for i := 0; i < 26; i++ { // six folders, 3 to 5 inside 0 to 2, then files
		file, link := Obj{"mimeType": word(i, "application/pdf,image/jpeg")}, "https://contoso.example/drive/"+text(i)
		name := word(i, "Report,report,Müller photo,Plan") + text(i/3) + word(i, ".pdf,.jpg")
		it := itemType.add(Obj{"id": fmt.Sprintf("01ITEM%04d", i*13), "size": float64(i * i * 512), "webUrl": link,
			"name":                        pick(i < 6, word(i, "Documents,Pictures,archive,Drafts,Été 2023,Old"), name),
			pick(i < 6, "folder", "file"): pick(i < 6, Obj{"childCount": 0.0}, file)})
		when(i > 2, func() { itemType.rows[pick(i < 6, i-3, i%6)].relate("children", it) })
		picture := func(n int) Obj { return Obj{"url": link + "/" + text(n), "width": 3 * n, "height": 2 * n} }
		set := Obj{"id": "0", "small": picture(32), "medium": picture(64), "large": picture(256)}
		when(i > 5 && i%2 == 1, func() { it.relate("thumbnails", itemType.rels["thumbnails"].add(set)) })
	}
	each(itemType.rows[:6], func(r *Row) { r.P["folder"] = Obj{"childCount": float64(len(r.rel["children"]))} })
	for i := 0; i < 12; i++ {
		at := day.Add(time.Duration(i*17) * time.Hour)
		reminderType.add(Obj{"eventId": id(6, i), "eventSubject": word(i, "Stand-up,Café"), "eventStartTime": stamp(at),
			"eventEndTime": stamp(at.Add(time.Hour)), "reminderFireTime": stamp(at.Add(-time.Hour / 4))})
	}
	calendarType.add(Obj{"id": id(7, 0), "name": "Calendar", "color": "auto", "isDefaultCalendar": true, "canEdit": true,
		"owner": recipient(0)["emailAddress"]})
}

// Entries: name, values, default, meaning. A name with + is one per team, with - one for users and one for groups.
const choiceTable = `+search|word prefix substring|prefix|matching;duplicateStatus|409 400|409|mailNickname taken
+collation|binary ignorecase|binary|strings in eq, ne and functions;messages.unknownBody|ignore refuse|refuse|as users
+order|binary ignorecase locale|binary|collation of gt, ge, lt, le and $orderby;maxTop|999 100 50|999|largest $top
+unselected|absent null|absent|properties not selected;bodies|stored text|stored|message bodies without Prefer
+key|always selected|always|whether the key always comes;unknownSelect|refuse ignore|refuse|unknown names in $select
+pageSize|5 10 25|10|items per page without $top;+count|free header|header header free free|$count and ConsistencyLevel
+top|page limit|page limit page limit|$top is a page size or limits the whole;etags|weak off|weak|entity tags
+lacks|none skip|skip none none none|unsupported option;unsupportedStatus|501 400|501|unsupported options and functions
-nulls|low high first last|low|place of null in orders;timestamps|milliseconds seconds|milliseconds|precision
-nullLogic|two three odata|two|null compares false, unknown, or unknown only in gt, ge, lt, le and functions
-unknownBody|ignore refuse|refuse ignore|unknown properties in bodies;unknownOption|400 501 ignore|400|unknown $-option
users.defaults|short all|short|properties without $select;membership|transitive direct|transitive|groups in the actions
topAboveMax|refuse clamp|refuse|$top above it;createStatus|201 200|201|status of a create
advancedStatus|400 403 501|400|no ConsistencyLevel;actionShape|value array|value|envelope or bare list
nextLink|absolute relative|absolute|form of links;reminderBy|event fire|event|times the view goes by
malformedKey|404 400|404|malformed identifiers;deleteStatus|204 200 202|204|status of a delete`
const faultTable = `update-null-ignored|update|null does not clear;delete-still-readable|delete|still readable by id
create-importance-lost|create|answers high, stores normal;expand-nested-select-ignored|expand|nested $select is ignored
create-false-is-default|create|securityEnabled false becomes true;item-null-as-empty|item|null job is "" on item reads
create-unindexed|create|missing from filtered lists;check-returns-first|operation|stops at the first match
update-zero-isread|update|isRead is reset when omitted;select-prefix|select-count|$select=mail also gives mailNickname
expand-stale-manager|expand|no manager: that of the user before;filter-any-first|filter|any sees only the first element
item-none-match-any|item|any tag answers 304;page-desc-lost|paging|next links drop desc
page-tail-lost|paging|no link to a last single item;auth-ignores-case|authentication|token ignores case
auth-actions-open|authentication|POST actions need no token;filter-not-first-term|filter|not (a and b) is (not a) and b
order-first-direction|order|the first direction rules all keys;search-first-property|search|OR keeps the first property`
