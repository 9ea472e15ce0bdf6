import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.regex.*;
/** The service: options, routes, reads and writes. One Server object handles one request. */
public final class Server {
  static final class Problem extends RuntimeException {
    final int status;
    Problem(int status, String message) { super(message); this.status = status; }
  }
  // name;values, the default first;meaning. A star stands for users, groups, messages and items, each on its own.
  private static final String CHOICE_LIST = """
    *.pageSize;20|10|5;items on a page without $top / *.nullLogic;three|two;null compared / \
    *.equality;ignoreCase|binary;eq, ne, texts / *.order;ignoreCase|binary|locale;gt, ge, lt, le, $orderby / \
    *.countHeader;filtered|required|free;$count=true needs the header with $filter, always, never / \
    *.unselected;absent|null;other properties / *.key;always|selected;id not selected / \
    *.search;prefix|word|substring;match of a term / topMeaning;page|limit;$top sizes a page or limits all / \
    topMaximum;999|100|50;largest $top / topAboveMaximum;refuse|clamp;a larger $top / \
    nullOrder;lowest|highest|last;place of null in orders / nextLink;absolute|relative;form of links / \
    unknownOption;refuse|ignore;an unknown $-option / unknownSelect;refuse|ignore;undeclared name in $select / \
    unsupportedStatus;400|422|501;unsupported option / advancedStatus;400|403|422;without the header / \
    membersQuery;full|paging;their options / itemsQuery;full|paging;their options / createStatus;201|200;of a create / \
    deleteStatus;204|200;of a delete / duplicateStatus;409|400;mailNickname is taken / \
    unknownBody;refuse|ignore;unknown property / malformedKey;404|400;key of a wrong form / body;stored|text;without \
    Prefer / membership;transitive|direct;groups of me / reminderWindow;fireTime|eventStart|overlap;base of the view""";
  private static final String FAULT_LIST = """
    create-low-importance;create;low importance is stored as normal / create-latin1;create;only Latin-1 letters are \
    kept / create-id-from-count;create;ids are reused after a delete / patch-null-ignored;update;null in a PATCH is \
    ignored / patch-primitive-default;update;a message PATCH without isRead clears it / \
    delete-still-counted;delete;deleted items stay in @odata.count / expand-previous-row;expand;an empty relation \
    shows the one before / expand-nested-item;expand;nested $select is ignored on one item / item-seconds;item;one \
    message loses its fraction of a second / item-get-marks-read;item;reading a message sets isRead / \
    paging-full-last-page;paging;a full last page has a next link / paging-skip-again;paging;$skip is applied again on \
    the next page / auth-ignore-case;authentication;case of the token is ignored / \
    auth-count-open;authentication;users $count needs no token / filter-like-wildcard;filter;_ and % are wildcards in \
    texts / filter-any-first;filter;any looks at the first element only / order-later-desc;order;desc is ignored on \
    later keys / search-third-term;search;only two terms are searched / reminder-end-day;operation;the view runs to \
    the end of its last day / count-minus-skip;select-count;@odata.count leaves out the skipped items""";
  static final Pattern VIEW = Pattern.compile("\\((?=.*startDateTime='([^']+)')(?=.*endDateTime='([^']+)')[^,]*,.*\\)");
  static final Map<String, String> ALLOWED = Map.of("GET, PATCH", "me", "GET, POST", "me/messages|groups", "POST",
    "me/getMemberGroups|me/checkMemberObjects", "GET, PATCH, DELETE", "me/messages/<id>", "GET, DELETE", "groups/<id>",
    "GET", "(me/)?drive/items(/<id>(/children)?)?|users(/[^/]+(/manager)?)?|me/(calendar|manager|rem.*w)|.*>/members");
  static final String PAGED = "$select $top $skip $skiptoken", FLAT = PAGED + " $filter $orderby $count $search";
  static final Map<String, Row> DEFAULTS = Map.of("message", new Row("toRecipients", List.of(), "attachments",
    List.of(), "singleValueExtendedProperties", List.of(), "isRead", false, "importance", "normal", "body", new Row()),
    "body", new Row("contentType", "text", "content", ""), "attachment", new Row("isInline", false));
  private static final Map<String, String> PATTERNS = Map.of("string", "(?s).*", "label", "(?s).*\\S.*",
    "email", "[^@\\s]+@[^@\\s]+", "nickname", "[^@()\\\\\\[\\]\";:<>,\\s]{1,64}", "bodyType", "text|html",
    "importance", "low|normal|high", "time", "\\d{4}-.*T.*Z");
  private static final Map<String, Row> CHOICES = new LinkedHashMap<>();
  private static final Map<String, String> CHOSEN = new HashMap<>();
  private static final String FAULT = setting("FAULT", ""), TOKEN = setting("TOKEN", "token");
  private static final Data DATA = new Data();
  private static long created = 1000;
  static {
    for (String line : CHOICE_LIST.split(" / ")) {
      for (String owner : line.startsWith("*") ? List.of("users", "groups", "messages", "items") : List.of("")) {
        String[] c = line.replace("*", owner).split(";"), values = c[1].split("\\|");
        CHOICES.put(c[0], new Row("name", c[0], "values", List.of(values), "default", values[0], "meaning", c[2]));
        CHOSEN.put(c[0], values[0]);
      }
    }
  }
  private static String setting(String name, String other) {
    return Optional.ofNullable(System.getenv(name)).filter(v -> !v.isBlank()).orElse(other);
  }
  static boolean is(String choice, String value) { return value.equals(CHOSEN.get(choice)); }
  private static int number(String choice) { return Integer.parseInt(CHOSEN.get(choice)); }
  private static String related(String collection) { return collection.equals("groups") ? "" : " $expand"; }
  static boolean faulty(String name) { return FAULT.equals(name); }
  static Problem bad(String message) { return new Problem(400, message); }
  static Problem unsupported(String what) { return new Problem(number("unsupportedStatus"), "unsupported: " + what); }
  private static Data.Type type(String collection) { return Data.TYPES.get(collection.replaceAll("s$", "")); }
  private static String decode(String text) { return URLDecoder.decode(text, StandardCharsets.UTF_8); }
  static Instant instant(Object text) { return Instant.parse(text.toString()); }   // 400 if it cannot be read
  public static void main(String[] args) throws IOException {
    List<Row> faults = Arrays.stream(FAULT_LIST.split(" / ")).map(line -> line.split(";"))
      .map(f -> new Row("name", f[0], "area", f[1], "meaning", f[2])).toList();
    if (args.length > 0 && args[0].equals("--describe")) {
      System.out.println(Json.write(new Row("language", "Java 17", "store", "LinkedHashMaps",
        "choices", CHOICES.values(), "faults", faults)));
      return;
    }
    ((Row) Json.read(setting("CHOICES", "{}"))).forEach((name, v) -> {
      if (!((List<?>) CHOICES.get(name).get("values")).contains("" + v)) throw bad("no choice " + name + "=" + v);
      CHOSEN.put(name, "" + v);
    });
    if (faults.stream().noneMatch(f -> f.containsValue(FAULT)) && !FAULT.isEmpty()) throw bad("no fault " + FAULT);
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer http = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(setting("PORT", "0"))), 50);
    http.createContext("/", exchange -> new Server(exchange).run());
    http.setExecutor(Executors.newFixedThreadPool(16)); http.start();
    System.out.println("listening on http://127.0.0.1:" + http.getAddress().getPort());
  }
  private final HttpExchange http;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final Row previous = new Row();   // only for a fault
  private String id, body;
  private int status = 200;
  private Server(HttpExchange http) { this.http = http; }
  private void run() throws IOException {
    body = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8); String reply;
    try {
      synchronized (DATA) { reply = Json.write(answer(http.getRequestMethod())); }
    } catch (RuntimeException e) {   // what is not a Problem is a value that could not be read
      status = e instanceof Problem problem ? problem.status : 400;
      reply = Json.write(new Row("error", new Row("code", "Error" + status, "message", "" + e.getMessage())));
    }
    if (status == 401) http.getResponseHeaders().set("WWW-Authenticate", "Bearer");
    boolean empty = status == 204 || reply.equals("null") || http.getRequestMethod().equals("HEAD");
    String kind = reply.matches("\\d+") ? "text/plain" : "application/json";
    http.getResponseHeaders().set("Content-Type", kind + "; charset=utf-8");
    byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
    http.sendResponseHeaders(status, empty ? -1 : bytes.length);
    if (!empty) http.getResponseBody().write(bytes);
    http.close();
  }
  private String header(String name) { return Objects.requireNonNullElse(http.getRequestHeaders().getFirst(name), ""); }
  private Object answer(String method) {
    String raw = http.getRequestURI().getRawPath(), query = http.getRequestURI().getRawQuery();
    String[] auth = header("Authorization").split(" ", 2);
    boolean known = auth.length == 2 && auth[0].equalsIgnoreCase("Bearer")
      && (faulty("auth-ignore-case") ? auth[1].equalsIgnoreCase(TOKEN) : auth[1].equals(TOKEN));
    known |= faulty("auth-count-open") && raw.endsWith("$count");
    if (!known) throw new Problem(401, "a valid bearer token is required");
    Matcher path = Pattern.compile("/v1\\.0/(me/reminderView(?=$|\\()|.*)(.*)").matcher(decode(raw));
    Matcher key = Pattern.compile("(?<=(users|groups|messages|items)/)(?!(delta|\\$count)$)[^/]+")
      .matcher(path.matches() ? path.group(1) : "");
    id = key.find() ? key.group() : Data.ME; String route = key.replaceFirst("<id>");
    ALLOWED.forEach((methods, all) -> { if (route.matches(all)) http.getResponseHeaders().set("Allow", methods); });
    for (String pair : Objects.requireNonNullElse(query, "").split("&")) {
      String name = decode(pair.split("=", 2)[0]), value = pair.contains("=") ? decode(pair.split("=", 2)[1]) : "";
      boolean declared = List.of((FLAT + " $expand $deltatoken").split(" ")).contains(name);
      if (declared && options.put(name, value) != null) throw bad(name + " is given twice");
      if (!declared && name.startsWith("$") && is("unknownOption", "refuse")) throw bad("unknown option " + name);
    }
    Matcher named = Pattern.compile("(users|groups|messages|items)(/<id>)?$").matcher(route);
    String collection = route.endsWith("children") ? "items" : named.find() ? named.group(1) : "users";
    Collection<Row> all = DATA.stores.get(collection).values();
    String usable = (route.contains("items") && is("itemsQuery", "paging") ? PAGED : FLAT) + related(collection);
    boolean plain = !method.equals("GET") || route.matches("me/(calendar|reminderView)");
    if (plain && !options.isEmpty()) throw unsupported("query options on " + route);
    return switch (method + " " + route.replace("me/drive", "drive")) {
      case "GET me", "GET users/<id>", "GET groups/<id>", "GET me/messages/<id>", "GET drive/items/<id>" ->
        single(collection, find(collection, id));
      case "PATCH me", "PATCH me/messages/<id>" -> update(collection, find(collection, id));
      case "DELETE groups/<id>", "DELETE me/messages/<id>" -> delete(collection, find(collection, id));
      case "POST groups", "POST me/messages" -> create(collection);
      case "GET users", "GET groups", "GET me/messages", "GET drive/items" -> list(collection, collection, all, usable);
      case "GET drive/items/<id>/children" -> list("items", "items",
        all.stream().filter(i -> find("items", id).get("id").equals(i.get("@parent"))).toList(), usable);
      case "GET me/manager", "GET users/<id>/manager" ->
        single("users", find("users", Objects.requireNonNullElse(find("users", id).get("manager"), Data.guid(1, 0))));
      case "GET groups/<id>/members" -> list("groups", "members", find("groups", id) == null ? null
        : DATA.members.get(id).stream().map(DATA::member).toList(), is("membersQuery", "full") ? FLAT : PAGED);
      case "GET me/calendar" -> new Row("id", "AAMkCAL0001", "name", "Calendar", "color", "auto",
        "isDefaultCalendar", true, "canEdit", true, "owner", DATA.owner());
      case "GET users/delta" -> delta(all);
      case "GET users/$count" -> query("users", "users", "$filter $search").rows(all).size();
      case "GET me/reminderView" -> reminders(path.group(2));
      case "POST me/getMemberGroups", "POST me/checkMemberObjects" -> membership(route.endsWith("Groups"));
      default -> throw new Problem(http.getResponseHeaders().containsKey("Allow") ? 405 : 404, "no such operation");
    };
  }
  private Row find(String collection, Object key) {
    Row item = DATA.stores.get(collection).get(key);
    boolean good = key.toString().matches(collection.matches("users|groups") ? "[0-9a-fA-F-]{36}" : "\\w{8,}");
    if (item == null) throw new Problem(good ? 404 : number("malformedKey"), "no " + key + " in " + collection);
    return item;
  }
  private Query query(String profile, String type, String allowed) {
    for (String name : options.keySet()) if (!List.of(allowed.split(" ")).contains(name)) throw unsupported(name);
    Query q = new Query(type(type), profile, options);
    if (!options.getOrDefault("$count", "true").matches("true|false")) throw bad("$count is true or false");
    boolean counted = is(profile + ".countHeader", "required") || options.containsKey("$filter");
    counted &= "true".equals(options.get("$count")) && !is(profile + ".countHeader", "free");
    if (!counted && !q.advanced || header("ConsistencyLevel").equalsIgnoreCase("eventual")) return q;
    throw new Problem(number("advancedStatus"), "Advanced query capabilities are not available: no ConsistencyLevel");
  }
  private int amount(String option, int otherwise) {
    if (!options.getOrDefault(option, "0").matches("\\d{1,9}")) throw bad(option + " must be a number, 0 or more");
    return options.containsKey(option) ? Integer.parseInt(options.get(option)) : otherwise;
  }
  private Row list(String profile, String type, Collection<Row> source, String allowed) {
    Query q = query(profile, type, allowed);
    List<Row> rows = q.rows(source), ghosts = q.rows(DATA.stores.getOrDefault("deleted " + type, Map.of()).values());
    int skip = amount("$skip", 0), top = amount("$top", -1), max = number("topMaximum"), n = rows.size();
    if (top > max && is("topAboveMaximum", "refuse")) throw bad("$top is at most " + max);
    int end = top >= 0 && is("topMeaning", "limit") ? Math.min(n, skip + top) : n;
    int size = top < 0 ? number(profile + ".pageSize") : Math.min(top, max);
    int from = Math.min(amount("$skiptoken", skip), end), to = Math.min(end, from + size);
    int count = n + ghosts.size() - (faulty("count-minus-skip") ? Math.min(skip, n) : 0);
    Row out = new Row("@odata.context", "$metadata#" + type);
    if ("true".equals(options.get("$count"))) out.put("@odata.count", count);
    out.put("value", rows.subList(from, to).stream().map(row -> show(profile, type, row, q, true)).toList());
    boolean more = size > 0 && (to < end || faulty("paging-full-last-page") && to == from + size);
    if (more) out.put("@odata.nextLink", link("$skiptoken", to + (faulty("paging-skip-again") ? skip : 0)));
    return out;
  }
  private String link(String option, long position) {
    options.put(option, "" + position);
    StringJoiner query = new StringJoiner("&", http.getRequestURI().getRawPath() + "?", "");
    options.forEach((k, v) -> query.add(k + "=" + URLEncoder.encode(v, StandardCharsets.UTF_8).replace("+", "%20")));
    return (is("nextLink", "absolute") ? "http://" + header("Host") : "") + query;
  }
  private Row show(String profile, String kind, Row item, Query q, boolean list) {
    boolean member = kind.equals("members");
    Data.Type type = type(!member ? kind : item.containsKey("mailNickname") ? "groups" : "users");
    Row out = project(profile, type, item, q.select);
    if (member) out.put("@odata.type", "#microsoft.graph." + type.name());
    q.expand.forEach((relation, select) -> {
      Object value = item.get(relation);
      boolean lost = list && faulty("expand-previous-row") && (value == null || value.equals(List.of()));
      Object used = lost ? previous.getOrDefault(relation, value) : value; previous.put(relation, used);
      Set<String> nested = faulty("expand-nested-item") && !list ? null : select;
      Data.Type to = Data.TYPES.get(type.props().get(relation).kind());
      out.put(relation, used == null ? null : used instanceof List<?> many
        ? many.stream().map(one -> project(profile, to, (Row) one, nested)).toList()
        : project("users", to, find("users", used), nested));
    });
    return out;
  }
  private Row project(String profile, Data.Type type, Row item, Set<String> select) {
    Row out = new Row();
    for (Data.Prop p : type.props().values()) {
      if (p.relation() || !item.containsKey(p.name())) continue;
      boolean key = p.name().equals("id") && is(profile + ".key", "always");
      Object value = p.kind().equals("body") ? shown((Row) item.get(p.name())) : item.get(p.name());
      if (select == null || key || select.contains(p.name())) out.put(p.name(), value);
      else if (is(profile + ".unselected", "null")) out.put(p.name(), null);
    }
    return out;
  }
  private Row shown(Row stored) {
    Matcher m = Pattern.compile("body-content-type\\s*=\\s*\"?(text|html)\\b").matcher(header("Prefer"));
    boolean text = m.find() ? m.group(1).equals("text") : is("body", "text");
    if (!text || stored.get("contentType").equals("text")) return stored;
    return new Row("contentType", "text", "content", stored.get("content").toString().replaceAll("<[^>]*>", "")
      .replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ").replace("&amp;", "&"));
  }
  private Object single(String collection, Row item) {
    Query q = query(collection, collection, "$select" + related(collection));
    Row out = show(collection, collection, item, q, false);
    if (faulty("item-get-marks-read")) item.computeIfPresent("isRead", (k, v) -> true);
    if (faulty("item-seconds")) out.replaceAll((k, v) -> k.startsWith("rec") ? ("" + v).split("[.Z]")[0] + "Z" : v);
    return out;
  }
  private Object delta(Collection<Row> users) {
    // The version before this token's changes, and the version at the start of its round, if it has more pages.
    int token = amount("$deltatoken", 0), since = token / 100000;
    int start = token % 100000 == 0 ? (int) DATA.version : token % 100000;
    options.put("$deltatoken", "" + (since * 100000 + start));
    Row out = list("users", "users",
      users.stream().filter(user -> (long) user.get("@version") > since).toList(), "$select $skiptoken $deltatoken");
    options.remove("$skiptoken");
    if (!out.containsKey("@odata.nextLink")) out.put("@odata.deltaLink", link("$deltatoken", start * 100000L));
    return out;
  }
  private Object membership(boolean groups) {
    Row input = (Row) Json.read(body); Object asked = input.remove(groups ? "securityEnabledOnly" : "ids");
    boolean valid = groups ? asked instanceof Boolean
      : asked instanceof List<?> ids && ids.stream().allMatch(String.class::isInstance);
    if (!valid || !input.isEmpty() && is("unknownBody", "refuse")) throw bad("the body is not as declared");
    Set<String> mine = new LinkedHashSet<>();
    for (int i = 0; i < DATA.members.size(); i++) DATA.members.forEach((group, list) -> {
      boolean inner = is("membership", "transitive") && !Collections.disjoint(list, mine);
      if (inner || list.contains(Data.ME)) mine.add(group);
    });
    if (asked.equals(true)) mine.removeIf(group -> find("groups", group).get("securityEnabled").equals(false));
    return new Row("value", (groups ? mine : (List<?>) asked).stream().filter(mine::contains).toList());
  }
  private Object reminders(String arguments) {
    Matcher m = VIEW.matcher(arguments);
    if (!m.matches()) throw bad("startDateTime='...' and endDateTime='...' are both required and not empty");
    Instant start = instant(m.group(1)), end = instant(m.group(2));
    Instant stop = faulty("reminder-end-day") ? instant(m.group(2).substring(0, 10) + "T23:59:59Z") : end;
    String first = is("reminderWindow", "fireTime") ? "reminderFireTime" : "eventStartTime";
    String last = is("reminderWindow", "overlap") ? "eventEndTime" : first;
    return new Row("value", DATA.reminders.stream().filter(r -> instant(r.get(first)).isBefore(stop)
      && !instant(r.get(last)).isBefore(start)).toList());
  }
  private Object create(String collection) {
    boolean group = collection.equals("groups"); Row input = (Row) Json.read(body);
    String now = "" + Instant.ofEpochSecond(Instant.now().getEpochSecond()), nick = "" + input.get("mailNickname");
    if (!group) input.putIfAbsent("receivedDateTime", now);
    Row row = new Row("id", null); type(collection).props().keySet().forEach(name -> row.put(name, null));
    row.putAll(read(type(collection), input, true));
    if (faulty("create-latin1")) row.replaceAll((k, v) -> v instanceof String s
      ? new String(s.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1) : v);
    Map<String, Row> all = DATA.stores.get(collection);
    boolean taken = group && all.values().stream().anyMatch(g -> nick.equalsIgnoreCase("" + g.get("mailNickname")));
    if (taken) throw new Problem(number("duplicateStatus"), "mailNickname '" + nick + "' is taken");
    long n = faulty("create-id-from-count") ? all.size() + 1 : ++created;
    row.put("id", group ? Data.guid(2, n) : "AAMkAD%06d".formatted(n));
    if (group) DATA.members.put("" + row.get("id"), new ArrayList<>());
    ((List<?>) row.getOrDefault("attachments", List.of())).forEach(one -> ((Row) one).put("id", "ATT" + ++created));
    DATA.save(collection, row); Object out = project(collection, type(collection), row, null);
    if (faulty("create-low-importance")) row.computeIfPresent("importance", (k, v) -> v.equals("low") ? "normal" : v);
    status = number("createStatus"); return out;
  }
  private Object update(String collection, Row row) {
    Row input = (Row) Json.read(body);
    if (faulty("patch-null-ignored")) input.values().removeIf(Objects::isNull);
    Row changes = read(type(collection), input, false);
    if (faulty("patch-primitive-default") && collection.equals("messages")) changes.putIfAbsent("isRead", false);
    DATA.save(collection, merge(row, changes)); return project(collection, type(collection), row, null);
  }
  private static Row merge(Row old, Row changes) {
    changes.forEach((k, v) -> old.put(k, v instanceof Row inner && old.get(k) instanceof Row o ? merge(o, inner) : v));
    return old;
  }
  private Object delete(String collection, Row row) {
    DATA.stores.get(collection).remove(id); DATA.members.remove(id);
    DATA.members.values().forEach(list -> list.remove(id));
    if (faulty("delete-still-counted")) DATA.save("deleted " + collection, row);
    status = number("deleteStatus"); return null;
  }
  private static Row read(Data.Type type, Row in, boolean create) {   // checks a body against its type
    Row out = new Row();
    if (create) DEFAULTS.getOrDefault(type.name(), out).forEach(in::putIfAbsent);
    in.forEach((name, v) -> {
      Data.Prop p = type.props().get(name); boolean writable = p != null && p.writable() && (create || !p.relation());
      if (!writable && !name.startsWith("@") && is("unknownBody", "refuse")) throw bad(name + " cannot be written");
      if (!writable) return;
      if (v == null ? p.required() : p.list() != v instanceof List) throw bad(name + " is not valid");
      List<Object> many = new ArrayList<>();
      if (v instanceof List<?> list) for (Object one : list) many.add(value(p, one, true));
      out.put(name, v == null ? null : p.list() ? many : value(p, v, create));
    });
    type.props().values().stream().filter(p -> create && p.required() && !out.containsKey(p.name()))
      .forEach(p -> { throw bad(p.name() + " is required"); });
    return out;
  }
  private static Object value(Data.Prop p, Object v, boolean create) {
    String kind = p.kind(), pattern = PATTERNS.get(kind);
    if (Data.TYPES.containsKey(kind) && v instanceof Row row) return read(Data.TYPES.get(kind), row, create);
    boolean valid = pattern != null ? v instanceof String s && s.matches(pattern)
      : kind.equals("bool") ? v instanceof Boolean : kind.equals("int") && v instanceof Long;
    if (!valid || kind.equals("time") && instant(v) == null) throw bad(p.name() + " is not a valid " + kind);
    return v;
  }
}
final class Json {   // a small reader and writer of Row, ArrayList, String, Long, Double, Boolean and null
  private static final Pattern TOKEN = Pattern.compile("\\s*(\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|"
    + "\\\\u[0-9a-fA-F]{4})*+\"|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null|[\\[\\]{},:])\\s*");
  private final Matcher m;
  private int end;
  private Json(String text) { m = TOKEN.matcher(text); }
  static Object read(String text) {
    Json json = new Json(text); Object value = json.value(json.next(), 0);
    if (json.end < text.length()) throw Server.bad("the body has more than one JSON value");
    return value;
  }
  private String next() {
    if (!m.find() || m.start() != end) throw Server.bad("the body is not JSON at position " + end);
    end = m.end(); return m.group(1);
  }
  private Object value(String t, int depth) {
    if (t.startsWith("\"")) return unescape(t.substring(1, t.length() - 1));
    if (t.matches("true|false|null")) return t.equals("null") ? null : (Object) t.equals("true");
    if (t.matches("[-\\d].*")) return t.matches("-?\\d{1,18}") ? (Object) Long.valueOf(t) : (Object) Double.valueOf(t);
    if (depth > 50 || !t.matches("[\\[{]")) throw Server.bad("the body is not JSON at " + t);
    boolean object = t.equals("{"); Row row = new Row(); List<Object> list = new ArrayList<>();
    for (String token = next(); !token.equals(object ? "}" : "]"); token = next()) {
      if (!list.isEmpty() && !token.equals(",")) throw Server.bad("the body is not JSON at " + token);
      if (!list.isEmpty()) token = next();
      if (object && !(token.startsWith("\"") && next().equals(":"))) throw Server.bad("not a JSON key: " + token);
      list.add(value(object ? next() : token, depth + 1));
      if (object) row.put("" + value(token, 0), list.get(list.size() - 1));
    }
    return object ? row : list;
  }
  private static String unescape(String text) {
    return Pattern.compile("\\\\(?:u(....)|(.))").matcher(text).replaceAll(m -> Matcher.quoteReplacement(
      m.group(1) != null ? (char) Integer.parseInt(m.group(1), 16) + "" : "bfnrt".contains(m.group(2))
      ? "\b\f\n\r\t".charAt("bfnrt".indexOf(m.group(2))) + "" : m.group(2)));
  }
  static String write(Object value) {
    StringJoiner out = new StringJoiner(",", value instanceof Row ? "{" : "[", value instanceof Row ? "}" : "]");
    if (value instanceof Row row) row.forEach((k, v) -> out.add(write(k) + ":" + write(v)));
    if (value instanceof Iterable<?> many) many.forEach(one -> out.add(write(one)));
    if (!(value instanceof String text)) return "" + (value instanceof Row || value instanceof Iterable ? out : value);
    return "\"" + Pattern.compile("[\"\\\\\\x00-\\x1f]").matcher(text)
      .replaceAll(c -> Matcher.quoteReplacement("\\u%04x".formatted((int) c.group().charAt(0)))) + "\"";
  }
}
