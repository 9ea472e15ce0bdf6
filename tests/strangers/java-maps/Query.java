import java.text.Collator;
import java.util.*;
import java.util.function.Function;
import java.util.regex.*;
/** Compiles and checks the query options of one request. A condition that is null is SQL's UNKNOWN. */
final class Query {
  record Expr(String kind, Function<Object, Object> of) { Object on(Object o) { return of.apply(o); } }
  private static final Pattern TOKEN = Pattern.compile("\\s*('(?:[^']|'')*'|\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z"
    + "|-?\\d{1,15}(?![\\w.-])|[A-Za-z_][\\w/]*|[(),:])\\s*");
  private static final Pattern TERM = Pattern.compile("\\s*\"(\\w+):((?:[^\"\\\\]|\\\\.)+)\"(?:\\s+(OR)(?=\\s))?\\s*");
  private static final Pattern RELATION = Pattern.compile("\\s*(\\w+)(?:\\(\\s*\\$select=([^()=;]*)\\))?\\s*");
  private static final Pattern KEY = Pattern.compile("\\s*([\\w/]+)(?:\\s+(asc|desc))?\\s*");
  private final Data.Type type;
  private final String profile;
  private final List<String> tokens = new ArrayList<>();
  private int at, depth, keys;
  private String variable;   // of a lambda, while its inside is read
  private Data.Prop element;
  Set<String> select;
  final Map<String, Set<String>> expand = new LinkedHashMap<>();
  private Expr filter = new Expr("bool", o -> true), search = filter;
  private Comparator<Row> order = (a, b) -> 0;
  boolean advanced;
  Query(Data.Type type, String profile, Map<String, String> options) {
    this.type = type; this.profile = profile;
    options.forEach((name, text) -> {
      if (name.equals("$select")) select = select(type, text);
      if (name.equals("$expand")) for (String part : text.split(",(?![^()]*\\))", -1)) expand(RELATION.matcher(part));
      if (name.equals("$filter")) filter = filter(text);
      if (name.equals("$search")) search = search(text);
      if (name.equals("$orderby")) for (String part : text.split(",", -1)) order(KEY.matcher(part));
    });
  }
  List<Row> rows(Collection<Row> source) {
    return source.stream().filter(r -> Boolean.TRUE.equals(and(filter.on(r), search.on(r)))).sorted(order).toList();
  }
  private static Set<String> select(Data.Type type, String text) {
    Set<String> names = new LinkedHashSet<>(List.of(text.trim().split("\\s*,\\s*", -1)));
    boolean good = type.props().keySet().containsAll(names) || Server.is("unknownSelect", "ignore");
    if (!good || names.contains("")) throw Server.bad("$select takes properties of a " + type.name());
    return names;
  }
  private void expand(Matcher m) {
    Data.Prop p = m.matches() ? type.props().get(m.group(1)) : null;
    if (p == null || !p.relation()) throw Server.unsupported("this $expand of a " + type.name());
    expand.put(p.name(), m.group(2) == null ? null : select(Data.TYPES.get(p.kind()), m.group(2)));
  }
  private void order(Matcher m) {
    Expr key = m.matches() ? property(m.group(1)) : null;
    if (key == null || key.kind.equals("object")) throw Server.bad("$orderby takes simple properties");
    boolean down = (keys++ == 0 || !Server.faulty("order-later-desc")) && "desc".equals(m.group(2));
    boolean flip = Server.is("nullOrder", "last") || Server.is("nullOrder", "highest") != down;
    order = order.thenComparing((a, b) -> {
      Object x = key.on(a), y = key.on(b);
      if (x == null || y == null) return Boolean.compare(y == null, x == null) * (flip ? -1 : 1);
      return down ? compare(y, x) : compare(x, y);
    });
  }
  private Expr search(String text) {
    advanced = true; Expr all = new Expr("bool", o -> false); Matcher m = TERM.matcher(text);
    for (int end = 0, count = 1; end == 0 || m.group(3) != null || end < text.length(); end = m.end(), count++) {
      Data.Prop p = m.find() && m.start() == end ? type.props().get(m.group(1)) : null;
      if (p == null || m.group(2).isBlank() || p.relation() || !kind(p).equals("string")) {
        throw Server.bad("$search must be \"property:term\" of text properties, joined with OR");
      }
      if (count > 2 && Server.faulty("search-third-term")) continue;
      String term = fold(m.group(2).replaceAll("\\\\(.)", "$1").trim()); Expr before = all;
      all = new Expr("bool", o -> before.on(o).equals(true) || found(fold(((Row) o).get(p.name())), term));
    }
    return all;
  }
  private boolean found(String text, String term) {
    if (text == null || Server.is(profile + ".search", "substring")) return text != null && text.contains(term);
    String end = Server.is(profile + ".search", "word") ? "(?![\\p{L}\\p{N}])" : "";
    return Arrays.stream(term.split("[^\\p{L}\\p{N}]+")).allMatch(word ->
      Pattern.compile("(?<![\\p{L}\\p{N}])" + Pattern.quote(word) + end).matcher(text).find());
  }
  private Expr filter(String text) {
    Matcher m = TOKEN.matcher(text);
    for (int end = 0; end < text.length(); end = m.end()) {
      if (!m.find(end) || m.start() != end) throw Server.bad("$filter: syntax error at position " + end);
      tokens.add(m.group(1));
    }
    Expr all = chain(true);
    if (at < tokens.size()) throw Server.bad("$filter: unexpected '" + peek() + "'");
    return all;
  }
  private String peek() { return at < tokens.size() ? tokens.get(at) : ""; }
  private boolean take(String token) { return peek().equals(token) && at++ >= 0; }
  private String next(String pattern) {
    if (!peek().matches(pattern)) throw Server.bad("$filter: '" + peek() + "' is not expected here");
    return tokens.get(at++);
  }
  private Expr chain(boolean or) {
    Expr all = or ? chain(false) : comparison();
    while (take(or ? "or" : "and")) {
      Expr a = all, b = or ? chain(false) : comparison();
      all = new Expr("bool", o -> or ? not(and(not(a.on(o)), not(b.on(o)))) : and(a.on(o), b.on(o)));
    }
    return all;
  }
  private static Boolean not(Object a) { return a == null ? null : Boolean.valueOf(a.equals(false)); }
  private static Object and(Object a, Object b) {
    return a == null ? Boolean.FALSE.equals(b) ? b : null : a.equals(false) ? a : b;
  }
  private Expr comparison() {
    if (++depth > 200) throw Server.bad("$filter: too complex");
    if (take("not")) { Expr inner = comparison(); return new Expr("bool", o -> not(inner.on(o))); }
    int start = at; Expr a = peek().endsWith("/any") ? lambda(next(".*").replace("/any", "")) : value();
    if (tokens.get(start).matches("\\(|.*/any|(?i)contains|startswith|endswith")) return a;
    String op = next("eq|ne|gt|ge|lt|le"); Expr b = value();
    boolean withNull = a.kind.equals("null") || b.kind.equals("null"), equality = op.matches("eq|ne");
    if (!withNull && (!a.kind.equals(b.kind) || a.kind.equals("object"))) throw Server.bad("$filter: types differ");
    return new Expr("bool", o -> {
      Object x = a.on(o), y = b.on(o);
      if ((x == null || y == null) && !(equality && (withNull || unknown() != null))) return unknown();
      if (equality) return Objects.equals(text(x), text(y)) == op.equals("eq");
      int c = compare(x, y); return c == 0 ? op.endsWith("e") : c > 0 == op.startsWith("g");
    });
  }
  private Expr value() {
    String word = next("[^),:].*");
    if (word.equals("(")) { Expr inner = chain(true); next("\\)"); return inner; }
    if (peek().equals("(")) return call(word.toLowerCase(Locale.ROOT));
    if (word.startsWith("'")) return constant("string", word.substring(1, word.length() - 1).replace("''", "'"));
    if (word.matches("-?\\d+")) return constant("int", Long.valueOf(word));
    if (word.matches("\\d.*")) return constant("time", Server.instant(word));
    if (word.matches("true|false")) return constant("bool", word.equals("true"));
    return word.equals("null") ? constant("null", null) : property(word);
  }
  private static Expr constant(String kind, Object value) { return new Expr(kind, o -> value); }
  private Expr call(String name) {
    List<Expr> args = new ArrayList<>();
    while (next("[(,]|\\)").matches("[(,]")) args.add(value());
    boolean strings = args.stream().allMatch(arg -> arg.kind.equals("string")); advanced |= name.equals("contains");
    if (strings && (name + args.size()).equals("tolower1")) return new Expr("string", o -> fold(args.get(0).on(o)));
    if (!strings || !(name + args.size()).matches("(starts|ends)with2|contains2")) throw Server.bad("$filter: " + name);
    return new Expr("bool", o -> {
      String a = (String) text(args.get(0).on(o)), b = (String) text(args.get(1).on(o));
      if (a == null || b == null) return unknown();
      if (Server.faulty("filter-like-wildcard")) {
        String like = "\\Q" + b.replace("_", "\\E.\\Q").replace("%", "\\E.*\\Q") + "\\E";
        return a.matches((name.startsWith("s") ? "(?s)" : "(?s).*") + like + (name.startsWith("e") ? "" : ".*"));
      }
      return name.equals("contains") ? a.contains(b) : name.equals("endswith") ? a.endsWith(b) : a.startsWith(b);
    });
  }
  private Expr lambda(String path) {
    advanced = true; element = variable == null ? type.props().get(path) : null;
    if (element == null || !element.list()) throw Server.bad("$filter: '" + path + "' is not a collection");
    next("\\("); variable = next("\\w+"); next(":"); Expr inner = chain(true); next("\\)"); variable = null;
    return new Expr("bool", o -> {
      Object none = true; int left = Server.faulty("filter-any-first") ? 1 : Integer.MAX_VALUE;
      for (Object one : (List<?>) ((Row) o).get(path)) if (left-- > 0) none = and(none, not(inner.on(one)));
      return not(none);
    });
  }
  private static String kind(Data.Prop p) {
    return Data.TYPES.containsKey(p.kind()) ? "object" : p.kind().matches("bool|int|time") ? p.kind() : "string";
  }
  private Expr property(String path) {
    List<String> parts = new ArrayList<>(List.of(path.split("/")));
    boolean outside = variable != null && !parts.remove(0).equals(variable);
    Data.Type in = variable == null ? type : Data.TYPES.get(element.kind()); Data.Prop p = element;
    for (String part : parts) {
      p = in == null || outside ? null : in.props().get(part);
      if (p == null || p.list() || p.relation()) throw Server.bad("'" + path + "' is not a property to compare");
      in = Data.TYPES.get(p.kind());
    }
    String kind = kind(p);
    return new Expr(kind, o -> {
      for (String part : parts) o = o instanceof Row row ? row.get(part) : null;
      return o != null && kind.equals("time") ? Server.instant(o) : o;
    });
  }
  private Boolean unknown() { return Server.is(profile + ".nullLogic", "three") ? null : Boolean.FALSE; }
  private static String fold(Object text) { return text == null ? null : text.toString().toLowerCase(Locale.ROOT); }
  Object text(Object s) { return !(s instanceof String) || Server.is(profile + ".equality", "binary") ? s : fold(s); }
  @SuppressWarnings({"unchecked", "rawtypes"})
  private int compare(Object a, Object b) {
    if (!(a instanceof String) || Server.is(profile + ".order", "binary")) return ((Comparable) a).compareTo(b);
    boolean locale = Server.is(profile + ".order", "locale");
    return locale ? Collator.getInstance(Locale.ENGLISH).compare(a, b) : fold(a).compareTo(fold(b));
  }
}
