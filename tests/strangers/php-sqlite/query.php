<?php
// OData expressions to SQL. Rows are JSON documents in the column t.doc.
declare(strict_types=1);

final class Refusal extends Exception {}
/** Ends the request with an error answer; used as "condition or refuse(...)". */
function refuse(string $message, int $status = 400): never { throw new Refusal($message, $status); }

/** PHP functions and collations that the SQL below uses. */
final class SqlText {
    public static function install(PDO $db): void {
        $base = array_combine(mb_str_split('áàâäãåçéèêëíîïñóôöõøúùûüłš'), str_split('aaaaaaceeeeiiinooooouuuuls'));
        $plain = fn (string $a): string => strtr(mb_strtolower($a), $base);
        $ci = fn (string $a, string $b): int => strcmp(mb_strtolower($a), mb_strtolower($b));
        $exact = fn (string $a, string $b): int => $ci($a, $b) ?: strcmp($a, $b);
        $db->sqliteCreateCollation('ci', $ci);
        $db->sqliteCreateCollation('ci_exact', $exact);
        $db->sqliteCreateCollation('locale', fn ($a, $b) => strcmp($plain($a), $plain($b)) ?: $exact($a, $b));
        $db->sqliteCreateFunction('fold', fn ($a) => $a === null ? null : mb_strtolower((string) $a), 1);
        $db->sqliteCreateFunction('instant', fn ($a) => $a === null ? null : self::instant((string) $a), 1);
        $db->sqliteCreateFunction('finds', self::finds(...), 3);
        $db->exec('PRAGMA case_sensitive_like = ON');
    }
    /** A timestamp as text of one width (UTC, seven decimals), so that text order is time order; null if invalid. */
    public static function instant(string $text): ?string {
        $clock = '(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?(?:\.(\d{1,12}))?(Z|[+-]\d\d:\d\d)?';
        $form = "/^(\d{4})-(\d\d)-(\d\d)$clock$/D";
        if (!preg_match($form, $text, $m) || !checkdate((int) $m[2], (int) $m[3], (int) $m[1])) { return null; }
        $time = strtotime("$m[1]-$m[2]-$m[3]" . (($m[4] ?? '') ?: 'T00:00') . ($m[6] ?? 'Z'));
        return gmdate('Y-m-d\TH:i:s', $time) . '.' . substr(str_pad($m[5] ?? '', 7, '0'), 0, 7) . 'Z';
    }
    /** Full-text match: every word of the term must be found (as word, prefix or part) in the text. */
    private static function finds(?string $text, string $term, string $mode): int {
        [$text, $term] = [mb_strtolower((string) $text), mb_strtolower($term)];
        if ($mode === 'substring') { return (int) str_contains($text, $term); }
        $pattern = fn ($word) => '/(?<![\p{L}\p{N}])' . $word . ($mode === 'word' ? '(?![\p{L}\p{N}])/u' : '/u');
        $words = preg_split('/[^\p{L}\p{N}]+/u', $term, -1, PREG_SPLIT_NO_EMPTY);
        return (int) ($words && !array_filter($words, fn ($word) => !preg_match($pattern($word), $text)));
    }
}

/** Translates one request's expressions for one collection; the parameters gather in $bind. */
final class Query {
    private const TOKEN = "/\G\s*(?:(?<text>'(?:[^']|'')*')"
        . '|(?<time>\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)(?![\w-])|(?<number>-?\d{1,15})(?![\w.-])'
        . '|(?<name>[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*)|(?<mark>[(),:]))/u';
    private const OPERATORS = ['eq' => '=', 'ne' => '<>', 'gt' => '>', 'ge' => '>', 'lt' => '<', 'le' => '<'];
    public array $bind = [];
    public bool $advanced = false; // contains or a lambda was used
    private array $tokens = [], $scope = []; // scope: lambda variable => [schema of the element, alias]
    private string $equal, $order; // collations; where equality is exact, the order has to be exact too
    private bool $two; // null logic

    public function __construct(private array $schema, private string $kind, private Choices $choices) {
        [$this->two, $exact] = [$choices->of($kind, 'nulls') === 'two', $choices->of($kind, 'eq') === 'binary'];
        $orders = ['binary' => 'BINARY', 'ci' => $exact ? 'ci_exact' : 'ci', 'locale' => 'locale'];
        [$this->equal, $this->order] = [$exact ? 'BINARY' : 'ci', $orders[$choices->of($kind, 'order')]];
    }
    public function filter(string $text): string {
        for ($at = 0; trim(substr($text, $at)) !== ''; $at += strlen($m[0])) {
            preg_match(self::TOKEN, $text, $m, 0, $at) or refuse('Invalid filter near: ' . mb_strcut($text, $at, 40));
            $type = array_key_last(array_filter($m, fn ($v, $k) => is_string($k) && $v !== '', ARRAY_FILTER_USE_BOTH));
            $this->tokens[] = [$type, $m[$type]];
        }
        $sql = $this->any();
        return $this->tokens ? refuse("Invalid filter: unexpected {$this->tokens[0][1]}") : $sql;
    }
    private function any(): string {
        for ($sql = $this->all(); $this->take('or'); ) { $sql = "($sql OR {$this->all()})"; }
        return $sql;
    }
    private function all(): string {
        $flat = $this->choices->fault === 'filter-flat-and-or';
        for ($sql = $this->term(); ($and = $this->take('and')) || ($flat && $this->take('or')); ) {
            $sql = "($sql " . ($and ? 'AND' : 'OR') . " {$this->term()})";
        }
        return $sql;
    }
    private function term(): string {
        if ($this->take('not')) { return "(NOT {$this->term()})"; }
        if ($this->take('(')) { return $this->any() . $this->need(')'); }
        [$left, $type] = $this->operand();
        if (!isset(self::OPERATORS[$this->tokens[0][1] ?? ''])) {
            $type === 'bool' or refuse('Invalid filter: a condition is expected.');
            return $this->two ? "COALESCE($left, 0)" : "($left)";
        }
        $operator = array_shift($this->tokens)[1];
        [$right, $other] = $this->operand();
        $types = array_diff([$type, $other], ['null']);
        count(array_unique(str_replace('id', 'string', $types))) < 2 or refuse("Cannot compare $type with $other.");
        $text = in_array('string', $types) && !in_array('id', $types);
        [$equal, $order] = $text ? [$this->equal, $this->order] : ['BINARY', 'BINARY'];
        if ($operator === 'eq' || $operator === 'ne') {
            $same = "$left COLLATE $equal " . ($this->two || count($types) < 2 ? 'IS' : '=') . " $right";
            return $operator === 'eq' ? "($same)" : "(NOT ($same))";
        }
        in_array('bool', $types) and refuse("Invalid filter: $operator does not apply to booleans.");
        $also = ($operator[1] === 'e' ? 'OR' : 'AND NOT') . " $left COLLATE $equal = $right";
        $sql = "$left COLLATE $order " . self::OPERATORS[$operator] . " $right $also";
        return $this->two ? "COALESCE($sql, 0)" : "($sql)";
    }
    /** One side of a comparison: [SQL, type]. */
    private function operand(): array {
        [$type, $text] = array_shift($this->tokens) ?? refuse('Invalid filter: it ends too early.');
        if ($type === 'name' && $this->take('(')) {
            return str_ends_with($text, '/any') ? $this->lambda(substr($text, 0, -4)) : $this->call(strtolower($text));
        }
        return match (true) {
            $type === 'text' => [$this->param(str_replace("''", "'", substr($text, 1, -1))), 'string'],
            $type === 'time' => [$this->param(SqlText::instant($text) ?? refuse("No such time: $text.")), 'time'],
            $type === 'number' => [$text, 'int'],
            $type === 'mark' => refuse("Invalid filter: unexpected $text"),
            $text === 'true', $text === 'false' => [$text === 'true' ? '1' : '0', 'bool'],
            default => $text === 'null' ? ['NULL', 'null'] : $this->path($text),
        };
    }
    private function call(string $name): array {
        in_array($name, ['startswith', 'endswith', 'contains', 'tolower']) or refuse("No such function: $name.");
        [$sql, $type] = $this->operand();
        $name === 'tolower' or $this->need(',');
        [$part, $other] = $name === 'tolower' ? ['', 'string'] : $this->operand();
        $this->need(')');
        in_array($type, ['string', 'id']) && $other === 'string' or refuse("Invalid filter: $name takes strings.");
        if ($name === 'tolower') { return ["fold($sql)", 'string']; }
        $this->advanced = $this->advanced || $name === 'contains';
        $escaped = "replace(replace(replace($part, '\\', '\\\\'), '%', '\\%'), '_', '\\_')";
        $part = $this->choices->fault === 'filter-wildcards' ? $part : $escaped;
        $like = ($name === 'startswith' ? '' : "'%' || ") . $part . ($name === 'endswith' ? '' : " || '%'");
        $ci = $type === 'string' && $this->equal === 'ci';
        return [$ci ? "fold($sql) LIKE fold($like) ESCAPE '\\'" : "$sql LIKE ($like) ESCAPE '\\'", 'bool'];
    }
    private function lambda(string $path): array {
        [$sql, $element] = $this->path($path, true);
        [$alias, $outer, $condition, $this->advanced] = ['x' . count($this->tokens), $this->scope, '1', true];
        if (!$this->take(')')) {
            $this->scope[array_shift($this->tokens)[1] ?? ''] = [$element, "$alias.value"];
            $this->need(':');
            $condition = $this->any() . $this->need(')');
            $this->scope = $outer;
        }
        return ["EXISTS (SELECT 1 FROM json_each($sql) $alias WHERE $condition)", 'bool'];
    }
    /** A property path: [SQL, type], or for a lambda the list and the schema of its elements. */
    public function path(string $path, bool $list = false): array {
        [$variable] = $steps = explode('/', $path);
        [$spec, $source] = $this->scope[$variable] ?? [$this->schema, 't.doc'];
        $steps = array_slice($steps, isset($this->scope[$variable]) ? 1 : 0);
        foreach ($steps as $step) { $spec = is_array($spec) ? $spec[$step] ?? null : null; }
        $fits = $list ? is_array($spec) && isset($spec[0]) : is_string($spec) && $path !== 'body/content';
        $fits or refuse("The property $path is unknown or cannot be used here.");
        $sql = $steps ? "json_extract($source, '$." . implode('.', $steps) . "')" : $source;
        $type = $list ? $spec[0] : strtok($spec, ':!');
        return [$type === 'time' ? "instant($sql)" : $sql, $type === 'enum' ? 'string' : $type];
    }
    /** [the ORDER BY list, the first key alone]. */
    public function orderBy(string $text): array {
        [$keys, $down] = [[], false];
        foreach (explode(',', $text) as $key) {
            preg_match('#^\s*([A-Za-z]\w*(?:/\w+)*)(?:\s+(asc|desc))?\s*$#', $key, $m) or refuse('Invalid $orderby.');
            [$sql, $type] = $this->path($m[1]);
            $down = ($m[2] ?? '') === 'desc' || ($down && $this->choices->fault === 'order-desc-spreads');
            $first = in_array($this->choices->of($this->kind, 'nullOrder'), ['first', $down ? 'high' : 'low']);
            $keys[] = "$sql IS NULL " . ($first ? 'DESC' : 'ASC');
            $keys[] = "$sql COLLATE " . ($type === 'string' ? $this->order : 'BINARY') . ($down ? ' DESC' : '');
        }
        return [implode(', ', $keys), preg_replace('/ DESC$/', '', $keys[1])];
    }
    public function search(string $text): string {
        $mode = $this->choices->of($this->kind, 'search');
        foreach (preg_split('/\s+OR\s+(?=")/', trim($text)) as $part) {
            preg_match('/^"(\w+):\s*((?:[^"\\\\]|\\\\.)+)"$/u', $part, $m) && trim($m[2]) !== ''
                or refuse('Invalid $search: the form is "property:term", joined with OR.');
            $this->path($m[1])[1] === 'string' or refuse("The property $m[1] cannot be searched.");
            $term = $this->param(trim(stripslashes($m[2])));
            $all = array_keys(array_filter($this->schema, fn ($spec) => in_array($spec, ['string', 'string!'])));
            foreach ($this->choices->fault === 'search-any-property' ? $all : [$m[1]] as $name) {
                $parts[] = "finds({$this->path($name)[0]}, $term, '$mode')";
            }
        }
        return '(' . implode(' OR ', $parts) . ')';
    }
    private function param(string $value): string {
        $this->bind[$name = ':p' . count($this->bind)] = $value;
        return $name;
    }
    private function take(string $text): bool {
        return ($this->tokens[0][1] ?? null) === $text && array_shift($this->tokens);
    }
    private function need(string $text): string { return $this->take($text) ? '' : refuse("Missing: $text"); }
}
