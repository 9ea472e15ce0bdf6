// Command stranger serves a directory, mailbox and drive from maps and slices guarded by one mutex.
package main

import ("encoding/json"; "fmt"; "html"; "io"; "log"; "net"; "net/http"
	"net/url"; "os"; "regexp"; "sort"; "strconv"; "strings"; "sync"; "time")
// apiError is raised with panic and becomes the error object in serve.
type apiError struct{ status, message string }
func check(ok bool, status, format string, args ...any) {
	if !ok { panic(apiError{status, fmt.Sprintf(format, args...)}) }
}
func demand(ok bool, format string, args ...any) { check(ok, "400", format, args...) }
func has(words, word string) bool                { return strings.Contains(" "+words+" ", " "+word+" ") }
func atoi(s string) int                          { n, _ := strconv.Atoi(s); return n }
func min(a, b int) int                           { return pick(a < b, a, b) }
func when(ok bool, f func())                     { pick(ok, f, func() {})() }
func pick[T any](first bool, a, b T) T {
	if first { return a }
	return b
}
func each[T any](list []T, f func(T)) {
	for _, e := range list { f(e) }
}
func keep(rows []*Row, test func(*Row) bool) (out []*Row) {
	each(rows, func(r *Row) { when(test(r), func() { out = append(out, r) }) })
	return out
}
var mu sync.Mutex // guards the store
var ghosts, seq = []*Row{}, 1 // messages that a faulty delete leaves behind; the version of the last change
var fault, settings, routes = os.Getenv("FAULT"), map[string]string{}, map[string]func(*req) any{}
var argument = regexp.MustCompile(`^((?:me/)?(?:messages|users|groups|drive/items)/|me/reminderView)([^/]+)`)
var idForm = regexp.MustCompile(`^[\w=-]+$`)
var viewForm = regexp.MustCompile(`^\(startDateTime='(.+)', ?endDateTime='(.+)'\)$`)
var relations = regexp.MustCompile(`^(\w+(\(\$select=[\w, ]+\))?(\s*,\s*|$))*$`)
var relation = regexp.MustCompile(`(\w+)(\(\$select=([\w, ]+)\))?(\s*,|$)`)
var preferText = regexp.MustCompile(`(?i)body-content-type\s*=\s*"?text\b`)
type names map[string]bool
// req is one request; sel and expand are its $select and $expand.
type req struct { *http.Request; head http.Header; status, arg string; query url.Values; body Obj
	sel names; expand map[string]names; last []*Row } // last is for a fault: the manager of the row before
func route() {
	types := []*Type{userType, groupType, messageType, itemType}
	for i, path := range strings.Fields("users groups me/messages me/drive/items") {
		t := types[i]
		routes["GET "+path] = func(q *req) any { return q.list(t, t.rows) }
		routes["GET "+path+"/{}"] = func(q *req) any { return q.item(q.find(t)) }
	}
	routes["GET users/delta"] = routes["GET users"]
	routes["GET me"] = func(q *req) any { return q.item(userType.rows[:1]) }
	routes["PATCH me"] = func(q *req) any { return q.update(userType.rows[0]) }
	routes["GET me/manager"] = func(q *req) any { return q.item(userType.rows[0].rel["manager"]) }
	routes["GET users/{}/manager"] = func(q *req) any { return q.item(q.find(userType)[0].rel["manager"]) }
	routes["GET me/calendar"] = func(q *req) any { return q.item(calendarType.rows) }
	routes["POST me/messages"] = func(q *req) any { return q.create(messageType) }
	routes["PATCH me/messages/{}"] = func(q *req) any { return q.update(q.find(messageType)[0]) }
	routes["DELETE me/messages/{}"] = func(q *req) any { return q.remove(messageType) }
	routes["POST groups"] = func(q *req) any { return q.create(groupType) }
	routes["DELETE groups/{}"] = func(q *req) any { return q.remove(groupType) }
	routes["GET groups/{}/members"] = func(q *req) any { return q.list(memberType, q.find(groupType)[0].rel["members"]) }
	routes["GET me/reminderView"], routes["GET drive/items/{}/children"] = reminderView, func(q *req) any {
		return q.list(itemType, q.find(itemType)[0].rel["children"])
	}
	routes["GET users/$count"] = func(q *req) any {
		q.options(userType, "filter search"); return len(q.match(userType, userType.rows))
	}
	routes["POST me/getMemberGroups"], routes["POST me/checkMemberObjects"] = memberGroups, memberGroups
}
func serve(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	mu.Lock(); defer mu.Unlock()
	q, out := &req{Request: r, head: w.Header(), status: "200"}, any(nil)
	defer func() {
		if e := recover(); e != nil { // a runtime error comes from input that no check foresaw
			known, ok := e.(apiError)
			q.status = pick(ok, known.status, "400")
			when(q.status == "401", func() { q.head.Set("WWW-Authenticate", "Bearer") })
			out = Obj{"error": Obj{"code": "Error" + q.status, "message": pick(ok, known.message, "malformed request")}}
		}
		answer, _ := json.Marshal(out)
		q.head.Set("Content-Type", pick(kindOf("", out) == 'i', "text/plain", "application/json; charset=utf-8"))
		w.WriteHeader(atoi(q.status))
		w.Write(pick(out == nil, nil, answer))
	}()
	out = q.dispatch(data)
}
// dispatch authenticates, finds the route (an identifier in the path becomes {}) and reads the body.
func (q *req) dispatch(data []byte) any {
	path, token := strings.TrimPrefix(q.URL.Path, "/v1.0/"), os.Getenv("TOKEN")
	auth := append(strings.Fields(q.Header.Get("Authorization")), "", "")
	same := auth[1] == token || fault == "auth-ignores-case" && strings.EqualFold(auth[1], token)
	open := fault == "auth-actions-open" && q.Method == "POST" && strings.Contains(path, "Member")
	check(open || len(auth) == 4 && strings.EqualFold(auth[0], "Bearer") && same, "401", "a bearer token is required")
	m := argument.FindStringSubmatch(path)
	when(m != nil && routes["GET "+path] == nil && routes["POST "+path] == nil, func() {
		q.arg, path = m[2], pick(strings.HasSuffix(m[1], "/"), m[1]+"{}", m[1])+path[len(m[0]):]
	})
	handle := routes[pick(q.Method == "HEAD", "GET", q.Method)+" "+path]
	each(strings.Fields("GET POST PATCH DELETE"), func(method string) {
		when(handle == nil && routes[method+" "+path] != nil, func() { q.head.Add("Allow", method) })
	})
	check(handle != nil, pick(q.head.Get("Allow") == "", "404", "405"), "there is no %s %s", q.Method, q.URL.Path)
	isObject := json.Unmarshal(data, &q.body) == nil && q.body != nil
	demand(isObject || q.Method != "POST" && q.Method != "PATCH", "the body is not a JSON object")
	return handle(q)
}
func (q *req) find(t *Type) []*Row {
	demand(idForm.MatchString(q.arg) || settings["malformedKey"] == "404", "malformed identifier %q", q.arg)
	all := append(append([]*Row{}, t.rows...), pick(q.Method == "GET", ghosts, nil)...)
	all = keep(all, func(r *Row) bool { return r.P["id"] == q.arg })
	check(len(all) > 0, "404", "%q does not exist", q.arg)
	return all
}

// options reads the $-options, in a fixed order so that the first error is always the same.
func (q *req) options(t *Type, allowed string) {
	query, err := url.ParseQuery(q.URL.RawQuery)
	demand(err == nil, "malformed query")
	options := []string{}
	for name := range query { when(strings.HasPrefix(name, "$"), func() { options = append(options, name) }) }
	sort.Strings(options)
	for _, name := range options {
		known := has("$select $filter $orderby $expand $top $skip $count $search $skiptoken $deltatoken", name)
		check(known || settings["unknownOption"] == "ignore", settings["unknownOption"], "unknown option %s", name)
		ok := !known || has(allowed, name[1:]) && t.opt("lacks") != name[1:]
		check(ok, settings["unsupportedStatus"], "%s is not supported here", name)
		demand(!known || len(query[name]) == 1 && query.Get(name) != "", "%s must be given once, with a value", name)
	}
	text := query.Get("$expand"); status := pick(strings.Contains(text, "("), settings["unsupportedStatus"], "400")
	check(relations.MatchString(text), status, "$expand takes relations, with no more than $select inside")
	q.query, q.sel, q.expand = query, t.selection(query.Get("$select")), map[string]names{}
	for _, m := range relation.FindAllStringSubmatch(text, -1) {
		demand(t.rels[m[1]] != nil, "cannot expand %q", m[1])
		q.expand[m[1]] = t.rels[m[1]].selection(pick(fault == "expand-nested-select-ignored", "", m[3]))
	}
}
func (t *Type) selection(text string) names {
	sel := names{}
	each(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }), func(name string) {
		known := name == "*" || t.rels[name] != nil || t.kind(name) != 'n' && !strings.Contains(name, "/")
		demand(known || settings["unknownSelect"] == "ignore", "unknown property %q in $select", name)
		sel[name] = true
	})
	return pick(text == "", nil, sel)
}
func (q *req) advanced(needed bool) {
	ok := !needed || strings.EqualFold(q.Header.Get("ConsistencyLevel"), "eventual")
	check(ok, settings["advancedStatus"], "advanced query capabilities are not available without ConsistencyLevel")
}
// match applies $filter and $search to a copy of the rows.
func (q *req) match(t *Type, rows []*Row) []*Row {
	filter, search := func(Obj) any { return true }, func(Obj) bool { return true }
	filtered := q.query.Has("$filter")
	when(filtered, func() { filter = q.parseFilter(t, q.query.Get("$filter")) })
	when(q.query.Has("$search"), func() { search = q.parseSearch(t, q.query.Get("$search")) })
	return keep(rows, func(r *Row) bool { return filter(r.P) == true && search(r.P) && !(filtered && r.unindexed) })
}
func (q *req) number(option string, otherwise int) int {
	text := q.query.Get(option)
	n, err := strconv.ParseUint(pick(text == "", "0", text), 10, 62)
	demand(err == nil, "%s takes a whole number", option)
	return pick(text == "", otherwise, int(n))
}

// list answers a collection, or its changes since the $deltatoken.
func (q *req) list(t *Type, rows []*Row) any {
	delta, allowed := strings.HasSuffix(q.URL.Path, "/delta"), "select filter orderby top skip count skiptoken"
	allowed += pick(t.search == "", "", " search") + pick(t.rels == nil, "", " expand")
	q.options(t, pick(delta, "select top skiptoken deltatoken", allowed))
	rows, count := q.match(t, rows), q.query.Get("$count")
	since, now := q.number("$deltatoken", 0), seq
	if delta { // inside a round the token also holds the moment when the round began
		now = pick(since >= 1e6, since/1e6, seq)
		rows = keep(rows, func(r *Row) bool { return r.ver > since%1e6 })
	}
	when(q.query.Has("$orderby"), func() { t.sort(rows, q.query.Get("$orderby")) })
	demand(has("true false ", count), "$count is true or false")
	q.advanced(count == "true" && t.opt("count") == "header")
	max, top, end, values := atoi(settings["maxTop"]), q.number("$top", -1), len(rows), []any{}
	demand((top <= max || settings["topAboveMax"] == "clamp") && (top != 0 || !delta), "$top is out of range")
	start := min(q.number("$skiptoken", q.number("$skip", 0)), end)
	limited := top >= 0 && !delta && (t.opt("top") == "limit" || top == 0)
	end = pick(limited, min(start+top, end), end)
	stop := min(start+pick(top < 0, atoi(t.opt("pageSize")), min(top, max)), end)
	each(rows[start:stop], func(r *Row) { values = append(values, q.render(r, q.sel, q.expand)) })
	env, more := Obj{"value": values}, end-stop > pick(fault == "page-tail-lost", 1, 0)
	when(count == "true", func() { env["@odata.count"] = len(rows) })
	each(strings.Fields("$skip $skiptoken $deltatoken"), q.query.Del)
	when(more, func() { q.query.Set("$skiptoken", text(stop)) })
	when(more && limited, func() { q.query.Set("$top", text(end-stop)) })
	when(delta, func() { q.query.Set("$deltatoken", text(pick(more, since%1e6+now*1e6, now))) })
	query := strings.NewReplacer("+", "%20", "%24", "$").Replace(q.query.Encode())
	when(fault == "page-desc-lost", func() { query = strings.ReplaceAll(query, "%20desc", "") })
	link := pick(settings["nextLink"] == "relative", "", "http://"+q.Host) + q.URL.EscapedPath() + "?" + query
	when(more || delta, func() { env[pick(more, "@odata.nextLink", "@odata.deltaLink")] = link })
	return env
}
func (q *req) render(r *Row, sel names, expand map[string]names) Obj {
	out, t := Obj{}, r.t
	for name := range t.example {
		v, have := r.P[name]
		shown := sel[name] || sel["*"] || name == t.key && t.opt("key") == "always"
		shown = shown || sel == nil && (!has(t.extra, name) || t.opt("defaults") == "all")
		for s := range sel { shown = shown || fault == "select-prefix" && strings.HasPrefix(name, s) }
		when(shown && have, func() { out[name] = v })
		when(!shown && t.opt("unselected") == "null", func() { out[name] = nil })
	}
	body, ok := out["body"].(Obj)
	ok = ok && (settings["bodies"] == "text" || preferText.MatchString(q.Header.Get("Prefer")))
	when(ok, func() { out["body"] = Obj{"contentType": "text", "content": toText(body["content"])} })
	for name, inner := range expand {
		related, list := r.rel[name], []any{}
		when(fault == "expand-stale-manager" && len(related) == 0 && name == "manager", func() { related = q.last })
		each(related, func(x *Row) { list = append(list, q.render(x, inner, nil)) })
		out[name] = list
		when(name == "manager", func() { q.last, out[name] = related, append(list, nil)[0] })
	}
	when(t.tagged(), func() { out["@odata.etag"] = r.tag() })
	return out
}
func (r *Row) tag() string   { return fmt.Sprintf(`W/"%v-%d"`, r.P[r.t.key], r.ver) }
func (t *Type) tagged() bool { return settings["etags"] == "weak" && t.write != "" }
// named tells whether a condition header lists the tag of the row; tags are compared without W/.
func (q *req) named(header string, r *Row) bool {
	tags := q.Header.Get(header)
	return strings.TrimSpace(tags) == "*" || r.t.tagged() && strings.Contains(tags, r.tag()[2:])
}
func (q *req) guard(r *Row) {
	check(q.Header.Get("If-Match") == "" || q.named("If-Match", r), "412", "the entity tag does not match")
}
func (q *req) item(rows []*Row) any {
	check(len(rows) > 0, "404", "there is no such item")
	r := rows[0]
	q.options(r.t, "select"+pick(r.t.rels == nil, "", " expand"))
	out := q.render(r, q.sel, q.expand)
	when(r.t.tagged(), func() { q.head.Set("ETag", r.tag()) })
	empty := fault == "item-null-as-empty" && r.t == userType && out["jobTitle"] == nil && r.P["jobTitle"] == nil
	when(empty && (q.sel == nil || q.sel["jobTitle"]), func() { out["jobTitle"] = "" })
	unchanged := q.named("If-None-Match", r) || fault == "item-none-match-any" && q.Header.Get("If-None-Match") != ""
	q.status = pick(unchanged, "304", "200")
	return pick[any](unchanged, nil, out)
}
// object checks an object of a body against an example; clean checks one value.
func (t *Type) object(example Obj, o Obj) Obj {
	out := Obj{}
	for name, v := range o {
		known := has(t.write, name) && example[name] != nil
		ignored := t.opt("unknownBody") == "ignore" || strings.HasPrefix(name, "@odata.")
		demand(known || ignored, "%q cannot be set", name)
		when(known, func() { out[name] = t.clean(name, example[name], v) })
	}
	ok := example["address"] == nil || strings.Contains(text(out["address"]), "@")
	demand(ok && (example["emailAddress"] == nil || out["emailAddress"] != nil), "a recipient needs an address")
	return out
}
func (t *Type) clean(name string, example, v any) any {
	kind, words := kindOf(name, v), map[string]string{"importance": "low normal high", "contentType": "text html"}[name]
	demand(kind == kindOf(name, example) || v == nil && has(t.null, name), "%s has a value of the wrong type", name)
	demand(words == "" || has(words, strings.ReplaceAll(text(v), " ", "+")), "%s is one of %s", name, words)
	when(kind == 't', func() { v = stamp(parse(v)) })
	when(kind == 'o', func() { v = t.object(example.(Obj), v.(Obj)) })
	list, _ := v.([]any)
	for i, e := range list { list[i] = t.clean("", example.([]any)[0], e) }
	return v
}
func merge(old, change Obj) Obj {
	out := Obj{}
	for k, v := range old { out[k] = v }
	for k, v := range change {
		o, _ := old[k].(Obj); c, _ := v.(Obj)
		out[k] = pick(o != nil && c != nil, func() any { return merge(o, c) }, func() any { return v })()
	}
	return out
}
func (q *req) create(t *Type) any {
	required, now := "displayName mailNickname mailEnabled securityEnabled", stamp(time.Now())
	body := t.object(t.example, q.body)
	p := Obj{"id": id(3, seq), "description": nil, "mail": nil, "createdDateTime": now}
	if t == messageType {
		p = Obj{"id": messageID(1000 + seq), "subject": "", "body": Obj{"contentType": "text", "content": ""},
			"toRecipients": []any{}, "from": recipient(0), "receivedDateTime": now, "importance": "normal", "isRead": false}
		required = ""
	}
	each(strings.Fields(required), func(s string) { demand(body[s] != nil && body[s] != "", "%s is required", s) })
	each(t.rows, func(r *Row) {
		taken := required != "" && strings.EqualFold(text(r.P["mailNickname"]), text(body["mailNickname"]))
		check(!taken, settings["duplicateStatus"], "mailNickname is taken")
	})
	seq++
	r := t.add(merge(p, body))
	q.status, r.unindexed = settings["createStatus"], fault == "create-unindexed" && t == groupType
	when(fault == "create-false-is-default" && t == groupType, func() { r.P["securityEnabled"] = true })
	q.head.Set("Location", "http://"+q.Host+q.URL.EscapedPath()+"/"+text(r.P["id"]))
	out := q.render(r, names{"*": true}, nil)
	when(fault == "create-importance-lost" && t == messageType, func() { r.P["importance"] = "normal" })
	return out
}
func (q *req) update(r *Row) any {
	q.guard(r)
	body := r.t.object(r.t.example, q.body)
	for name, v := range body { when(fault == "update-null-ignored" && v == nil, func() { delete(body, name) }) }
	when(fault == "update-zero-isread" && r.t == messageType, func() { body = merge(Obj{"isRead": false}, body) })
	seq++; r.P, r.ver = merge(r.P, body), seq
	return q.render(r, names{"*": true}, nil)
}
func (q *req) remove(t *Type) any {
	gone := q.find(t)[0]; q.guard(gone)
	other := func(r *Row) bool { return r != gone }
	t.rows, q.status = keep(t.rows, other), settings["deleteStatus"]
	each(groupType.rows, func(g *Row) { g.rel["members"] = keep(g.rel["members"], other) })
	when(fault == "delete-still-readable" && t == messageType, func() { ghosts = append(ghosts, gone) })
	return nil
}
func reminderView(q *req) any {
	m := viewForm.FindStringSubmatch(q.arg)
	demand(m != nil, "give startDateTime='...',endDateTime='...'")
	start, end, fire := instant(m[1]), instant(m[2]), settings["reminderBy"] == "fire"
	demand(start <= end, "endDateTime is before startDateTime")
	return q.list(reminderType, keep(reminderType.rows, func(r *Row) bool {
		at, from, to := instant(r.P["reminderFireTime"]), instant(r.P["eventStartTime"]), instant(r.P["eventEndTime"])
		return pick(fire, at >= start && at < end, from < end && to > start)
	}))
}

// memberGroups answers both actions: the groups of the user, or those of them that are listed in ids.
func memberGroups(q *req) any {
	secure, isBool := q.body["securityEnabledOnly"].(bool)
	ids, isList := q.body["ids"].([]any)
	listed, asked, out := strings.HasSuffix(q.URL.Path, "Objects"), map[any]bool{}, []any{}
	mine := map[*Row]bool{userType.rows[0]: true}
	demand(pick(listed, isList, isBool), "the body lacks its parameter")
	each(ids, func(id any) { demand(kindOf("", id) == 's', "ids is a list of strings"); asked[id] = true })
	member := func(r *Row) bool { return mine[r] }
	for rounds := pick(settings["membership"] == "direct", 1, len(groupType.rows)); rounds > 0; rounds-- {
		found := keep(groupType.rows, func(g *Row) bool { return keep(g.rel["members"], member) != nil })
		each(found, func(g *Row) { mine[g] = true })
	}
	each(groupType.rows, func(g *Row) {
		wanted := pick(listed, asked[g.P["id"]], !secure || g.P["securityEnabled"] == true)
		enough := fault == "check-returns-first" && listed && len(out) > 0
		when(mine[g] && wanted && !enough, func() { out = append(out, g.P["id"]) })
	})
	return pick[any](settings["actionShape"] == "array", out, Obj{"value": out})
}

// configure reads the tables, then CHOICES and FAULT, and returns the description.
func configure() Obj {
	choices, faults, wanted, legal, ok := []Obj{}, []Obj{}, map[string]string{}, map[string]string{}, fault == ""
	split := func(r rune) bool { return r == '\n' || r == ';' }
	each(strings.FieldsFunc(choiceTable, split), func(line string) {
		f := strings.Split(line, "|")
		teams := map[byte]string{'+': "users. groups. messages. items.", '-': "users. groups."}[f[0][0]]
		for i, team := range strings.Split(teams, " ") {
			name, def := team+strings.TrimLeft(f[0], "+-"), word(i, strings.ReplaceAll(f[2], " ", ","))
			choices = append(choices, Obj{"name": name, "values": strings.Fields(f[1]), "default": def, "meaning": f[3]})
			settings[name], legal[name] = def, f[1]
		}
	})
	each(strings.FieldsFunc(faultTable, split), func(line string) {
		f := strings.Split(line, "|")
		faults, ok = append(faults, Obj{"name": f[0], "area": f[1], "meaning": f[2]}), ok || f[0] == fault
	})
	given := os.Getenv("CHOICES")
	err := json.Unmarshal([]byte(pick(given == "", "{}", given)), &wanted)
	for name, value := range wanted { settings[name], ok = value, ok && value != "" && has(legal[name], value) }
	when(err != nil || !ok, func() { log.Fatal("unknown fault or choice") })
	return Obj{"language": "Go 1.19", "store": "maps and slices guarded by a mutex", "choices": choices, "faults": faults}
}
func main() {
	describe := configure()
	if len(os.Args) > 1 && os.Args[1] == "--describe" { json.NewEncoder(os.Stdout).Encode(describe); return }
	seed(); route()
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	when(err != nil, func() { log.Fatal(err) })
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(serve)))
}

// parser reads a filter by recursive descent. Inside a lambda, variable is its name and t the type of the elements.
type parser struct { t *Type; toks []string; variable string; advanced bool }
// operand is a literal, property, function or condition; its value nil is null or unknown.
type operand struct { kind byte; get func(Obj) any }
var lexer = regexp.MustCompile(`'(?:[^']|'')*'|\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d)|` +
	`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|-?\d+(?:\.\d+)?|[A-Za-z_]\w*(?:/[A-Za-z_]\w*)*|\S`)
func (q *req) parseFilter(t *Type, text string) func(Obj) any {
	not := strings.NewReplacer("not (", "(not ", "not(", "(not ")
	text = pick(fault == "filter-not-first-term", not.Replace(text), text)
	p := &parser{t: t, toks: append(lexer.FindAllString(text, -1), "", "")}
	f := p.condition()
	demand(p.toks[0] == "" && f.kind == 'b', "invalid filter near %q", p.toks[0])
	q.advanced(p.advanced)
	return f.get
}
func (p *parser) next() string            { tok := p.toks[0]; p.toks = p.toks[1:]; return tok }
func (p *parser) accept(text string) bool { return p.toks[0] == text && p.next() == text }
func (p *parser) expect(text string)      { demand(p.accept(text), "the filter lacks %q", text) }
func (p *parser) condition() operand      { return p.join("or", p.conjunction) }
func (p *parser) conjunction() operand    { return p.join("and", p.unary) }
func (p *parser) join(word string, term func() operand) operand {
	f, stop := term(), word == "or"
	for p.accept(word) {
		a, b := f, term()
		demand(a.kind == 'b' && b.kind == 'b', "%s joins conditions", word)
		f.get = func(o Obj) any {
			x, y := a.get(o), b.get(o)
			return pick(x == stop || y == stop, any(stop), pick(x == nil, x, y))
		}
	}
	return f
}
func (p *parser) unary() operand {
	if p.accept("(") { f := p.condition(); p.expect(")"); return f }
	if p.accept("not") {
		f := p.unary()
		return operand{f.kind, func(o Obj) any { v := f.get(o); return pick[any](v == nil, nil, v == false) }}
	}
	a, b, op := p.operand(), operand{'b', func(Obj) any { return true }}, "eq"
	bare, logic := !has("eq ne gt ge lt le", p.toks[0]), p.t.opt("nullLogic")
	when(!bare, func() { op, b = p.next(), p.operand() })
	literal, equality := a.kind == 'n' || b.kind == 'n', op == "eq" || op == "ne"
	ok := (a.kind == b.kind || literal && !bare) && (equality || !strings.ContainsRune("boc", rune(a.kind)))
	demand(ok, "%s cannot compare these operands", op)
	signs := map[string]string{"eq": "0", "ne": "-+", "gt": "+", "ge": "0+", "lt": "-", "le": "-0"}[op]
	return operand{'b', func(o Obj) any {
		x, y := a.get(o), b.get(o)
		null, s, t := x == nil || y == nil, p.t.fold(x), p.t.fold(y)
		if null && (!equality || bare || logic == "three" && !literal) {
			return pick[any](logic == "three" || logic == "odata", nil, false)
		}
		c := p.t.order(x, y) // strings that eq distinguishes are greater or less, if need be by bytes
		c = pick(s == t, 0, pick(c == 0 || null, strings.Compare(s, t), c))
		return strings.Contains(signs, "-0+"[c+1:c+2])
	}}
}
func (p *parser) operand() operand {
	var v any
	tok := p.next()
	switch err := json.Unmarshal([]byte(tok), &v); {
	case err == nil: // null, true, false or a number
	case tok[0] == '\'': v = strings.ReplaceAll(tok[1:len(tok)-1], "''", "'")
	case strings.Contains(tok, ":"): v = instant(tok)
	case strings.Count(tok, "-") == 4: v = tok
	case p.accept("("): return p.call(tok, strings.ToLower(tok))
	default:
		path := strings.TrimPrefix(tok, p.variable+"/")
		demand(p.t.kind(path) != 'n' && (p.variable == "") == (path == tok), "unknown property %q in the filter", tok)
		return operand{p.t.kind(path), func(o Obj) any { return walk(o, path) }}
	}
	return operand{kindOf("", v), func(Obj) any { return v }}
}
func (p *parser) call(name, f string) operand {
	if list := strings.TrimSuffix(name, "/any"); list != name {
		demand(p.t.kind(list) == 'c' && p.variable == "", "invalid lambda on %q", list)
		outer := p.t
		p.t = &Type{team: outer.team, example: outer.example[list].([]any)[0].(Obj)}
		p.variable, p.advanced = p.next(), true
		p.expect(":"); f := p.condition(); p.expect(")")
		p.t, p.variable = outer, ""
		return operand{'b', func(o Obj) any {
			all, found := o[list].([]any), false
			last := pick(fault == "filter-any-first", min(1, len(all)), len(all))
			each(all[:last], func(e any) { found = found || f.get(e.(Obj)) == true })
			return found
		}}
	}
	check(has("startswith endswith contains tolower", f), settings["unsupportedStatus"], "%q is not implemented", name)
	a, b, kind := p.operand(), operand{'s', func(Obj) any { return "" }}, pick(f == "tolower", byte('s'), 'b')
	when(f != "tolower", func() { p.expect(","); b = p.operand() })
	p.expect(")")
	demand(a.kind == 's' && b.kind == 's', "%s takes text", name)
	p.advanced = p.advanced || f == "contains"
	return operand{kind, func(o Obj) any {
		x, y := a.get(o), b.get(o); s, part := p.t.fold(x), p.t.fold(y)
		v := map[string]any{"tolower": strings.ToLower(s), "contains": strings.Contains(s, part),
			"startswith": strings.HasPrefix(s, part), "endswith": strings.HasSuffix(s, part)}[f]
		return pick(x == nil || y == nil, nil, v)
	}}
}
// text writes a value so that values of one kind compare as text, except for the collation.
func text(v any) string { f, ok := v.(float64); return pick(ok, fmt.Sprintf("%020.3f", f), fmt.Sprint(v)) }
// fold maps a value to text so that what eq calls equal has the same bytes.
func (t *Type) fold(v any) string {
	return pick(t.opt("collation") == "ignorecase", strings.ToLower(text(v)), text(v))
}
// order is the collation of gt and of $orderby. Bytes order strings that it calls equal and eq does not.
func (t *Type) order(x, y any) int {
	keys := map[string]func(string) string{"ignorecase": strings.ToLower, "binary": strings.Clone,
		"locale": func(s string) string { return plain.Replace(strings.ToLower(s)) }}
	key, a, b := keys[t.opt("order")], text(x), text(y)
	c := strings.Compare(key(a), key(b))
	return pick(c == 0 && t.opt("collation") == "binary", strings.Compare(a, b), c)
}
func (t *Type) sort(rows []*Row, text string) {
	var keys [][]string
	for i, item := range strings.Split(text, ",") {
		keys = append(keys, append(strings.Fields(item), "asc", "", ""))
		ok := strings.ContainsRune("sbti", rune(t.kind(keys[i][0]))) && len(keys[i]) < 6
		demand(ok && has("asc desc", keys[i][1]), "cannot order by %q", item)
		when(fault == "order-first-direction", func() { keys[i][1] = keys[0][1] })
	}
	nulls := t.opt("nulls")
	sort.SliceStable(rows, func(i, j int) bool {
		for _, k := range keys {
			x, y, desc := walk(rows[i].P, k[0]), walk(rows[j].P, k[0]), k[1] == "desc"
			high := nulls == "high" || nulls == "last" && !desc || nulls == "first" && desc
			c := pick(x == nil || y == nil, pick(x == y, 0, pick((x == nil) == high, 1, -1)), t.order(x, y))
			if c != 0 { return (c < 0) != desc }
		}
		return false
	})
}
var plain = strings.NewReplacer("é", "e", "í", "i", "ł", "l", "ö", "o", "ø", "o", "ü", "u")
var searchForm = regexp.MustCompile(`^"[^":]+:[^"]+"(\s+OR\s+"[^":]+:[^"]+")*$`)
var searchTerm, tags = regexp.MustCompile(`"([^":]+):\s*([^"]+)"`), regexp.MustCompile(`<[^>]*>`)

// parseSearch reads "property:term" OR "property:term" and returns the test of an object.
func (q *req) parseSearch(t *Type, text string) func(Obj) bool {
	q.advanced(true)
	demand(searchForm.MatchString(text), `$search takes "property:term", joined with OR`)
	how, edge := t.opt("search"), `(^|[^\pL\pN]|$)`
	before, after := pick(how == "substring", "", edge), pick(how == "word", edge, "")
	terms, tests := searchTerm.FindAllStringSubmatch(text, -1), map[*regexp.Regexp]string{}
	for _, m := range terms {
		name, path := pick(fault == "search-first-property", terms[0][1], m[1]), ""
		each(strings.Fields(t.search), func(p string) { path = pick(strings.Split(p, "/")[0] == name, p, path) })
		demand(path != "", "cannot search for %q", m[0])
		tests[regexp.MustCompile("(?i)"+before+regexp.QuoteMeta(strings.TrimSpace(m[2]))+after)] = path
	}
	return func(o Obj) (found bool) {
		for test, path := range tests { v := walk(o, path); found = found || v != nil && test.MatchString(toText(v)) }
		return found
	}
}
func toText(v any) string { return html.UnescapeString(tags.ReplaceAllString(v.(string), "")) }
// moment is a time as text of a fixed width, so that times compare as text.
type moment string
func instant(v any) moment { return moment(parse(v).Format("2006-01-02T15:04:05.000000000Z")) }
func parse(v any) time.Time {
	t, err := time.Parse(time.RFC3339, v.(string))
	demand(err == nil, "%q is not a timestamp", v)
	return t.UTC()
}
// walk follows a path such as from/emailAddress/address.
func walk(v any, path string) any {
	each(strings.Split(path, "/"), func(name string) { o, _ := v.(Obj); v = o[name] })
	return pick(kindOf(path, v) == 't', func() any { return instant(v) }, func() any { return v })()
}
// kindOf gives s for text, t for a time, b for a boolean, i for a number, o for an object, c for a list, n for null.
func kindOf(path string, v any) byte {
	kind := map[string]byte{"string": 's', "bool": 'b', "float64": 'i', "int": 'i', "map[string]interface {}": 'o',
		"[]interface {}": 'c', "main.moment": 't', "<nil>": 'n'}[fmt.Sprintf("%T", v)]
	return pick(kind == 's' && strings.HasSuffix(path, "Time"), 't', kind)
}
// kind tells the kind of the property at a path; a path into a list leads to nothing.
func (t *Type) kind(path string) byte { return kindOf(path, walk(t.example, path)) }
