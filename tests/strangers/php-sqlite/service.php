<?php
// The service: choices and faults (settings.json), the resources (seed.json), the routes.
declare(strict_types=1);

final class Choices {
    private array $values = [];
    public function __construct(string $json, public readonly string $fault) {
        ['choices' => $choices, 'faults' => $faults] = self::describe();
        $known = array_column($choices, null, 'name');
        $this->values = array_column($known, 'default', 'name');
        foreach ($json === '' ? [] : json_decode($json, true, 9, JSON_THROW_ON_ERROR) as $name => $value) {
            $fits = in_array((string) $value, $known[$name]['values'] ?? [], true);
            $this->values[$name] = $fits ? (string) $value : throw new InvalidArgumentException("Unknown choice $name");
        }
        in_array($fault, ['', ...array_column($faults, 'name')], true)
            or throw new InvalidArgumentException("Unknown fault $fault");
    }
    public function get(string $name): string { return $this->values[$name]; }
    /** A choice by collection; smaller kinds follow the team that owns them. */
    public function of(string $kind, string $name): string {
        $owner = ['members' => 'groups', 'thumbnails' => 'drive'][$kind] ?? $kind;
        return $this->values["$owner.$name"] ?? $this->values["messages.$name"];
    }
    public static function describe(): array {
        $settings = json_decode(file_get_contents(__DIR__ . '/settings.json'), true);
        foreach ($settings['choices']['byCollection'] as $entry) {
            foreach ($entry['defaults'] as $owner => $default) {
                $choices[] = ['name' => "$owner.$entry[name]", 'values' => $entry['values'], 'default' => $default,
                    'meaning' => "$entry[meaning] ($owner)"];
            }
        }
        return array_replace($settings, ['choices' => [...$choices, ...$settings['choices']['general']]]);
    }
}

/** The tables: one per kind, each row a JSON document; deletes are soft, ver counts changes. */
final class Store {
    private const PERSON = ['emailAddress' => ['name' => 'string', 'address' => 'string!']];
    private const IMAGE = ['url' => 'string', 'width' => 'int', 'height' => 'int'];
    private const USER = ['id' => 'id', 'displayName' => 'string!', 'givenName' => 'string', 'surname' => 'string',
        'mail' => 'string', 'userPrincipalName' => 'string!', 'jobTitle' => 'string', 'department' => 'string',
        'officeLocation' => 'string', 'accountEnabled' => 'bool!', 'assignedLicenses' => [['skuId' => 'string!']]];
    private const GROUP = ['id' => 'id', 'displayName' => 'string!', 'description' => 'string',
        'mailEnabled' => 'bool!', 'mailNickname' => 'string!', 'securityEnabled' => 'bool!'];
    /** Types of the properties: "!" means not null, [x] a list of x. */
    public const SCHEMA = ['users' => self::USER, 'groups' => self::GROUP, 'members' => self::USER + self::GROUP,
        'messages' => ['id' => 'id', 'subject' => 'string', 'from' => self::PERSON, 'toRecipients' => [self::PERSON],
            'body' => ['contentType' => 'enum!:text|html', 'content' => 'string!'], 'receivedDateTime' => 'time!',
            'isRead' => 'bool!', 'importance' => 'enum!:low|normal|high'],
        'properties' => ['id' => 'id', 'value' => 'string'], 'attachments' => ['id' => 'id', 'name' => 'string',
            'contentType' => 'string', 'size' => 'int', 'isInline' => 'bool'],
        'drive' => ['id' => 'id', 'name' => 'string', 'size' => 'int', 'webUrl' => 'string',
            'file' => ['mimeType' => 'string'], 'folder' => ['childCount' => 'int']],
        'thumbnails' => ['id' => 'id', 'small' => self::IMAGE, 'medium' => self::IMAGE, 'large' => self::IMAGE],
        'calendars' => ['id' => 'id', 'name' => 'string', 'color' => 'string', 'isDefaultCalendar' => 'bool',
            'canEdit' => 'bool', 'owner' => ['name' => 'string', 'address' => 'string']],
        'reminders' => ['eventId' => 'id', 'eventSubject' => 'string', 'eventStartTime' => 'time',
            'eventEndTime' => 'time', 'reminderFireTime' => 'time']];
    public const RELATIONS = ['users' => ['manager' => 'users'], 'drive' => ['thumbnails' => 'thumbnails'],
        'messages' => ['attachments' => 'attachments', 'singleValueExtendedProperties' => 'properties']];
    public PDO $db;
    public int $clock = 1;

    public function __construct() {
        $this->db = new PDO('sqlite::memory:', null, null, [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
        SqlText::install($this->db);
        $columns = 'seq INTEGER PRIMARY KEY, id TEXT, parent TEXT, ver INT, deleted INT, doc TEXT';
        $seed = json_decode(file_get_contents(__DIR__ . '/seed.json'), true);
        foreach (array_keys(self::SCHEMA) as $kind) {
            $this->db->exec("CREATE TABLE \"$kind\" ($columns)");
            foreach ($seed[$kind] ?? [] as $item) { $this->add($kind, ...$item); }
        }
        $this->db->exec('CREATE TABLE memberships (groupId TEXT, memberId TEXT, PRIMARY KEY (groupId, memberId))');
        foreach ($seed['memberships'] as $pair) { $this->rows('INSERT INTO memberships VALUES (?, ?)', $pair); }
    }
    public function rows(string $sql, array $bind = []): array {
        $statement = $this->db->prepare($sql);
        $statement->execute($bind);
        return $statement->fetchAll();
    }
    public function add(string $kind, array $doc, ?string $parent = null): array {
        $sql = "INSERT INTO \"$kind\" (id, parent, ver, deleted, doc) VALUES (?, ?, ?, 0, ?) RETURNING *";
        $values = [$doc['id'] ?? '', $parent, $this->clock, json_encode($doc, JSON_UNESCAPED_UNICODE)];
        return $this->rows($sql, $values)[0];
    }
    public static function id(string $kind, int $n): string {
        $hash = md5("$kind $n");
        return $kind === 'messages' ? 'AAMk' . strtr(base64_encode(hex2bin($hash)), '+/', '-_')
            : preg_replace('/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/', '$1-$2-4$3-8$4-$5', $hash);
    }
}

final class Service {
    private const ME = '83550deb-c8b0-4aae-81ea-c13fdb7ad69e'; // the signed-in user
    private const KIND = '(?:/me/(?=messages|drive)|/(?!messages))(users|groups|messages|drive(?=/items))'
        . '(?:(?<=drive)/items)?';
    private const ROUTES = [
        'GET /(users)/delta' => 'delta', 'GET /(users)/\$count' => 'count', 'GET /me/(calendar)' => 'calendar',
        'GET KIND' => 'list', 'GET KIND/([^/]+)' => 'one', 'GET /(users)/([^/]+)/manager' => 'manager',
        'GET /(groups)/([^/]+)/members' => 'children', 'GET KIND(?<=items)/([^/]+)/children' => 'children',
        'POST (?=/groups|/me/m)KIND' => 'create', 'PATCH (?=/users|/me/m)KIND/([^/]+)' => 'change',
        'DELETE (?=/groups|/me/m)KIND/([^/]+)' => 'drop', 'GET /me/(reminder)View\((.*)\)' => 'reminders',
        'POST /me/(getMemberGroups)' => 'memberGroups', 'POST /me/(checkMemberObjects)' => 'checkMembers'];
    private const LIST = ['$select', '$filter', '$orderby', '$expand', '$top', '$skip', '$count', '$search',
        '$skiptoken'];
    private const BASIC = ['id', 'displayName', 'givenName', 'surname', 'mail', 'jobTitle', 'userPrincipalName'];
    private Store $store;
    private array $q = [], $headers = [], $trusted = []; // q: the $-options of the current request
    private string $body = '', $path = '';

    public function __construct(private Choices $choices, private string $token) { $this->store = new Store(); }
    public static function failure(int $status, string $message): array {
        $code = [401 => 'unauthenticated', 404 => 'itemNotFound', 409 => 'conflict'][$status] ?? 'badRequest';
        $headers = ['Content-Type' => 'application/json'] + ($status === 401 ? ['WWW-Authenticate' => 'Bearer'] : []);
        return [$status, $headers, json_encode(['error' => compact('code', 'message')], JSON_INVALID_UTF8_SUBSTITUTE)];
    }
    public function handle(array $request, int $connection): array {
        [$this->headers, $this->body] = [$request['headers'], $request['body']];
        [$this->path, $query] = explode('?', $request['target'], 2) + [1 => ''];
        try {
            $this->authenticate($connection);
            mb_check_encoding(urldecode($request['target']), 'UTF-8') or refuse('The address is not UTF-8.');
            $this->q = [];
            foreach (preg_split('/&/', $query, -1, PREG_SPLIT_NO_EMPTY) as $pair) {
                [$name, $value] = array_map('urldecode', explode('=', $pair, 2) + [1 => '']);
                isset($this->q[$name]) and refuse("$name is given twice.");
                $this->q += str_starts_with($name, '$') ? [$name => trim($value)] : [];
            }
            return $this->route($request['method'] === 'HEAD' ? 'GET' : $request['method'], rawurldecode($this->path));
        } catch (Refusal $refusal) {
            return self::failure($refusal->getCode(), $refusal->getMessage());
        } catch (Throwable $problem) { // SQLite refuses an expression that is too deep
            error_log((string) $problem);
            return self::failure(400, 'The request cannot be processed.');
        }
    }
    private function authenticate(int $connection): void {
        $given = preg_match('/^Bearer +(\S+)$/iD', $this->headers['authorization'] ?? '', $m) ? $m[1] : '';
        $same = $this->bug('auth-token-case') ? !strcasecmp($this->token, $given) : hash_equals($this->token, $given);
        $this->trusted += $given && $same && $this->bug('auth-connection-kept') ? [$connection => true] : [];
        ($given && $same) || isset($this->trusted[$connection]) or refuse('A valid bearer token is required.', 401);
    }
    private function route(string $method, string $path): array {
        $me = '/users/' . self::ME;
        str_starts_with($path, '/v1.0/') or refuse('Unknown path.', 404);
        $path = preg_replace("#^$me(?=/(?!manager))#", '/me', rtrim(substr($path, 5), '/'));
        $path = preg_replace('#^/me(?=$|/manager$)#', $me, $path);
        $known = false;
        foreach (self::ROUTES as $pattern => $action) {
            [$verb, $form] = explode(' ', str_replace('KIND', self::KIND, $pattern));
            $found = preg_match("#^$form$#D", $path, $m);
            if ($found && $verb === $method) { return $this->$action($m[1], $m[2] ?? ''); }
            $known = $known || $found;
        }
        refuse($known ? 'Method not allowed here.' : 'Unknown path.', $known ? 405 : 404);
    }
    private function bug(string $fault): bool { return $this->choices->fault === $fault; }
    private function chosen(string $name, string $value): bool { return $this->choices->get($name) === $value; }
    /** Refuses options that this endpoint does not take. */
    private function accept(string $kind, array $allowed): void {
        $searched = in_array($kind, ['users', 'groups', 'messages', 'drive']) && !$this->chosen("$kind.search", 'none');
        foreach (array_diff(array_keys($this->q), array_diff($allowed, $searched ? [] : ['$search'])) as $name) {
            $status = (int) $this->choices->get('unsupportedStatus');
            in_array($name, [...self::LIST, '$deltatoken']) and refuse("$name is not supported here.", $status);
            $this->choices->of($kind, 'unknown') === 'refuse' and refuse("Unknown option $name.");
        }
    }
    private function number(string $name): ?int {
        preg_match('/^\d{1,9}$/D', $this->q[$name] ?? '0') or refuse("$name must be a whole number.");
        return isset($this->q[$name]) ? (int) $this->q[$name] : null;
    }
    private function reply(array $data, int $status = 200): array {
        $headers = ['Content-Type' => 'application/json; charset=utf-8', 'OData-Version' => '4.0'];
        return [$status, $headers, json_encode($data, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES)];
    }
    /** The address of this request with some options replaced (null removes). */
    private function link(array $changes): string {
        foreach (array_filter($changes + $this->q, 'is_string') as $name => $value) {
            $value = rawurlencode($value);
            $pairs[] = "$name=" . ($this->bug('paging-link-unencoded') ? str_replace('%26', '&', $value) : $value);
        }
        $host = $this->chosen('nextLink', 'absolute') ? 'http://' . ($this->headers['host'] ?? '') : '';
        return "$host$this->path?" . implode('&', $pairs);
    }
    /** One page of a collection as an envelope. */
    private function page(string $kind, string $from, string $scope, array $bind, array $allowed = self::LIST): array {
        $this->accept($kind, $allowed);
        [$where, $bind, $order, $first] = $this->conditions($kind, $scope, $bind);
        [$top, $max] = [$this->number('$top'), (int) $this->choices->get('maxTop')];
        $top > $max && $this->choices->of($kind, 'above') === 'refuse' and refuse("\$top may be $max at most.");
        $token = $this->q['$skiptoken'] ?? (int) $this->number('$skip') . '-0'; // offset, items served before
        preg_match('/^\d{1,9}-\d{1,9}$/D', $token) or refuse('Invalid $skiptoken.');
        [$at, $served] = array_map('intval', explode('-', $token));
        $limited = $top !== null && $this->choices->of($kind, 'top') === 'limit';
        $size = max(0, min($limited ? $top - $served : $top ?? (int) $this->choices->of($kind, 'page'), $max));
        [$select, $relations] = [$this->select($kind, $this->q['$select'] ?? null), $this->relations($kind)];
        foreach ($this->bug('expand-inner-join') ? array_keys($relations) : [] as $name) {
            $join = 'EXISTS (SELECT 1 FROM "' . Store::RELATIONS[$kind][$name] . '" r WHERE r.parent = t.id)';
            $where .= ' AND ' . ($name === 'manager' ? 't.parent IS NOT NULL' : $join);
        }
        $sql = "FROM $from t WHERE $where ORDER BY $order LIMIT -1 OFFSET";
        $rows = $this->store->rows("SELECT t.* $sql $at", $bind);
        $all = $this->store->rows("SELECT count(*) n FROM $from t WHERE $where", $bind)[0]['n'];
        $all = max(0, $all - ($this->bug('count-after-skip') ? $this->number('$skip') : 0));
        $page = ($this->q['$count'] ?? '') === 'true' ? ['@odata.count' => $all] : [];
        $shape = fn ($row) => $this->shape($kind, $row, $select, $relations);
        $page['value'] = array_map($shape, array_slice($rows, 0, $size));
        [$at, $served] = [$at + $size, $served + $size];
        if ($size > 0 && count($rows) > $size && !($limited && $served >= $top)) {
            $ties = $this->bug('paging-ties-lost') && $first;
            $keys = $ties ? $this->store->rows("SELECT $first k $sql $at - 1", $bind) : [];
            $at += $keys ? count(array_keys($keys, $keys[0], true)) - 1 : 0;
            $page['@odata.nextLink'] = $this->link(['$skip' => null, '$skiptoken' => "$at-$served"]);
        }
        return $page;
    }
    /** [WHERE, parameters, ORDER BY, first key] of the request's options. */
    private function conditions(string $kind, string $scope, array $bind): array {
        $query = new Query(Store::SCHEMA[$kind], $kind, $this->choices);
        [$filter, $search] = [$this->q['$filter'] ?? null, $this->q['$search'] ?? null];
        $count = $this->q['$count'] ?? 'false';
        $where = $this->bug('delete-shown-by-filter') && $filter ? [$scope] : [$scope, 't.deleted = 0'];
        $filter === null or $where[] = $query->filter($filter);
        $search === null or $where[] = $query->search($search);
        in_array($count, ['true', 'false']) or refuse('$count must be true or false.');
        $advanced = $query->advanced || $search !== null
            || ($count === 'true' && $this->choices->of($kind, 'countNeeds') === 'header');
        $eventual = strtolower($this->headers['consistencylevel'] ?? '') === 'eventual';
        $message = 'Advanced query capabilities are not available without ConsistencyLevel: eventual.';
        $advanced && !$eventual and refuse($message, (int) $this->choices->get('advancedStatus'));
        [$keys, $first] = isset($this->q['$orderby']) ? $query->orderBy($this->q['$orderby']) : ['t.deleted', ''];
        $keys .= $kind === 'members' ? ', t.kind, t.seq' : ', t.seq';
        return [implode(' AND ', $where), $bind + $query->bind, $keys, $first];
    }
    /** The names of a $select, checked; null when there is none. */
    private function select(string $kind, ?string $text): ?array {
        $names = $text === null || trim($text) === '*' ? null : array_map('trim', explode(',', $text));
        foreach ($names ?? [] as $name) {
            $known = isset(Store::SCHEMA[$kind][$name]) || isset(Store::RELATIONS[$kind][$name]);
            $known || ($name !== '' && $this->chosen('selectUnknown', 'ignore')) or refuse("Unknown property $name.");
        }
        return $names;
    }
    /** The relations of $expand, each with its own selection. */
    private function relations(string $kind): array {
        $relations = [];
        foreach (isset($this->q['$expand']) ? preg_split('/,(?![^(]*\))/', $this->q['$expand']) : [] as $part) {
            preg_match('/^\s*(\w+)(?:\(\s*\$select=([^()]*)\))?\s*$/D', $part, $m) or refuse('Invalid $expand.');
            $target = Store::RELATIONS[$kind][$m[1]] ?? refuse("$m[1] cannot be expanded here.");
            $relations[$m[1]] = $this->select($target, $m[2] ?? null);
        }
        return $relations;
    }
    private function shape(string $kind, array $row, ?array $names, array $relations = [], bool $whole = false): array {
        [$doc, $kind] = [json_decode($row['doc'], true), $row['kind'] ?? $kind];
        $out = isset($row['kind']) ? ['@odata.type' => '#microsoft.graph.' . rtrim($kind, 's')] : [];
        $basic = $kind === 'users' && !$whole && $this->chosen('userFields', 'basic');
        $names = array_flip($names ?? ($basic ? self::BASIC : array_keys($doc)));
        $names += $this->choices->of($kind, 'key') === 'always' ? ['id' => 0] : [];
        $empty = $this->choices->of($kind, 'unselected') === 'null' ? Store::SCHEMA[$kind] : [];
        $out += array_intersect_key($doc, $names) + array_fill_keys(array_keys($empty), null);
        isset($out['body']) and $out['body'] = $this->content($out['body']);
        foreach ($relations as $name => $inner) {
            [$target, $one] = [Store::RELATIONS[$kind][$name], $name === 'manager'];
            $sql = "SELECT * FROM \"$target\" WHERE " . ($one ? 'id' : 'parent') . ' = ? ORDER BY seq';
            $items = array_map(fn ($related) => $this->shape($target, $related, $inner),
                $this->store->rows($sql, [$row[$one ? 'parent' : 'id']]));
            if ($one && isset($items[0]['id']) && $this->bug('expand-manager-id')) { $items[0]['id'] = $row['id']; }
            $out[$name] = $one ? $items[0] ?? null : $items;
        }
        return $out;
    }
    /** A message body in the form that the client prefers. */
    private function content(array $body): array {
        $given = preg_match('/body-content-type\s*=\s*"?(text|html)\b/i', $this->headers['prefer'] ?? '', $m);
        $want = $given ? strtolower($m[1]) : $this->choices->get('bodyType');
        if ($want === 'stored' || $want === $body['contentType']) { return $body; }
        $text = trim(html_entity_decode(strip_tags($body['content']), ENT_QUOTES | ENT_HTML5));
        $html = '<html><body>' . htmlspecialchars($body['content']) . '</body></html>';
        return ['contentType' => $want, 'content' => $want === 'text' ? $text : $html];
    }
    private function find(string $kind, string $id): array {
        $form = ['messages' => 'AAMk[\w=-]{24}', 'drive' => '01[0-9A-Z]{24}'][$kind] ?? '[0-9a-f-]{36}';
        preg_match("/^$form$/D", $id) or refuse('No such item.', (int) $this->choices->get('malformedId'));
        $rows = $this->store->rows("SELECT * FROM \"$kind\" WHERE id = ? AND deleted = 0", [$id]);
        return $rows[0] ?? refuse('No such item.', 404);
    }
    private function list(string $kind): array { return $this->reply($this->page($kind, "\"$kind\"", '1', [])); }
    private function one(string $kind, string $id): array {
        $row = $this->find($kind, $id);
        $this->accept($kind, ['$select', '$expand']);
        $select = $this->select($kind, $this->q['$select'] ?? null);
        $select = $this->bug('item-select-ignored') && $kind === 'messages' ? null : $select;
        return $this->reply($this->shape($kind, $row, $select, $this->relations($kind)));
    }
    private function calendar(): array {
        $this->accept('calendars', ['$select']);
        $row = $this->store->rows('SELECT * FROM calendars')[0];
        return $this->reply($this->shape('calendars', $row, $this->select('calendars', $this->q['$select'] ?? null)));
    }
    private function manager(string $kind, string $id): array {
        return $this->one($kind, $this->find($kind, $id)['parent'] ?? refuse('There is no manager.', 404));
    }
    private function children(string $kind, string $id): array {
        $this->bug('item-parent-unchecked') or $this->find($kind, $id);
        $part = fn ($k) => "SELECT t.*, '$k' kind, groupId FROM \"$k\" t JOIN memberships ON memberId = id";
        $members = "({$part('groups')} UNION ALL {$part('users')})";
        return $this->reply($kind === 'drive' ? $this->page('drive', 'drive', 't.parent = :of', [':of' => $id])
            : $this->page('members', $members, 't.groupId = :of', [':of' => $id]));
    }
    private function delta(): array {
        $now = $this->store->clock; // a token is "after" or "after.until": the next round starts at the second number
        $token = $this->q['$deltatoken'] ?? '0';
        preg_match('/^(\d{1,9})(?:\.(\d{1,9}))?$/D', $token, $m) or refuse('Invalid $deltatoken.');
        [$after, $until] = [(int) $m[1], (int) ($m[2] ?? $now)];
        max($after, $until) <= $now or refuse('Invalid $deltatoken.');
        $this->q['$deltatoken'] = "$after.$until";
        $page = $this->page('users', 'users', "t.ver > $after", [], ['$select', '$skiptoken', '$deltatoken']);
        $last = ['@odata.deltaLink' => $this->link(['$skiptoken' => null, '$deltatoken' => "$until"])];
        return $this->reply($page + (isset($page['@odata.nextLink']) ? [] : $last));
    }
    private function count(): array {
        $this->accept('users', ['$filter', '$search']);
        [$where, $bind] = $this->conditions('users', '1', []);
        $count = $this->store->rows("SELECT count(*) n FROM users t WHERE $where", $bind)[0]['n'];
        return [200, ['Content-Type' => 'text/plain'], (string) $count];
    }
    private function reminders(string $kind, string $arguments): array {
        foreach (['start', 'end'] as $name) {
            preg_match("/(?:^|,)\s*{$name}DateTime\s*=\s*'([^']+)'\s*(?=,|$)/", $arguments, $m);
            $bind[":$name"] = SqlText::instant($m[1] ?? '') ?? refuse("{$name}DateTime must be a timestamp.");
        }
        $bind[':start'] <= $bind[':end'] or refuse('endDateTime is before startDateTime.');
        $windows = ['overlap' => ['eventEndTime', 'eventStartTime'], 'start' => ['eventStartTime', 'eventStartTime']];
        $window = $windows[$this->choices->get('reminderWindow')] ?? ['reminderFireTime', 'reminderFireTime'];
        [$from, $to] = array_map(fn ($name) => "instant(json_extract(t.doc, '$.$name'))", $window);
        $scope = $this->bug('reminders-by-day') ? "date($from) >= date(:start) AND date($to) <= date(:end)"
            : "$from " . ($from === $to ? '>=' : '>') . " :start AND $to < :end";
        return $this->reply($this->page('reminders', 'reminders', $scope, $bind, array_diff(self::LIST, ['$expand'])));
    }
    /** Identifiers of the groups of the signed-in user. */
    private function memberships(string $condition): array {
        $more = 'UNION SELECT groupId FROM memberships JOIN m ON memberId = m.id';
        $more = $this->chosen('membership', 'direct') ? '' : $more;
        $sql = "WITH RECURSIVE m (id) AS (SELECT groupId FROM memberships WHERE memberId = ? $more)"
            . " SELECT g.id FROM \"groups\" g JOIN m ON m.id = g.id WHERE $condition ORDER BY g.seq";
        return array_column($this->store->rows($sql, [self::ME]), 'id');
    }
    private function memberGroups(): array {
        $only = $this->input()->securityEnabledOnly ?? null;
        is_bool($only) or refuse('securityEnabledOnly must be a boolean.');
        return $this->reply(['value' => $this->memberships($only ? "json_extract(g.doc, '$.securityEnabled')" : '1')]);
    }
    private function checkMembers(): array {
        $ids = $this->input()->ids ?? null;
        is_array($ids) && array_filter($ids, 'is_string') === $ids or refuse('ids must be a list of strings.');
        return $this->reply(['value' => array_values(array_intersect($this->memberships('1'), $ids))]);
    }
    private function input(): stdClass {
        $input = json_decode($this->body);
        return $input instanceof stdClass ? $input : refuse('The body must be a JSON object.');
    }
    /** Checks a value of a body against its type; objects become arrays, $full asks for the required names. */
    private function clean(array|string $spec, mixed $value, string $path, bool $full = false): mixed {
        if (is_string($spec)) {
            $fits = match ($value === null ? 'null' : strtok($spec, ':!')) {
                'null' => !str_contains($spec, '!'),
                'string' => is_string($value),
                'bool' => is_bool($value),
                'time' => is_string($value) && SqlText::instant($value) !== null && str_ends_with($value, 'Z'),
                'enum' => in_array($value, explode('|', explode(':', $spec)[1]), true),
            };
            return $fits ? $value : refuse("The value of $path is invalid.");
        }
        if (isset($spec[0])) {
            is_array($value) or refuse("$path must be a list.");
            return array_map(fn ($item) => $this->clean($spec[0], $item, $path, true), $value);
        }
        $value instanceof stdClass or refuse("$path must be an object.");
        $out = [];
        foreach (get_object_vars($value) as $name => $item) {
            isset(Store::RELATIONS[$path][$name]) and refuse("$name cannot be written here.");
            $known = isset($spec[$name]) && $spec[$name] !== 'id';
            $ignored = str_contains("$name", '@') || $this->chosen('unknownBody', 'ignore');
            $known || $ignored or refuse("$name is unknown or cannot be written.");
            $out += $known ? [$name => $this->clean($spec[$name], $item, $name, $full)] : [];
        }
        foreach ($full ? $spec : [] as $name => $inner) {
            isset($out[$name]) || (is_string($inner) && !str_contains($inner, '!')) or refuse("$path needs $name.");
        }
        return $out;
    }
    private function merge(array $old, array $new): array {
        foreach ($new as $name => $value) {
            $old[$name] = is_array($value) && !array_is_list($value) ? $this->merge($old[$name] ?? [], $value) : $value;
        }
        return $old;
    }
    private function create(string $kind): array {
        $doc = $this->clean(Store::SCHEMA[$kind], $this->input(), $kind);
        if ($kind === 'groups') {
            ($doc['displayName'] ?? '') !== '' or refuse('displayName is required.');
            preg_match('/^[^\s@]{1,64}$/Du', $doc['mailNickname'] ?? '') or refuse('mailNickname is required.');
            $same = "SELECT 1 FROM groups WHERE NOT deleted AND fold(json_extract(doc, '$.mailNickname')) = fold(?)";
            $taken = $this->store->rows($same, [$doc['mailNickname']]);
            $taken and refuse('mailNickname is taken.', (int) $this->choices->get('duplicateStatus'));
            $doc += ['description' => null, 'mailEnabled' => false, 'securityEnabled' => true];
            $doc['securityEnabled'] = $doc['securityEnabled'] || $this->bug('create-false-becomes-true');
        } else {
            $me = json_decode($this->find('users', self::ME)['doc'], true);
            $from = ['emailAddress' => ['name' => $me['displayName'], 'address' => $me['userPrincipalName']]];
            $doc = $this->merge(['subject' => '', 'body' => ['contentType' => 'text', 'content' => ''], 'from' => $from,
                'toRecipients' => [], 'receivedDateTime' => gmdate('Y-m-d\TH:i:s\Z'), 'isRead' => false,
                'importance' => 'normal'], $doc);
            $this->bug('create-subject-escaped') and $doc['subject'] = htmlspecialchars((string) $doc['subject']);
            $this->bug('create-content-cut') and $doc['body']['content'] = mb_substr($doc['body']['content'], 0, 255);
        }
        $row = $this->store->add($kind, ['id' => Store::id($kind, 1000 + ++$this->store->clock)] + $doc);
        return $this->reply($this->shape($kind, $row, null), (int) $this->choices->get('createStatus'));
    }
    private function change(string $kind, string $id): array {
        $old = json_decode($this->find($kind, $id)['doc'], true);
        $new = $this->clean(Store::SCHEMA[$kind], $this->input(), $kind);
        $new = $this->bug('update-null-skipped') ? array_filter($new, fn ($value) => $value !== null) : $new;
        $doc = $this->bug('update-lists-merged') ? array_replace_recursive($old, $new) : $this->merge($old, $new);
        $this->store->rows("UPDATE \"$kind\" SET doc = ?, ver = ? WHERE id = ?",
            [json_encode($doc, JSON_UNESCAPED_UNICODE), ++$this->store->clock, $id]);
        return $this->reply($this->shape($kind, $this->find($kind, $id), null, [], true));
    }
    private function drop(string $kind, string $id): array {
        $this->find($kind, $id);
        $this->store->rows("UPDATE \"$kind\" SET deleted = 1 WHERE id = ?", [$id]);
        $this->store->rows('DELETE FROM memberships WHERE ? IN (groupId, memberId)', [$id]);
        return [(int) $this->choices->get('deleteStatus'), [], ''];
    }
}
