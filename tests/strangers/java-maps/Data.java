import java.time.Instant;
import java.util.*;
/** Declared types and the invented organisation, all held in LinkedHashMaps. */
final class Data {
  record Prop(String name, String kind, boolean list, boolean writable, boolean required, boolean relation) {}
  record Type(String name, Map<String, Prop> props) {}
  static final Map<String, Type> TYPES = new LinkedHashMap<>();
  // name:kind or name:[kind]; + can be written, ! is never null, ^ is a relation (shown only when expanded)
  private static final String SCHEMA = """
    user id:string displayName:label+! givenName:string+ surname:string+ mail:email+ jobTitle:string+ \
    department:string+ officeLocation:string+ accountEnabled:bool+! assignedLicenses:[license] manager:user^
    group id:string displayName:label+! description:string+ mailEnabled:bool+! mailNickname:nickname+! \
    securityEnabled:bool+!/license skuId:string/recipient emailAddress:address+!/address name:string+ address:email+!
    message id:string subject:string+ body:body+! from:recipient+ toRecipients:[recipient]+! receivedDateTime:time+! \
    isRead:bool+! importance:importance+! attachments:[attachment]+!^ singleValueExtendedProperties:[extended]+!^
    body contentType:bodyType+! content:string+!/extended id:label+! value:string+!/folder childCount:int
    attachment id:string name:label+! contentType:string+ size:int+ isInline:bool+!/file mimeType:string
    item id:string name:string size:int webUrl:string file:file folder:folder thumbnails:[thumbnail]^
    thumbnail id:string small:image medium:image large:image/image url:string width:int height:int""";
  static {
    for (String line : SCHEMA.split("[/\n]")) {
      Map<String, Prop> props = new LinkedHashMap<>();
      for (String word : line.split(" ")) {
        String name = word.split(":")[0], k = word.substring(name.length());
        if (!k.isEmpty()) props.put(name, new Prop(name, k.replaceAll("\\W", ""), k.contains("["), k.contains("+"),
          k.contains("!"), k.contains("^")));
      }
      TYPES.put(line.split(" ")[0], new Type(line.split(" ")[0], props));
    }
    TYPES.put("member", new Type("member", new LinkedHashMap<>(TYPES.get("user").props())));   // a user or a group
    TYPES.get("member").props().putAll(TYPES.get("group").props());
  }
  static final String ME = guid(1, 4);
  private static final List<String> FIRST = words("Anna,Björn,Chloé,daniel,Élodie,GRACE,Håkan,Inés,Łukasz,Zoë");
  private static final List<String> LAST = words("Ångström,Brown,D'Angelo,de Vries,O'Brien,García,SMITH,smith,Okafor");
  private static final List<String> TITLES = words("Engineer,Senior Engineer,manager,Analyst,Chef de projet");
  private static final List<String> DEPARTMENTS = words("Engineering,Sales,Finance,R&D,legal,Legal");
  private static final List<String> TOPICS = words("Budget review,Release plan,budget question,Invoice 100% paid,"
    + "Résumé,Travel_request,Contract draft,Travel request,Team lunch");
  private static final List<String> GROUPS = words("All Staff,Engineering,Sales,sales emea,Finance,Équipe Paris,Admins,"
    + "Book Club,Project Ärmel,O'Brien's Team,Interns,Board");
  private static final List<String> FILES = words("report_2024.pdf,report-2024.pdf,Budget.xlsx,budget old.xlsx,Ü.docx");
  final Map<String, Map<String, Row>> stores = new LinkedHashMap<>();   // by collection and id
  final Map<String, List<String>> members = new LinkedHashMap<>();
  final List<Row> reminders = new ArrayList<>();
  long version;
  Data() {
    for (int i = 1; i <= 60; i++) {
      if (i <= 48) seedUser(i);
      if (i <= 12) seedGroup(i);
      if (i <= 27) seedItem(i);
      seedMessage(i);
      Instant start = Instant.parse("2024-06-03T08:30:00Z").plusSeconds(i / 3 * 86400L + i % 3 * 16200L);
      if (i <= 12) reminders.add(new Row("eventId", "AAMkEV%04d".formatted(i), "eventSubject", TOPICS.get(i % 9),
        "eventStartTime", "" + start, "eventEndTime", "" + start.plusSeconds(1800 + i % 2 * 1800),
        "reminderFireTime", "" + start.minusSeconds(900)));
    }
  }
  private void seedUser(int i) {
    int n = i == 31 ? 7 : i;   // user 31 has the same name as user 7
    String first = FIRST.get(n * 7 % 10), last = LAST.get((n * 5 + n / 9) % 9);
    List<Row> licenses = List.of(new Row("skuId", guid(9, i % 4)), new Row("skuId", guid(9, i % 4 + 1)));
    save("users", new Row("id", guid(1, i), "displayName", first + " " + last, "givenName", first, "surname", last,
      "mail", i % 13 == 6 ? null : i % 5 == 0 ? mail(i).toUpperCase() : mail(i),
      "jobTitle", i % 9 == 5 ? null : TITLES.get(i % 5), "department", i % 11 == 5 ? null : DEPARTMENTS.get(i % 6),
      "officeLocation", "%d/%d".formatted(1 + i % 4, 1100 + i * 7 % 40), "accountEnabled", i % 8 != 0,
      "assignedLicenses", licenses.subList(0, i % 3), "manager", i % 10 == 9 || i == 1 ? null : guid(1, 1 + i / 7)));
  }
  private void seedGroup(int i) {
    save("groups", new Row("id", guid(2, i), "displayName", GROUPS.get(i - 1), "mailEnabled", i % 2 == 0,
      "description", i % 4 == 0 ? null : "Group " + i, "mailNickname", "team-%02d".formatted(i),
      "securityEnabled", i % 3 != 0));
    List<String> list = new ArrayList<>();
    for (int k = i; k <= 48; k += 9) list.add(guid(1, k));
    if (i == 3 || i == 6) list.add(ME);
    if (i == 2 || i == 5 || i == 8) list.add(guid(2, i + 2));   // 4 inside 2, 7 inside 5, 10 inside 8
    members.put(guid(2, i), list);
  }
  private void seedMessage(int i) {
    List<Row> to = new ArrayList<>(), attached = new ArrayList<>();
    for (int k = 0; k <= i % 3; k++) to.add(recipient(1 + (i * 3 + k * 5) % 48));
    for (int k = 0; k < i % 5 - 2; k++) attached.add(new Row("id", "ATT%03d%d".formatted(i, k), "name",
      FILES.get((i + k) % 5), "contentType", "application/octet-stream", "size", 1000L * i + k, "isInline", false));
    Instant at = Instant.parse("2024-03-04T08:00:00Z").plusSeconds(i / 2 * 19000L);   // two messages in one second
    String text = TOPICS.get(i % 9) + ", part " + i + ".", kind = i % 3 == 0 ? "html" : "text";
    save("messages", new Row("id", "AAMkAD%06d".formatted(i), "body", new Row("contentType", kind, "content",
      i % 3 == 0 ? "<html><p>" + text + "</p></html>" : text), "from", i % 20 == 0 ? null : recipient(1 + i * 7 % 48),
      "toRecipients", to, "receivedDateTime", "" + at.plusMillis(i % 10 == 9 ? 0 : i % 4 * 250L * (i % 2)),
      "subject", TOPICS.get(i % 9) + (i % 4 == 0 ? "" : " " + i), "isRead", i % 2 == 0, "importance",
      List.of("normal", "high", "low").get(i % 3), "attachments", attached, "singleValueExtendedProperties",
      i % 4 != 0 ? List.of() : List.of(new Row("id", "String {" + guid(7, 1) + "} Name Color", "value", "Green"))));
  }
  private void seedItem(int i) {   // three folders, two folders in each, three files in every inner folder
    int parent = i <= 3 ? 0 : i <= 9 ? (i - 4) / 2 + 1 : (i - 10) / 3 + 4;
    String name = i <= 3 ? words("Documents,Pictures,archive").get(i - 1) : i <= 9 ? "Folder " + i : FILES.get(i % 5);
    Row item = new Row("id", "01ITEM%04d".formatted(i), "name", name, "size", i <= 9 ? 0L : 700L * i,
      "webUrl", "https://drive.contoso.example/" + i, "@parent", "01ITEM%04d".formatted(parent), "thumbnails",
      i % 4 == 0 || i <= 9 ? List.of() : List.of(new Row("id", "0", "small", image(96), "medium", image(176), "large",
      image(800))));
    if (i <= 9) item.put("folder", new Row("childCount", i <= 3 ? 2L : 3L));
    else item.put("file", new Row("mimeType", "application/" + name.split("\\.")[1]));
    save("items", item);
  }
  private static Row image(long w) { return new Row("url", "https://t.example/" + w, "width", w, "height", w * 3 / 4); }
  static Row recipient(int n) { return new Row("emailAddress", new Row("name", "User " + n, "address", mail(n))); }
  private static String mail(int user) { return "user%02d@contoso.example".formatted(user); }
  private static List<String> words(String text) { return List.of(text.split(",")); }
  static String guid(int area, long n) { return "%08x-5a3c-4e1d-9b7f-%012x".formatted(area * 0x10001000, n); }
  Row owner() { return new Row("name", member(ME).get("displayName"), "address", member(ME).get("mail")); }
  Row member(String id) { return stores.get(stores.get("users").containsKey(id) ? "users" : "groups").get(id); }
  void save(String collection, Row item) {
    item.put("@version", ++version);
    stores.computeIfAbsent(collection, c -> new LinkedHashMap<>()).put((String) item.get("id"), item);
  }
}
final class Row extends LinkedHashMap<String, Object> {   // an item, or any JSON object
  Row(Object... pairs) { for (int i = 0; i < pairs.length; i += 2) put((String) pairs[i], pairs[i + 1]); }
}
