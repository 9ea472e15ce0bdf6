package Service;    # paths, methods, conditions, bodies, errors: one request in, one answer out
use v5.36;
use Conf; use Data; use Query; use JSON::PP (); use B (); use List::Util 'min';
use MIME::Base64 qw(encode_base64url decode_base64url); use Digest::MD5 'md5_hex';
use Encode qw(encode_utf8);
use Exporter 'import';
our @EXPORT = qw(handle);

*REQ = \%Query::REQ; our %REQ; my $json = JSON::PP->new->canonical->allow_nonref->utf8;
my $writer = choice('json') eq 'ascii' ? JSON::PP->new->canonical->allow_nonref->ascii : choice('json') eq 'pretty' ? JSON::PP->new->canonical->allow_nonref->utf8->pretty : $json;
my %TYPE_OF_JSON = (graph => 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8', utf8 => 'application/json; charset=utf-8', bare => 'application/json');
my %CODE = (    # kind => directory, mail, drive
    notFound => [qw(Request_ResourceNotFound ErrorItemNotFound itemNotFound)], badRequest => [qw(Request_BadRequest ErrorInvalidRequest invalidRequest)],
    unsupported => [qw(Request_UnsupportedQuery ErrorInvalidUrlQuery notSupported)], unauthenticated => [('InvalidAuthenticationToken') x 3],
    preconditionFailed => [qw(Request_PreconditionFailed ErrorIrresolvableConflict resourceModified)], methodNotAllowed => [qw(Request_BadRequest ErrorInvalidRequest notAllowed)]);
my %ACTION = (getMemberGroups => \&member_groups, checkMemberObjects => \&check_members);
sub bad { fail(400, 'badRequest', @_) }
sub no_path { fail(choice('unknown-path'), choice('unknown-path') == 404 ? 'notFound' : 'badRequest', "Resource not found for the segment '$_[0]'.") }
sub gone { fail(404, 'notFound', "Resource '$_[0]' does not exist or one of its queried reference-property objects are not present.") }
sub answer { my ($status, $data, %h) = @_; return { status => $status, data => $data, h => \%h } }

sub handle ($r) {    # { method, path, query, h => {lower-case name => value}, body } -> { status, h, text | data }
    my $prefer = $r->{h}{prefer} // ''; my %outer = %REQ;
    %REQ = (base => 'http://' . ($r->{h}{host} // 'localhost'), eventual => lc($r->{h}{consistencylevel} // '') eq 'eventual', r => $r, area => 0, applied => [],
        bare => !!(($r->{h}{accept} // '') =~ /odata\.metadata=none/i), minimal => $prefer =~ /\breturn=minimal\b/i && choice('minimal') eq 'honoured',
        body => $prefer =~ /(?:^|[\s,;.])body-content-type\s*=\s*"?(text|html)\b/i ? lc $1 : undef,
        size => choice('maxpagesize') eq 'honoured' && $prefer =~ /\b(?:odata\.)?maxpagesize=(\d+)/i && $1 > 0 ? $1 : undef);
    my $a = eval { routed($r) };
    if (!$a) {
        my $e = $@;
        if (!ref $e) { warn $e; $e = { status => 500, kind => 'internalServerError', message => 'Unexpected error.' } }
        my %error = (code => choice('error-codes') eq 'graph' && $CODE{ $e->{kind} } ? $CODE{ $e->{kind} }[$REQ{area}] : $e->{kind}, message => $e->{message}, $e->{target} ? (target => $e->{target}) : ());
        $error{ choice('error-inner') } = { date => now_text() =~ s/Z$//r, 'request-id' => request_id() } if choice('error-inner') ne 'absent';
        $a = answer($e->{status}, { error => \%error }, %{ $e->{h} // {} }); }
    $a->{h}{'OData-Version'} = choice('odata-version'); $a->{h}{'request-id'} = request_id();
    $a->{h}{'client-request-id'} = $r->{h}{'client-request-id'} if $r->{h}{'client-request-id'};
    $a->{h}{'Preference-Applied'} = join ', ', @{ $REQ{applied} } if @{ $REQ{applied} } && $a->{status} < 300;
    $a->{h}{'Content-Type'} = $TYPE_OF_JSON{ choice('content-type') } if defined $a->{data}; $a->{text} = $writer->encode($a->{data}) if defined $a->{data};
    %REQ = %outer; return $a; }
my $requests = 0;
sub request_id { my $h = md5_hex("$$." . ($REQ{id} //= ++$requests)); return join '-', unpack 'A8 A4 A4 A4 A12', $h }

sub routed ($r) {
    my ($token) = ($r->{h}{authorization} // '') =~ /^Bearer +(\S+)\s*$/i;
    my $ok = defined $token && ($token eq $ENV{TOKEN} || fault('auth-prefix') && index($token, $ENV{TOKEN}) == 0);
    my %challenge = (plain => 'Bearer', realm => 'Bearer realm="directory"', error => 'Bearer error="invalid_token"');
    die { status => 401, kind => 'unauthenticated', message => $token ? 'The access token is not valid.' : 'Access token is empty.', h => { 'WWW-Authenticate' => $challenge{ choice('challenge') } } } if !$ok;
    fail(406, 'notAcceptable', 'Answers are JSON.') if choice('accept') eq 'strict' && ($r->{h}{accept} // '*/*') !~ m{\*/\*|application/(\*|json)|text/plain}i;
    my @q = query_pairs($r->{query}); my $n = resolve($r->{path}); my $method = $r->{method} eq 'HEAD' ? 'GET' : $r->{method};
    my $do = $n->{can}{$method} or die { status => 405, kind => 'methodNotAllowed', message => "Method $r->{method} is not allowed for the request target.", h => { Allow => join ', ', map { $_ eq 'GET' ? qw(GET HEAD) : $_ } sort keys %{ $n->{can} } } };
    options(\@q) if $method ne 'GET'; return $do->($n, @q); }
sub options ($q, @allowed) {    # only these system options
    for (@$q) {
        my ($n, $v) = @$_; next if $n !~ /^\$/ || grep { $n eq "\$$_" } @allowed;
        if ($n eq '$format') { next if $v =~ m{^(json|application/json.*)$}i; bad("Unsupported format '$v'.", $n) }
        fail(choice('unsupported'), 'unsupported', "Query option '$n' is not supported for this resource.", $n); } }

# ---- paths
sub resolve ($path) {
    my ($version, @seg) = map { text_of($_) } grep { length } split m{/}, $path; no_path($version // '') if ($version // '') ne 'v1.0';
    my $n = { kind => 'root', can => { GET => sub { answer(200, { '@odata.context' => "$REQ{base}/v1.0/\$metadata", value => [map { { name => $_, kind => 'EntitySet', url => $_ } } qw(users groups)] }) } } };
    while (defined(my $s = shift @seg)) {
        if ($s =~ /^(\w+)\('((?:[^']|'')*)'\)$/) { $s = $1; unshift @seg, $2 =~ s/''/'/gr }
        $n = $n->{kind} eq 'root' ? from_root($s) : $n->{kind} eq 'coll' ? from_list($n, $s) : $n->{kind} eq 'item' ? from_item($n, $s) : no_path($s);
        $REQ{area} = { users => 0, groups => 0, messages => 1, driveItems => 2 }->{ $TYPE{ $n->{type} }{set} } if $n->{type}; }
    return $n; }
sub coll { my ($type, $ctx, $rows, %more) = @_; return { kind => 'coll', type => $type, ctx => $ctx, rows => $rows, can => { GET => \&list }, %more } }
sub item { my ($e, $ctx, %more) = @_; return { kind => 'item', e => $e, type => $e->{_type}, ctx => $ctx, can => { GET => \&show }, %more } }
sub from_root ($s) {
    return item(by_id('user', $ME), 'users', me => 1, can => { GET => \&show, PATCH => \&change }) if $s eq 'me';
    return coll('user', 'users', \&users, users => 1) if $s eq 'users';
    return coll('group', 'groups', \&groups, can => { GET => \&list, POST => \&new_group }) if $s eq 'groups';
    return item((nav_of(by_id('user', $ME), 'drive'))[0], 'drives') if $s eq 'drive'; return { kind => 'batch', can => { POST => \&batch } } if $s eq '$batch';
    return no_path($s); }
sub from_list ($n, $s) {
    return { %$n, kind => 'count', can => { GET => \&count } } if $s eq '$count';
    return { %$n, kind => 'delta', can => { GET => \&delta } } if $n->{users} && $s =~ /^(microsoft\.graph\.)?delta(\(\))?$/;
    if ($n->{type} eq 'directoryObject' && $s =~ /^microsoft\.graph\.(user|group)$/) { my $t = $1; return coll($t, "${t}s", sub { grep { $_->{_type} eq $t } $n->{rows}->() }) }
    my ($e) = grep { $_->{id} eq $s || $n->{users} && choice('upn') eq 'accepted' && lc $_->{userPrincipalName} eq lc $s } $n->{rows}->();
    $e = by_id($n->{type}, $s) if !$e && fault('delete-readable') && $n->{type} =~ /^(message|group)$/;
    if (!$e) { $REQ{area} = { messages => 1, driveItems => 2 }->{ $TYPE{ $n->{type} }{set} } // 0; gone($s) }
    my %can = (GET => \&show); $can{DELETE} = \&erase if $e->{_type} eq 'message' || $n->{can}{POST}; $can{PATCH} = \&change if $e->{_type} eq 'message';
    return item($e, $n->{ctx}, can => \%can); }
sub from_item ($n, $s) {
    my ($e, $t) = ($n->{e}, $TYPE{ $n->{type} }); my $ctx = "$n->{ctx}('$e->{id}')/$s";
    if (my $nav = $t->{navs}{$s}) {
        if (!$nav->{many}) {
            my ($to) = nav_of($e, $s); return item($to, $s eq 'manager' ? 'directoryObjects' : $ctx, single => 1) if $to;
            return { kind => 'none', can => { GET => sub { answer(204) } } } if $s eq 'manager' && choice('manager-none') == 204; gone($s); }
        fail(choice('file-children'), 'badRequest', "'$e->{id}' is no folder.") if $s eq 'children' && !$e->{folder} && choice('file-children') ne 'empty';
        my %can = (GET => \&list, $s eq 'messages' && $t->{name} eq 'user' ? (POST => \&new_message) : ());
        return coll($nav->{type}, $nav->{type} eq 'directoryObject' ? 'directoryObjects' : $ctx, sub { nav_of($e, $s) }, owner => $e->{_owner} // $e->{id}, mixed => $nav->{type} eq 'directoryObject', can => \%can); }
    if ($t->{name} eq 'user' && $s =~ /^(?:microsoft\.graph\.)?(\w+)$/ && $ACTION{$1}) { my $f = $ACTION{$1}; return { kind => 'action', type => 'user', can => { POST => sub { $f->($e, body()) } } } }
    if ($t->{name} eq 'user' && $s =~ /^(?:microsoft\.graph\.)?reminderView(?:\((.*)\))?$/s) { my $args = $1; return { kind => 'function', type => 'reminder', can => { GET => sub { reminders($e, $args, @_[1 .. $#_]) } } } }
    return no_path($s); }

# ---- reading
sub context { my ($n, $sel, $one) = @_; return $REQ{bare} || choice('context') eq 'absent' ? () : ('@odata.context' => "$REQ{base}/v1.0/\$metadata#$n->{ctx}" . ($sel ? '(' . join(',', sort keys %$sel) . ')' : '') . ($one ? '/$entity' : '')) }
sub shaped { my ($n, $e, $sel, $exp) = @_; push @{ $REQ{applied} }, qq(outlook.body-content-type="$REQ{body}") if $REQ{body} && $n->{type} eq 'message' && !grep { /body-content/ } @{ $REQ{applied} }; return shape($e, $sel, $exp, mixed => $n->{mixed}) }
sub single { my ($n, $status, $sel, $exp, %h) = @_; my $tag = etag_of($n->{e}); return answer($status, { context($n, $sel, 1), %{ shaped($n, $n->{e}, $sel, $exp) } }, $tag ? (ETag => $tag) : (), %h) }
sub tags ($text) {
    return '*' if $text =~ /^\s*\*\s*$/; return $text =~ /"([^"]*)"/g if $text =~ m{^\s*(?:W/)?"[^"]*"(?:\s*,\s*(?:W/)?"[^"]*")*\s*$};
    bad("Malformed entity tag '$text'.") if choice('etag-malformed') eq 'reject'; return; }
sub matches { my ($text, $e) = @_; my ($tag) = (etag_of($e) // '') =~ /"(.*)"/; return scalar grep { $_ eq '*' || defined $tag && $_ eq $tag } tags($text) }
sub precondition ($e) {
    my $h = $REQ{r}{h};
    fail(412, 'preconditionFailed', 'The change key passed in the request does not match the current change key for the item.') if defined $h->{'if-match'} && !matches($h->{'if-match'}, $e) || defined $h->{'if-none-match'} && matches($h->{'if-none-match'}, $e);
}
sub show ($n, @q) {
    options(\@q, qw(select expand)); my %q = map { @$_ } @q; my $sel = defined $q{'$select'} ? parse_select($q{'$select'}, $n->{type}) : undef;
    my $exp = defined $q{'$expand'} ? parse_expand($q{'$expand'}, $n->{type}) : undef;
    undef $sel if fault('select-item-ignored') && $n->{type} =~ /^(message|group)$/ || fault('manager-select') && $n->{single};
    undef $REQ{body} if fault('prefer-single'); my ($given, $tag) = ($REQ{r}{h}{'if-none-match'}, etag_of($n->{e}));
    return { status => 304, h => { $tag ? (ETag => $tag) : () } } if defined $given && matches($given, $n->{e});
    return single({ %$n, mixed => $n->{ctx} eq 'directoryObjects' }, 200, $sel, $exp); }
sub token { my ($t) = @_; my $s = encode_base64url($json->encode($t)); return substr(md5_hex("k$s"), 0, 6) . $s }
sub untoken { my ($s, $status) = @_; my ($sum, $rest) = $s =~ /^(.{6})([\w-]+)$/; fail($status, 'badRequest', 'The token is not valid or has expired.') if !$rest || substr(md5_hex("k$rest"), 0, 6) ne $sum; return $json->decode(decode_base64url($rest)) }
sub escape { return join '', map { /[\w.~\$'(),:\/*-]/a && ord($_) < 128 ? $_ : sprintf '%%%02X', ord } split //, encode_utf8($_[0]) }
sub link_to { my (@q) = @_; return "$REQ{base}" . $REQ{r}{path} . '?' . join '&', map { escape($_->[0]) . '=' . escape($_->[1]) } @q }
sub chosen ($n, $q, $count) {    # rows that $filter and $search leave
    my ($type, $set, @rows) = ($n->{type}, $TYPE{ $n->{type} }{set}, $n->{rows}->());
    options([['$filter', '']]) if defined $q->{'$filter'} && $set eq 'driveItems' && choice('drive-filter') eq 'refused';
    options([['$search', '']]) if defined $q->{'$search'} && $type !~ /^(user|group|directoryObject|message)$/;
    for my $o (qw(order filter)) { options([['$search', '']]) if defined $q->{'$search'} && $type eq 'message' && defined $q->{ $o eq 'order' ? '$orderby' : '$filter' } && choice("search-$o") eq 'refused' }
    $$count = @rows;
    if (defined $q->{'$filter'}) { my $f = compile_filter($q->{'$filter'}, $type); @rows = grep { $f->($_) } @rows }
    if (defined $q->{'$search'}) { Query::gate($set, '$search'); my $f = compile_search($q->{'$search'}, $type); @rows = grep { $f->($_) } @rows }
    $$count = @rows if !fault('count-ignores-filter'); return @rows; }
sub count ($n, @q) {
    options(\@q, qw(filter search)); my %q = map { @$_ } @q; gate($TYPE{ $n->{type} }{set}, '$count') if $TYPE{ $n->{type} }{set} =~ /users|groups/;
    options([['$count', '']]) if $n->{type} eq 'driveItem' && choice('drive-count') eq 'refused'; chosen($n, \%q, \my $count);
    return { status => 200, text => "$count", h => { 'Content-Type' => 'text/plain' } }; }
sub list ($n, @q) {
    my ($type, $set) = ($n->{type}, $TYPE{ $n->{type} }{set}); my (%q, $offset, $left) = map { @$_ } @q;
    if (defined $q{'$skiptoken'}) {
        my $t = untoken($q{'$skiptoken'}, 400); ($offset, $left) = @$t{qw(o l)};
        if ($t->{q}) { @q = @{ $t->{q} }; %q = map { @$_ } @q } }
    options(\@q, qw(select filter orderby expand top skip count search skiptoken)); my $no_skip = $set =~ /^(users|groups)$/ && choice("skip.$set") eq 'refused';
    bad("'\$skip' is not supported by the service.", '$skip') if $no_skip && defined $q{'$skip'}; my $counted = $q{'$count'} // 'false';
    bad("The value of \$count is true or false.", '$count') if $counted !~ /^(true|false)$/;
    options([['$count', '']]) if $counted eq 'true' && $set eq 'driveItems' && choice('drive-count') eq 'refused';
    gate($set, '$count') if $counted eq 'true' && $set =~ /users|groups/ && (choice('count-gate') eq 'always' || grep { defined $q{$_} } qw($filter $search $orderby));
    my @rows = chosen($n, \%q, \my $total); my $sel = defined $q{'$select'} ? parse_select($q{'$select'}, $type) : undef;
    my $exp = defined $q{'$expand'} ? parse_expand($q{'$expand'}, $type) : undef; my $sort = sub { defined $q{'$orderby'} ? sort_rows($q{'$orderby'}, $type, @_) : @_ };
    @rows = $sort->(@rows) if !fault('order-after-paging');
    my ($mode, $max, $size) = (choice("top.$set"), choice("max.$set"), choice('page.' . ($n->{mixed} ? 'members' : $set)));
    my $top = defined $q{'$top'} ? whole('$top', $q{'$top'}) : undef;
    bad("Invalid page size specified: '$top'. Must be between 1 and $max inclusive.", '$top') if defined $top && (!$top && $set ne 'driveItems' && choice("top-zero.$set") eq 'reject' || $top > $max && choice("over-max.$set") eq 'reject');
    $offset //= defined $q{'$skip'} ? whole('$skip', $q{'$skip'}) : 0; $left //= $top if $mode ne 'page';
    $size = min($top // $left, $max) if $mode ne 'cut' && defined($top // $left);
    if ($REQ{size}) { $size = min($size, $REQ{size}); push @{ $REQ{applied} }, "odata.maxpagesize=$REQ{size}" }
    $size = min($size, $left) if defined $left; my $more = $size > 0 && $offset + $size < @rows && (!defined $left || $left > $size);
    @rows = $offset < @rows ? splice(@rows, $offset, $size) : (); @rows = $sort->(@rows) if fault('order-after-paging');
    my %out = (context($n, $sel), value => [map { shaped($n, $_, $sel, $exp) } @rows]); $out{'@odata.count'} = $total if $counted eq 'true';
    if ($more) {
        my %drop = ('$skip' => 1, '$skiptoken' => 1, '$top' => $mode ne 'page', '$count' => choice('count-pages') eq 'first', '$filter' => fault('next-loses-filter'));
        my @keep = grep { !$drop{ $_->[0] } } @q;
        my ($at, $rest, $form) = ($offset + $size + (fault('next-off-by-one') ? 1 : 0), defined $left ? $left - $size : undef, choice("next.$set"));
        $form = 'skiptoken' if $form eq 'skip' && $no_skip;
        $out{'@odata.nextLink'} = link_to($form eq 'skip' ? (@keep, ['$skip', $at], defined $rest ? ['$top', $rest] : ()) : $form eq 'opaque' ? ['$skiptoken', token({ o => $at, l => $rest, q => \@keep })] : (@keep, ['$skiptoken', token({ o => $at, l => $rest })]));
    }
    return answer(200, \%out); }
sub delta ($n, @q) {
    options(\@q, qw(select filter skiptoken deltatoken)); my %q = map { @$_ } @q;
    my $t = { s => 0, at => clock(), o => 0, select => $q{'$select'}, filter => $q{'$filter'} }; my $given = $q{'$skiptoken'} // $q{'$deltatoken'};
    if (defined $given && $given eq 'latest') { $t->{s} = clock() }
    elsif (defined $given) { $t = untoken($given, choice('delta-token')); ($t->{at}, $t->{o}) = (clock(), 0) if defined $q{'$deltatoken'} }
    options([['$filter', '']]) if defined $t->{filter} && $t->{filter} !~ /^\s*id eq '[^']*'(\s+or\s+id eq '[^']*')*\s*$/;
    my $sel = defined $t->{select} && !fault('delta-select') ? { id => 1, %{ parse_select($t->{select}, 'user') } } : undef;
    my $f = defined $t->{filter} ? compile_filter($t->{filter}, 'user') : sub { 1 }; my @rows = grep { $f->($_) } changed_since($t->{s}); my $size = choice('page.delta');
    my $more = $t->{o} + $size < @rows; my @page = map { shape($_, $sel) } splice @rows, $t->{o}, $size;
    if (choice('delta-nulls') eq 'omit') { for my $e (@page) { delete $e->{$_} for grep { !defined $e->{$_} } keys %$e } }
    my $link = $more ? link_to(['$skiptoken', token({ %$t, o => $t->{o} + $size })]) : link_to(['$deltatoken', token({ %$t, s => $t->{at}, o => 0 })]);
    return answer(200, { context($n, $sel), value => \@page, ($more ? '@odata.nextLink' : '@odata.deltaLink') => $link }); }
sub reminders ($u, $args, @q) {
    options(\@q); my %given = map { lc $_->[0] => $_->[1] =~ s/^'(.*)'$/$1/sr } @q;
    if (defined $args) { while ($args =~ /(\w+)\s*=\s*(?:'((?:[^']|'')*)'|(@\w+))/g) { $given{ lc $1 } = $2 // $given{ lc $3 } } }
    my @window;
    for (qw(startDateTime endDateTime)) {
        my $v = $given{ lc $_ }; bad("The parameter '$_' is required and must not be empty.", $_) if !defined $v || $v eq '';
        push @window, date_key($v =~ /T[\d:.]+$/ ? "${v}Z" : $v) // bad("The parameter '$_' is not an ISO 8601 timestamp.", $_); }
    bad('The window ends before it starts.') if $window[1] lt $window[0]; my @out;
    for my $e (nav_of($u, 'events')) {
        my ($from, $to) = map { date_key("$e->{$_}{dateTime}Z") } qw(start end);
        next if $from ge $window[1] || (choice('reminder-window') eq 'start' ? $from lt $window[0] : $to le $window[0]);
        my $fire = $e->{start}{dateTime} =~ s/T10:00/T09:45/r;
        push @out, shape({ _type => 'reminder', eventId => $e->{id}, eventSubject => $e->{subject}, eventStartTime => $e->{start}, eventEndTime => $e->{end}, eventLocation => $e->{location}, changeKey => undef, reminderFireTime => { dateTime => $fire, timeZone => 'UTC' } });
    }
    return answer(200, { context({ ctx => 'Collection(microsoft.graph.reminder)' }), value => \@out }); }

# ---- bodies
sub body {
    my $r = $REQ{r};
    fail(choice('media'), 'unsupportedMediaType', 'The body must be declared as application/json.') if ($r->{h}{'content-type'} // '') !~ m{^application/(?:[\w.+-]+\+)?json\b}i;
    my $in = eval { $json->decode($r->{body}) }; return ref $in eq 'HASH' ? $in : bad('Unable to read JSON request payload: a JSON object is expected.'); }
sub listed { my ($v) = @_; return !defined $v ? [] : kind($v) ne 'ARRAY' || grep({ kind($_) ne 'str' } @$v) ? bad('A list of strings is expected.') : $v }
sub kind { my ($v) = @_; return !defined $v ? 'null' : JSON::PP::is_bool($v) ? 'bool' : ref $v || (B::svref_2object(\$v)->FLAGS & B::SVf_POK ? 'str' : 'number') }
my %ENUM = (importance => [qw(low normal high)], bodyType => [qw(text html)]);
sub checked ($p, $v, $old = undef) {
    my $wrong = sub { bad("Invalid value specified for property '$p->{name}'.", $p->{name}) };
    if ($p->{many}) { $wrong->() if kind($v) ne 'ARRAY'; return [map { checked({ %$p, many => 0, null => 0 }, $_) } @$v] }
    if (!defined $v) { $p->{null} or $wrong->(); return undef }
    my ($t, $k) = ($TYPE{ $p->{type} }, kind($v));
    if ($t) { $wrong->() if $k ne 'HASH'; return { %{ $old // {} }, %{ fields($t, $v, $old) } } }
    if (my $e = $ENUM{ $p->{type} }) { my ($hit) = grep { $k eq 'str' && (choice('enum-case') eq 'tolerant' ? lc $v : $v) eq $_ } @$e; return $hit // $wrong->() }
    $wrong->() if $k ne ({ bool => 'bool', int => 'number' }->{ $p->{type} } // 'str') || $p->{type} eq 'date' && !date_key($v); return $v; }
sub fields ($t, $in, $old = undef) {    # the checked properties of a body
    my %out;
    for my $n (grep { !/\@/ } keys %$in) {
        my $p = $t->{props}{$n}; next if !$p && $t->{navs}{$n} && !$old;
        if (!$p) { next if choice("body-unknown.$t->{set}") eq 'ignore'; bad("Invalid property '$n': it does not exist on type 'microsoft.graph.$t->{name}'.", $n) }
        if ($p->{fixed}) { next if choice("body-readonly.$t->{set}") eq 'ignore'; bad("Property '$n' is read-only and cannot be set.", $n) }
        $out{$n} = checked($p, $in->{$n}, $old && $old->{$n}); }
    return \%out; }
sub minimal { my (%h) = @_; push @{ $REQ{applied} }, 'return=minimal'; return { status => 204, h => \%h } }
sub change ($n, @) {
    precondition(my $e = $n->{e}); my $new = fields($TYPE{ $n->{type} }, body(), $e); $new->{importance} //= 'normal' if fault('patch-resets') && $n->{type} eq 'message';
    %$e = (%$e, %$new); describe_message($e) if $n->{type} eq 'message'; touch($e); $e->{_version}-- if fault('etag-stays') && $n->{type} eq 'message';
    return $REQ{minimal} ? minimal(etag_of($e) ? (ETag => etag_of($e)) : ()) : single($n, 200); }
sub erase { my ($n) = @_; precondition($n->{e}) if !fault('delete-if-match'); remove($n->{e}); return { status => 204, h => {} } }
sub describe_message ($e) {
    ($e->{lastModifiedDateTime}, $e->{bodyPreview}) = (now_text(), substr(($e->{body} ? $e->{body}{content} // '' : '') =~ s/<[^>]*>//gr, 0, 255)); }
sub created ($e, $ctx) {
    if (fault('create-false-lost')) { for (grep { JSON::PP::is_bool($e->{$_}) && /Enabled$|^isRead$/ } keys %$e) { $e->{$_} = JSON::PP::true } }
    insert($e); my $at = $REQ{r}{path} =~ s{/$}{}r . '/' . escape($e->{id}) =~ s{/}{%2F}gr;
    my %h = (Location => (choice('location') eq 'absolute' ? $REQ{base} : '') . $at);
    return $REQ{minimal} ? minimal(%h, 'OData-EntityId' => $REQ{base} . $at) : single({ e => $e, type => $e->{_type}, ctx => $ctx }, 201, undef, undef, %h); }
sub new_message ($n, @) {
    my $in = body(); my %m = %{ fields($TYPE{message}, $in) }; delete $m{receivedDateTime} if choice('message-date') eq 'server';
    my ($now, $u) = (now_text(), by_id('user', $n->{owner})); my ($drafts) = grep { $_->{displayName} eq 'Drafts' } nav_of($u, 'mailFolders');
    my $from = { emailAddress => { name => $u->{displayName}, address => $u->{mail} // $u->{userPrincipalName} } };
    my $e = { _type => 'message', _owner => $u->{id}, id => new_id('messages'), subject => '', body => { contentType => 'text', content => '' }, toRecipients => [], ccRecipients => [], from => $from, receivedDateTime => $now,
        isRead => choice('message-read') eq 'true' ? JSON::PP::true : JSON::PP::false, importance => 'normal', isDraft => JSON::PP::true, categories => [], parentFolderId => $drafts && $drafts->{id}, createdDateTime => $now, %m };
    $e->{body}{contentType} //= 'text' if $e->{body};
    for (['attachments', '_attachments', 'attachment'], ['singleValueExtendedProperties', '_extended', 'extendedProperty']) {
        my ($name, $slot, $type) = @$_; my $rows = $in->{$name} // next;
        bad("Invalid value specified for property '$name'.", $name) if kind($rows) ne 'ARRAY' || grep { kind($_) ne 'HASH' || kind($_->{name} // $_->{id}) ne 'str' } @$rows;
        $e->{$slot} = [map { { _type => $type, contentType => $_->{contentType}, size => length($_->{contentBytes} // ''), isInline => JSON::PP::false, %$_, id => $type eq 'attachment' ? new_id('messages') : $_->{id} } } @$rows]; }
    $e->{hasAttachments} = @{ $e->{_attachments} // [] } ? JSON::PP::true : JSON::PP::false; describe_message($e); return created($e, $n->{ctx}); }
sub new_group ($n, @) {
    my $in = body(); my %g = %{ fields($TYPE{group}, $in) };
    my %need = (four => [qw(displayName mailEnabled mailNickname securityEnabled)], name => ['displayName'], none => []);
    for (@{ $need{ choice('group-required') } }) { bad("A value is required for property '$_' of resource 'Group'.", $_) if !defined $g{$_} || $g{$_} eq '' }
    my $nick = $g{mailNickname} //= 'g' . time . $$;
    bad("Invalid value specified for property 'mailNickname' of resource 'Group'.", 'mailNickname') if choice('group-nickname') eq 'checked' && $nick !~ /^[^\@()\\\[\]";:.<>, \x80-\x{10ffff}]{1,64}$/;
    fail(choice('group-duplicate'), choice('group-duplicate') == 400 ? 'badRequest' : 'conflict', 'Another object with the same value for property mailNickname already exists.', 'mailNickname')
      if choice('group-duplicate') ne 'accept' && grep { lc $_->{mailNickname} eq lc $nick } groups();
    my @members = map { m{([^/]+)$} && (by_id('user', $1) || by_id('group', $1)) || bad("The member '$_' does not exist.", 'members') } @{ listed($in->{'members@odata.bind'}) };
    return created({ _type => 'group', id => new_id('groups'), displayName => '', description => undef, mailEnabled => JSON::PP::false, securityEnabled => JSON::PP::true, groupTypes => [], createdDateTime => now_text(),
        _members => [map { $_->{id} } @members], mail => $g{mailEnabled} ? "$nick\@contoso.example" : undef, %g }, $n->{ctx}); }

# ---- actions and batches
sub groups_of {
    my ($e, $seen) = (@_, {});
    for my $g (grep { !$seen->{ $_->{id} } } nav_of($e, 'memberOf')) { $seen->{ $g->{id} } = 1; groups_of($g, $seen) if !fault('members-direct') }
    return grep { $seen->{ $_->{id} } } groups(); }
sub strings { return answer(200, { context({ ctx => 'Collection(Edm.String)' }), value => [@_] }) }
sub member_groups ($u, $in) {
    my $only = $in->{securityEnabledOnly};
    bad("The parameter 'securityEnabledOnly' is a boolean.", 'securityEnabledOnly') if defined $only ? kind($only) ne 'bool' : choice('member-missing') eq 'reject';
    return strings(map { $_->{id} } grep { !$only || $_->{securityEnabled} } groups_of($u)); }
sub check_members ($u, $in) {
    my $ids = $in->{ids}; bad("The parameter 'ids' is a list of strings.", 'ids') if kind($ids) ne 'ARRAY' || grep { kind($_) ne 'str' } @$ids;
    my (%asked, %seen) = map { $_ => 1 } @$ids; my @in = grep { $asked{$_} } map { $_->{id} } groups_of($u); my %in = map { $_ => 1 } @in;
    return strings(choice('member-order') eq 'request' ? grep({ $in{$_} && !$seen{$_}++ } @$ids) : @in); }
sub batch {
    my $list = body()->{requests}; bad('A batch holds a list of 1 to 20 requests.') if kind($list) ne 'ARRAY' || !@$list || @$list > 20; my (%status, @out, %ids);
    for my $q (@$list) {
        bad('Every request of a batch needs id, method and url.') if kind($q) ne 'HASH' || grep { kind($q->{$_}) ne 'str' || $q->{$_} eq '' } qw(id method url);
        bad("The id '$q->{id}' is used twice.") if $ids{ lc $q->{id} }++; listed($q->{dependsOn}); }
    my $outer = $REQ{r}{h};
    for my $q (@$list) {
        my %h = fault('batch-headers') ? ('content-type' => 'application/json') : map { lc $_ => $q->{headers}{$_} } keys %{ kind($q->{headers}) eq 'HASH' ? $q->{headers} : {} };
        my ($path, $query) = $q->{url} =~ m{^(?:https?://[^/]+/v1\.0)?/?([^?]*)\??(.*)$}s; my $failed = grep { ($status{$_} // 424) >= 400 } @{ listed($q->{dependsOn}) };
        my $a = $failed || $path =~ /^\$batch/ ? { status => $failed ? 424 : 400, h => {}, data => { error => { code => 'badRequest', message => $failed ? 'A request it depends on failed.' : 'Batches do not nest.' } } }
          : handle({ method => uc $q->{method}, path => "/v1.0/$path", query => encode_utf8($query) =~ s/ /%20/gr, h => { host => $outer->{host}, authorization => $outer->{authorization}, %h }, body => exists $q->{body} ? $json->encode($q->{body}) : '' });
        $status{ $q->{id} } = $a->{status};
        push @out, { id => $q->{id}, status => $a->{status}, headers => $a->{h}, exists $a->{data} ? (body => $a->{data}) : defined $a->{text} ? (body => $a->{text}) : () }; }
    return answer(200, { responses => [choice('batch-order') eq 'request' ? @out : reverse @out] }); }
1;
