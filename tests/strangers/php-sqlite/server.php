<?php
// Entry point: environment, --describe, and a small HTTP/1.1 server around one select loop.
declare(strict_types=1);
require __DIR__ . '/query.php';
require __DIR__ . '/service.php';
const MAX_HEAD = 65536, MAX_BODY = 4194304;

if (in_array('--describe', $argv, true)) {
    exit(json_encode(Choices::describe(), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES) . "\n");
}
ini_set('display_errors', 'stderr');
$service = new Service(new Choices((string) getenv('CHOICES'), (string) getenv('FAULT')), (string) getenv('TOKEN'));
$context = stream_context_create(['socket' => ['tcp_nodelay' => true, 'backlog' => 128]]);
$address = 'tcp://127.0.0.1:' . (int) getenv('PORT');
$server = stream_socket_server($address, $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context);
echo 'listening on http://', stream_socket_get_name($server, false), "\n";

$open = $buffer = []; // the clients' sockets, and what each of them has sent so far
while (true) {
    [$read, $none] = [[$server, ...$open], null];
    @stream_select($read, $none, $none, null) or $read = [];
    foreach ($read as $socket) {
        if ($socket === $server) {
            $client = @stream_socket_accept($server, 0) and $open[(int) $client] = $client;
            continue;
        }
        $chunk = (string) @fread($socket, 65536);
        [$key, $ending] = [(int) $socket, $chunk === ''];
        $buffer[$key] = ($buffer[$key] ?? '') . $chunk;
        while (!$ending && ($request = nextRequest($buffer[$key]))) {
            $bad = $request['bad'] ?? 0;
            $answer = $bad ? Service::failure($bad, 'The request is unreadable.') : $service->handle($request, $key);
            $ending = @fwrite($socket, asText($answer, $request)) === false || ($request['close'] ?? true);
        }
        if ($ending && fclose($socket)) { unset($open[$key], $buffer[$key]); }
    }
}
/** Takes the next complete request off the buffer; null while it is incomplete, ['bad' => status] if unreadable. */
function nextRequest(string &$buffer): ?array {
    $buffer = ltrim($buffer, "\r\n");
    $end = strpos($buffer, "\r\n\r\n");
    if ($end === false || $end > MAX_HEAD) { return strlen($buffer) > MAX_HEAD ? ['bad' => 431] : null; }
    $form = '#^([A-Z]+) (?:https?://[^/\s]*)?(\S+) HTTP/1\.([01])(?:\r\n[^\s:]+:[^\r\n]*)*$#D';
    if (!preg_match($form, substr($buffer, 0, $end), $first)) { return ['bad' => 400]; }
    preg_match_all('/\r\n([^\s:]+):[ \t]*([^\r\n]*?)[ \t]*(?=\r\n|$)/D', $first[0], $lines);
    $headers = array_combine(array_map('strtolower', $lines[1]), $lines[2]);
    $length = $headers['content-length'] ?? '0';
    if (!ctype_digit($length) || isset($headers['transfer-encoding'])) { return ['bad' => 400]; }
    if ((float) $length > MAX_BODY) { return ['bad' => 413]; }
    $rest = substr($buffer, $end + 4);
    if (strlen($rest) < (int) $length) { return null; }
    $buffer = substr($rest, (int) $length);
    $word = strtolower($headers['connection'] ?? ($first[3] === '0' ? 'close' : ''));
    return ['method' => $first[1], 'target' => $first[2], 'headers' => $headers,
        'body' => substr($rest, 0, (int) $length), 'close' => str_contains($word, 'close')];
}
function asText(array $answer, array $request): string {
    [$status, $headers, $body] = $answer;
    $headers += ['Connection' => $request['close'] ?? true ? 'close' : 'keep-alive'];
    $headers += $status === 204 ? [] : ['Content-Length' => strlen($body)];
    $lines = array_map(fn ($name, $value) => "$name: $value\r\n", array_keys($headers), $headers);
    $body = ($request['method'] ?? '') === 'HEAD' ? '' : $body;
    return "HTTP/1.1 $status \r\n" . implode('', $lines) . "\r\n$body";
}
