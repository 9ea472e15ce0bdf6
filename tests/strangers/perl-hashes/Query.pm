package Query;    # query options: parsing, $filter, $orderby, $search, $select, $expand and the shape of items
use v5.36;
use Conf; use Data; use JSON::PP (); use Digest::MD5 'md5_hex'; use Encode qw(decode encode_utf8);
use Exporter 'import';
our @EXPORT = qw(fail gate text_of query_pairs compile_filter sort_rows compile_search parse_select parse_expand shape etag_of whole);
our %REQ;    # of the request at hand: eventual, body (text|html), bare (no annotations), base

sub fail { my ($status, $kind, $message, $target) = @_; die { status => $status, kind => $kind, message => $message, target => $target } }
sub bad { fail(400, 'badRequest', @_) }
sub unsupported { fail(choice('unsupported'), 'unsupported', @_) }
sub gated { my ($set) = @_; return 1 if $set =~ /^(users|groups)$/; return choice("gate.$set") eq 'gated' }
sub gate ($set, $what) {
    fail(400, 'unsupported', "Advanced query capabilities are not available: $what needs the request header 'ConsistencyLevel: eventual'.") if gated($set) && !$REQ{eventual}; }
sub text_of ($raw) {
    bad("Malformed percent-encoding in '$raw'.") if $raw =~ /%(?![0-9A-Fa-f]{2})/; my $bytes = $raw =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
    return eval { decode('UTF-8', $bytes, Encode::FB_CROAK) } // bad('The address is not UTF-8.'); }
my %SYSTEM = map { $_ => 1 } qw(select filter orderby expand top skip count search format skiptoken deltatoken);
sub query_pairs ($raw) {
    my (@pairs, %seen);
    for (grep { length } split /&/, $raw) {
        s/\+/%20/g if choice('plus') eq 'space'; my ($n, $v) = map { text_of($_) } /^([^=]*)=?(.*)$/s;
        $n = "\$$n" if $SYSTEM{ lc $n } && choice('dollarless') eq 'honoured'; $n = lc $n if $n =~ /^\$/;
        bad("Query option '$n' was specified more than once.") if $n =~ /^\$/ && $seen{$n}++; push @pairs, [$n, $v]; }
    return @pairs; }
sub whole { my ($n, $v) = @_; return $v =~ /^\d{1,9}$/ ? 0 + $v : bad("The value '$v' of $n is not a non-negative integer.", $n) }

# ---- $filter: a recursive descent that returns nodes [type, sub (entity) -> value]
our ($txt, $set, $root, $depth, %var, $env);
my %PRIMITIVE = (str => 'str', bool => 'bool', date => 'date', int => 'int', guid => 'guid', importance => 'str', bodyType => 'str');
sub syntax { bad("Invalid filter clause: syntax error at position " . (pos($txt) // 0) . " in '$txt'.") }
sub word { my ($re) = @_; return choice('keyword-case') eq 'any' ? qr/$re/i : qr/$re/ }
sub folded { my ($v) = @_; return choice('case.' . ($set // 'users')) eq 'insensitive' ? fc $v : $v }

sub compile_filter ($text, $type) {
    local ($txt, $set, $root, $depth, %var) = ($text =~ s/^\s+|\s+$//gr, $TYPE{$type}{set}, $type, 0); pos($txt) = 0; my $node = p_or();
    syntax() if pos($txt) < length $txt; bad("Invalid filter clause: the expression is not boolean.") if $node->[0] !~ /^(bool|null)$/; my $s = $set;
    return sub { local ($set, $env) = ($s, {}); return $node->[1]->($_[0]) }; }
sub logical ($or, $l, $r) {
    for ($l, $r) { bad("Invalid filter clause: operand of and/or is not boolean.") if $_->[0] !~ /^(bool|null)$/ }
    my ($a, $b) = ($l->[1], $r->[1]);
    return ['bool', sub {
        my $x = $a->($_[0]);
        return $x if defined $x && !!$x == !!$or;    # true or ..., false and ...
        my $y = $b->($_[0]); return $y if defined $y && !!$y == !!$or; return defined $x && defined $y ? !$or : undef; }]; }
sub joined { my ($w) = @_; my $re = word("$w"); return $txt =~ /\G(?:\s+|(?<=\)))$re(?=[\s(])\s*/gc }
sub p_or { my $left = p_and(); $left = logical(1, $left, p_and()) while joined('or'); return $left; }
sub p_and {
    my $left = p_comparison();
    while (1) {
        if (joined('and')) { $left = logical(0, $left, p_comparison()) }
        elsif (fault('filter-precedence') && joined('or')) { $left = logical(1, $left, p_comparison()) }
        else { return $left } } }
sub p_comparison {
    my $l = p_unary(); my $re = word("eq|ne|gt|ge|lt|le|in|has|add|sub|mul|div|divby|mod"); $txt =~ /\G\s+($re)(?=[\s(])\s*/gc or return $l; my $op = lc $1;
    unsupported("Operator '$op' is not supported.") if $op =~ /^(has|add|sub|mul|div|divby|mod)$/; return compared($op, $l, p_unary()) if $op ne 'in';
    $txt =~ /\G\(\s*/gc or syntax(); my @any = (['bool', sub { 0 }]);
    until ($txt =~ /\G\s*\)/gc) { syntax() if @any > 1 && $txt !~ /\G\s*,\s*/gc; push @any, compared('eq', $l, p_unary()) }
    return ['bool', sub { for my $n (@any) { return 1 if $n->[1]->($_[0]) } return 0 }]; }
sub compared ($op, $l, $r) {
    my ($t) = grep { $_ ne 'null' } $l->[0], $r->[0]; $t //= 'null'; my $other = $l->[0] eq $t ? $r->[0] : $l->[0];
    if ($t ne $other && $other ne 'null') {
        my %is = ($t => 1, $other => 1); my ($text) = grep { $_->[0] eq 'str' } $l, $r;
        if ($is{str} && $is{guid}) { $t = 'guid' }
        elsif ($is{str} && $is{date} && $text->[2] && choice('quoted-dates') eq 'cast' && date_key($text->[1]->())) { $t = 'date' }
        else { bad("Invalid filter clause: incompatible types '$l->[0]' and '$r->[0]' for operator '$op'.") } }
    bad("Invalid filter clause: operator '$op' does not apply to '$t'.") if !($PRIMITIVE{$t} || $t eq 'null' || ($other eq 'null' && $op =~ /eq|ne/ && $t ne 'collection'));
    my ($a, $b) = ($l->[1], $r->[1]);
    return ['bool', sub {
        my ($x, $y) = ($a->($_[0]), $b->($_[0]));
        if (!defined $x || !defined $y) {
            return 0 if $op eq 'ne' && $t eq 'str' && fault('filter-ne-null') && (defined $x || defined $y);
            return $op eq 'eq' ? !defined $x && !defined $y : $op eq 'ne' ? defined $x || defined $y : 0; }
        my $c = ranked($t, $x, $y); return $op eq 'eq' ? $c == 0 : $op eq 'ne' ? $c != 0 : $op eq 'gt' ? $c > 0 : $op eq 'ge' ? $c >= 0 : $op eq 'lt' ? $c < 0 : $c <= 0; }]; }
sub ranked ($t, $x, $y) {
    return $x <=> $y if $t =~ /^(int|bool)$/; return date_key($x) cmp date_key($y) if $t eq 'date' && !fault('filter-date-text');
    return $t eq 'guid' ? lc $x cmp lc $y : $t eq 'date' ? $x cmp $y : folded($x) cmp folded($y); }
sub p_unary {
    my $not = word("not");
    if ($txt =~ /\G\s*$not(?=[\s(])\s*/gc) {
        my $n = p_unary(); bad("Invalid filter clause: operand of not is not boolean.") if $n->[0] !~ /^(bool|null)$/;
        return ['bool', sub { my $v = $n->[1]->($_[0]); return defined $v ? !$v : undef }]; }
    if ($txt =~ /\G\(\s*/gc) { local $depth = $depth + 1; my $n = p_or(); $txt =~ /\G\s*\)/gc or syntax(); return $n; }
    return literal('str', $1 =~ s/''/'/gr) if $txt =~ /\G'((?:[^']|'')*)'/gc;
    return literal('guid', $1) if $txt =~ /\G([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gci;
    if ($txt =~ /\G(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))(?!\w)/gci) { my $d = $1; date_key($d) // syntax(); return literal('date', $d) }
    return literal('int', 0 + $1) if $txt =~ /\G(-?\d+(?:\.\d+)?)(?![\w-])/gc;
    return $1 =~ /null/i ? ['null', sub { undef }] : literal('bool', lc $1 eq 'true' ? 1 : 0) if $txt =~ m{\G(null|true|false)(?![\w/(])}gci;
    return function(lc $1) if $txt =~ /\G(\w+)\(\s*/gc; return path(); }
sub literal { my ($t, $v) = @_; return [$t, sub { $v }, 1] }
my %FUNCTION = (
    startswith => sub { index($_[0], $_[1]) == 0 }, contains => sub { index($_[0], $_[1]) >= 0 }, tolower => sub { lc $_[0] },
    endswith => sub { length $_[0] >= length $_[1] && substr($_[0], length($_[0]) - length $_[1]) eq $_[1] });
sub function ($name) {
    my $f = $FUNCTION{$name} or unsupported("Function '$name' is not supported."); my @arg = p_unary(); push @arg, p_unary() while $txt =~ /\G\s*,\s*/gc;
    $txt =~ /\G\s*\)/gc or syntax();
    bad("Invalid filter clause: wrong arguments of '$name'.") if @arg != ($name eq 'tolower' ? 1 : 2) || grep { $_->[0] !~ /^(str|null)$/ } @arg;
    gate($set, 'contains') if $name eq 'contains' && !($depth && fault('gate-nested-contains'));
    return [$name eq 'tolower' ? 'str' : 'bool', sub {
        my @v = map { $_->[1]->($_[0]) } @arg; return undef if grep { !defined } @v; return $f->(map { folded($_) } @v) ? 1 : 0 if $name ne 'tolower'; return $f->(@v); }]; }
sub path {
    my ($type, $get, $many) = ($root, sub { $_[0] }, 0); $txt =~ /\G\$it\//gc;
    for (my $first = 1; ; $first = 0) {
        unsupported("\$count is not supported in expressions.") if $txt =~ /\G\$count/gc; $txt =~ /\G(\w+)/gc or syntax(); my $name = $1;
        if ($first && exists $var{$name}) { my $v = $name; $type = $var{$name}; $get = sub { $env->{$v} } }
        else {
            my $t = $TYPE{$type}; my ($p, $nav) = ($t && $t->{props}{$name}, $t && $t->{navs}{$name});
            bad("Could not find a property named '$name' on type '$type'.", $name) if !$p && !$nav; my ($up, $is_nav) = ($get, !$p); $many = ($p || $nav)->{many};
            $type = ($p || $nav)->{type}; $type = $PRIMITIVE{$type} // $type; my $list = $many;
            $get = $is_nav ? sub { my $e = $up->($_[0]) // return; my @r = nav_of($e, $name); return $list ? \@r : $r[0] }
              : sub { my $v = $up->($_[0]) // return undef; $v = $v->{$name}; return JSON::PP::is_bool($v) ? ($v ? 1 : 0) : $v }; }
        return lambda($1, $type, $get) if $many && $txt =~ m{\G/(any|all)\(\s*}gci; last if $many || $txt !~ m{\G/}gc; }
    return [$many ? 'collection' : $type, $get]; }
sub lambda {
    my ($how, $type, $get) = (lc $_[0], @_[1, 2]); gate($set, 'a collection lambda');
    return ['bool', sub { @{ $get->($_[0]) // [] } ? 1 : 0 }] if $how eq 'any' && $txt =~ /\G\)/gc; $txt =~ /\G(\w+)\s*:\s*/gc or syntax(); my $v = $1;
    local $var{$v} = $type; my $n = p_or(); $txt =~ /\G\s*\)/gc or syntax(); bad("Invalid filter clause: the lambda is not boolean.") if $n->[0] !~ /^(bool|null)$/;
    return ['bool', sub {
        for my $x (@{ $get->($_[0]) // [] }) { local $env = { %$env, $v => $x }; my $hit = $n->[1]->($_[0]) ? 1 : 0; return $hit if $hit == ($how eq 'any'); }
        return $how eq 'all' ? 1 : 0; }]; }

# ---- $orderby and $search
sub sort_rows ($spec, $type, @rows) {
    local ($txt, $set, $root, %var) = ($spec, $TYPE{$type}{set}, $type); my @keys;
    for my $part (split /,/, $spec, -1) {
        my ($p, $dir) = $part =~ m{^\s*([\w/]+)(?:\s+(asc|desc))?\s*$}i or bad("Invalid \$orderby '$spec'.", '$orderby'); local $txt = $p; pos($txt) = 0;
        my $node = eval { path() };
        if (!$node || !$PRIMITIVE{ $node->[0] } || pos($txt) < length $p) { next if fault('order-unknown-ignored'); bad("Unsupported sort property '$p'.", '$orderby') }
        my $sign = lc($dir // 'asc') eq 'desc' && !(@keys && fault('order-second-desc')) ? -1 : 1; push @keys, [$sign, @$node]; }
    my $null = choice('nulls.' . ($set eq 'driveItems' ? $set : 'users')) eq 'first' ? -1 : 1; local $env = {};
    return map { $_->[0] } sort {
        my $c = 0;
        for my $i (1 .. @keys) {
            my ($sign, $t) = @{ $keys[$i - 1] }; my ($x, $y) = ($a->[$i], $b->[$i]);
            $c = $sign * (defined $x ? defined $y ? ranked($t, $x, $y) : -$null : defined $y ? $null : 0); last if $c; }
        $c
    } map { my $e = $_; [$e, map { $_->[2]->($e) } @keys] } @rows; }
sub compile_search ($text, $type) {
    my $s = $TYPE{$type}{set}; my @tokens = $text =~ /("(?:[^"\\]|\\.)*"|\(|\)|[^\s()"]+)/g;
    bad("Invalid \$search '$text'.", '$search') if join('', @tokens) ne $text =~ s/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)//gr || !@tokens;
    @tokens = $tokens[0] if fault('search-first-term'); my ($expr, $both, $term);
    my %alias = (from => ['from'], to => ['toRecipients'], body => ['body'], recipients => ['toRecipients', 'ccRecipients'], participants => ['from', 'toRecipients', 'ccRecipients']);
    $term = sub {
        my $t = shift @tokens // bad("Invalid \$search '$text'.", '$search');
        if ($t eq 'NOT') { my $n = $term->(); return sub { !$n->($_[0]) } }
        if ($t eq '(') { my $n = $expr->(); (shift(@tokens) // '') eq ')' or bad("Invalid \$search '$text'.", '$search'); return $n }
        bad("Invalid \$search term $t: the form is \"property:term\".", '$search') if $t !~ /^"(.*)"$/s; my ($p, $what) = $1 =~ s/\\(.)/$1/gr =~ /^(?:(\w+):)?(.*)$/s;
        bad("\$search needs a property: \"property:term\".", '$search') if !defined $p && $s ne 'messages' || $what !~ /\w/;
        my @props = !defined $p ? qw(subject body from) : $s eq 'messages' && $alias{$p} ? @{ $alias{$p} } : $p;
        for (@props) { my $d = prop_of($type, $_); bad("'$_' cannot be searched.", '$search') if !$d || $d->{type} !~ /^(str|itemBody|recipient|importance)$/ }
        my $mode = choice('search.' . ($s eq 'driveItems' ? 'users' : $s)); my @want = fc($what) =~ /(\w+)/g;
        return sub {
            my $value = fc join ' ', map { flat($_[0]{$_}) } @props; return index($value, fc $what) >= 0 if $mode eq 'substring'; my @have = $value =~ /(\w+)/g;
            for my $w (@want) { return 0 if !grep { $mode eq 'word' ? $_ eq $w : index($_, $w) == 0 } @have }
            return 1; }; };
    $both = sub {
        my $l = $term->();
        while (@tokens && $tokens[0] !~ /^(OR|\))$/) { shift @tokens if $tokens[0] eq 'AND'; my ($a, $r) = ($l, $term->()); $l = sub { $a->($_[0]) && $r->($_[0]) } }
        return $l; };
    $expr = sub {
        my $l = $both->();
        while (@tokens && $tokens[0] eq 'OR') { shift @tokens; my ($a, $r) = ($l, $both->()); $l = sub { $a->($_[0]) || $r->($_[0]) } }
        return $l; };
    my $all = $expr->(); bad("Invalid \$search '$text'.", '$search') if @tokens; return $all; }
sub flat ($v) {
    return ref $v eq 'HASH' ? map({ flat($_ eq 'content' ? $v->{$_} =~ s/<[^>]*>/ /gr : $v->{$_}) } grep { $_ ne 'contentType' } sort keys %$v) : ref $v eq 'ARRAY' ? map({ flat($_) } @$v) : $v // (); }

# ---- $select and $expand
sub parse_select ($text, $type) {
    my %tree;
    for my $path ($text eq '' ? '' : split /,/, $text, -1) {
        my ($name, $rest) = $path =~ m{^\s*(\w+|\*)(?:/([\w/]+))?\s*$} or bad("Invalid \$select '$text'.", '$select');
        my ($t, $p) = ($TYPE{$type}, $TYPE{$type}{props}{$name});
        if ($name ne '*' && !$p && !$t->{navs}{$name} || defined $rest && !($p && $TYPE{ $p->{type} })) {
            next if $t->{entity} && choice('select-unknown.' . $t->{set}) eq 'ignore';
            bad("Parsing OData Select and Expand failed: Could not find a property named '$path' on type 'microsoft.graph.$type'.", '$select'); }
        $tree{$name} = 1 if !defined $rest;
        $tree{$name} = { %{ $tree{$name} // {} }, %{ parse_select($rest, $p->{type}) } } if defined $rest && !(exists $tree{$name} && !ref $tree{$name}); }
    return \%tree; }
sub pieces ($text, $by) {    # split outside of parentheses and quotes
    my ($level, $quoted, @out) = (0, 0, '');
    for my $c (split //, $text) {
        $quoted = !$quoted if $c eq "'"; $level += $c eq '(' ? 1 : $c eq ')' ? -1 : 0 if !$quoted;
        if ($c eq $by && !$level && !$quoted) { push @out, '' } else { $out[-1] .= $c } }
    bad("Unbalanced parentheses in '$text'.", '$expand') if $level || $quoted; return @out; }
sub parse_expand ($text, $type, $level = 1) {
    bad("\$expand is too deep: at most " . choice('expand-depth') . " levels.", '$expand') if $level > choice('expand-depth');
    my ($navs, @out, %seen) = $TYPE{$type}{navs}; $text = join ',', grep { $navs->{$_}{expand} } sort keys %$navs if $text eq '*';
    for my $item (pieces($text, ',')) {
        my ($name, $inner) = $item =~ /^\s*(\w+)(?:\((.*)\))?\s*$/s or bad("Invalid \$expand '$text'.", '$expand'); my $nav = $navs->{$name};
        bad("Expand is not allowed for '$name' on type 'microsoft.graph.$type'.", '$expand') if !$nav || !$nav->{expand};
        bad("'$name' is expanded twice.", '$expand') if $seen{$name}++; my %x = (name => $name, nav => $nav, set => $TYPE{ $nav->{type} }{set}); my %o;
        for (grep { /\S/ } pieces($inner // '', ';')) {
            my ($k, $v) = /^\s*\$?(\w+)=(.*)$/s or bad("Invalid option '$_' in \$expand.", '$expand');
            bad("Option '$k' is given twice in \$expand.", '$expand') if defined $o{ lc $k }; $o{ lc $k } = $v; }
        my @list = sort grep { $_ !~ /^(select|expand)$/ } keys %o;
        unsupported("Option '$_' is not supported in this \$expand.") for grep { !$nav->{many} || !/^(filter|search|orderby|top|skip|count)$/ } @list;
        $x{filter} = compile_filter($o{filter}, $nav->{type}) if defined $o{filter};
        if (defined $o{search}) { gate($x{set}, '$search'); $x{search} = compile_search($o{search}, $nav->{type}) }
        if (defined $o{orderby}) { sort_rows($o{orderby}, $nav->{type}); $x{orderby} = $o{orderby} }
        for (qw(top skip)) { $x{$_} = whole("\$$_", $o{$_}) if defined $o{$_} }
        if (defined $o{count}) { $o{count} =~ /^(true|false)$/ or bad("\$count is true or false.", '$count'); $x{count} = $o{count} eq 'true' }
        $x{select} = parse_select($o{select}, $nav->{type}) if defined $o{select} && !fault('nested-select-ignored');
        $x{expand} = parse_expand($o{expand}, $nav->{type}, $level + 1) if defined $o{expand}; push @out, \%x; }
    return \@out; }
sub etag_of ($e) {
    my $form = choice('etag.' . ($e->{_type} =~ /^(user|group|driveItem)$/ ? "$1s" : 'messages')); return undef if $form eq 'none' || !exists $e->{_version};
    my $tag = '"' . substr(md5_hex(encode_utf8($e->{id}) . ".$e->{_version}"), 0, 20) . '"'; return $form eq 'weak' ? "W/$tag" : $tag; }
sub out_value ($p, $v, $sel = undef) {
    return undef if !defined $v; return [map { out_value({ %$p, many => 0 }, $_, $sel) } @$v] if $p->{many}; my $t = $TYPE{ $p->{type} };
    return { map { $_ => out_value($t->{props}{$_}, $v->{$_}) } grep { !ref $sel || $sel->{$_} } @{ $t->{order} } } if $t;
    return $p->{type} eq 'bool' ? ($v ? JSON::PP::true : JSON::PP::false) : $p->{type} eq 'int' ? 0 + $v : $p->{type} eq 'date' ? date_out($v, $p->{set}) : "$v"; }
sub body_in ($body, $want) {    # a message body in the content type that Prefer asks for
    return $body if !$body || !$want || $body->{contentType} eq $want; my %code = (amp => '&', lt => '<', gt => '>', quot => '"'); my $c = $body->{content} // '';
    if ($want eq 'text') { $c =~ s/<br\s*\/?>/\n/gi; $c =~ s/<[^>]*>//g; $c =~ s/&(amp|lt|gt|quot);/$code{$1}/g }
    else { $c =~ s/&/&amp;/g; $c =~ s/</&lt;/g; $c =~ s/>/&gt;/g; $c = '<html><body>' . $c =~ s/\n/<br>/gr . '</body></html>' }
    return { contentType => $want, content => $c }; }
my %HIDDEN = (department => 1, accountEnabled => 1, assignedLicenses => 1);
sub shape ($e, $sel = undef, $exp = undef, %o) {
    my ($t, %out) = $TYPE{ $e->{_type} }; my $star = !$sel || $sel->{'*'};
    for my $n (@{ $t->{order} }) {
        my $p = $t->{props}{$n};
        next if $star ? !$sel && ($t->{name} eq 'user' && $HIDDEN{$n} && choice('fields.users') eq 'core' || $t->{name} eq 'message' && $p->{extra} && choice('fields.messages') eq 'interface')
          : !$sel->{$n} && !($n eq 'id' && Conf::has("select-key.$t->{set}") && choice("select-key.$t->{set}") eq 'always');
        my $v = $n =~ /^[ec]Tag$/ && $t->{name} eq 'driveItem' ? etag_of($e) : $n eq 'body' ? body_in($e->{$n}, $REQ{body}) : $e->{$n};
        $out{$n} = out_value({ %$p, set => $t->{set} }, $v, ref $sel ? $sel->{$n} : undef); }
    if (!$REQ{bare}) {
        $out{'@odata.etag'} = etag_of($e) if defined etag_of($e) && $t->{name} !~ /^(attachment|driveItem)$/;
        $out{'@odata.type'} = "#microsoft.graph.$t->{name}" if ($o{mixed} || choice('types') eq 'everywhere') && $t->{entity}; }
    for my $x (@{ $exp // [] }) {
        next if !$t->{navs}{ $x->{name} } || fault('expand-lost-in-select') && $sel && !$sel->{ $x->{name} }; my @rows = grep { defined } nav_of($e, $x->{name});
        my %deep = (mixed => $x->{nav}{type} eq 'directoryObject');
        if (!$x->{nav}{many}) {
            if (@rows) { $out{ $x->{name} } = shape($rows[0], $x->{select}, $x->{expand}, %deep) }
            elsif (choice('expand-null') eq 'null') { $out{ $x->{name} } = undef }
            next; }
        for my $f (grep { $_ } $x->{filter}, $x->{search}) { @rows = grep { $f->($_) } @rows }
        $out{"$x->{name}\@odata.count"} = 0 + @rows if $x->{count}; @rows = sort_rows($x->{orderby}, $x->{nav}{type}, @rows) if $x->{orderby};
        splice @rows, 0, $x->{skip} < @rows ? $x->{skip} : scalar @rows if $x->{skip}; splice @rows, $x->{top} if defined $x->{top} && $x->{top} < @rows;
        $out{ $x->{name} } = [map { shape($_, $x->{select}, $x->{expand}, %deep) } @rows]; }
    return \%out; }
1;
