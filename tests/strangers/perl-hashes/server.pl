#!/usr/bin/perl
# Directory and Mailbox service: the HTTP side, one process with a select loop.
use v5.36;
use FindBin; use lib $FindBin::Bin; use IO::Socket::INET; use IO::Select; use POSIX 'strftime';
use Conf;
BEGIN { if (grep { $_ eq '--describe' } @ARGV) { print describe(); exit 0 } }
use Service;

my $LIMIT = 4_000_000;
my %REASON = (200 => 'OK', 201 => 'Created', 204 => 'No Content', 304 => 'Not Modified', 400 => 'Bad Request', 401 => 'Unauthorized', 404 => 'Not Found', 405 => 'Method Not Allowed',
    406 => 'Not Acceptable', 409 => 'Conflict', 410 => 'Gone', 412 => 'Precondition Failed', 413 => 'Content Too Large', 415 => 'Unsupported Media Type', 500 => 'Internal Server Error', 501 => 'Not Implemented');
$SIG{TERM} = $SIG{INT} = sub { exit 0 }; $SIG{PIPE} = 'IGNORE'; die "TOKEN is not set\n" if !length($ENV{TOKEN} // '');
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ENV{PORT} || 0, Listen => 64, ReuseAddr => 1, Blocking => 0) or die "cannot listen: $!\n";
$| = 1; print "listening on http://127.0.0.1:", $listener->sockport, "\n";

my ($reading, $writing, %conn) = (IO::Select->new($listener), IO::Select->new);
while (1) {
    my ($r, $w) = IO::Select->select($reading, $writing, undef, 60) or next;
    for my $s (@$r) {
        if ($s == $listener) {
            while (my $c = $listener->accept) { $c->blocking(0); $reading->add($c); $conn{$c} = { in => '', out => '' } } }
        elsif (my $n = sysread $s, my $bytes, 65536) { $conn{$s}{in} .= $bytes; serve($s) }
        elsif (defined $n || !$!{EAGAIN}) { drop($s) } }
    for my $s (grep { $conn{$_} } @$w) {
        my $sent = syswrite $s, $conn{$s}{out};
        if (!defined $sent) { drop($s) if !$!{EAGAIN}; next }
        substr $conn{$s}{out}, 0, $sent, '';
        if ($conn{$s}{out} eq '') { $writing->remove($s); drop($s) if $conn{$s}{close} } } }
sub drop { my ($s) = @_; $reading->remove($s); $writing->remove($s); delete $conn{$s}; close $s }
sub serve ($s) {    # every request that has arrived in full
    my $c = $conn{$s};
    while (!$c->{close} && (my $r = next_request($c))) {
        my $a = $r->{refuse} ? { status => $r->{refuse}, h => { 'Content-Type' => 'application/json' }, text => '{"error":{"code":"badRequest","message":"The request cannot be read."}}' } : handle($r);
        $c->{close} = 1 if $r->{refuse} || lc($r->{h}{connection} // ($r->{version} eq '1.0' ? 'close' : '')) eq 'close'; $c->{out} .= response($r, $a, $c->{close}); }
    $writing->add($s) if $c->{out} ne ''; }
sub next_request ($c) {
    $c->{in} =~ s/^(?:\r?\n)+//; my $end = index $c->{in}, "\r\n\r\n";
    return $end < 0 && length $c->{in} < 65536 ? undef : { refuse => 400, h => {}, version => '1.1' } if $end < 0;
    my ($first, @lines) = split /\r\n/, substr $c->{in}, 0, $end;
    my ($method, $target, $version) = $first =~ m{^([A-Z]+) (\S+) HTTP/(1\.[01])$} or return { refuse => 400, h => {}, version => '1.1' }; my %h;
    for (@lines) { my ($n, $v) = /^([^:\s]+):\s*(.*?)\s*$/ or return { refuse => 400, h => {}, version => $version }; $n = lc $n; $h{$n} = defined $h{$n} ? "$h{$n}, $v" : $v }
    my ($body, $rest) = ('', substr $c->{in}, $end + 4);
    if ($h{expect} && !$c->{continued}) { $c->{out} .= "HTTP/1.1 100 Continue\r\n\r\n"; $c->{continued} = 1 }
    if (lc($h{'transfer-encoding'} // '') eq 'chunked') {
        while (1) {
            return undef if $rest !~ s/^([0-9A-Fa-f]+)[^\r\n]*\r\n//; my $n = hex $1;
            if (!$n) { return undef if $rest !~ s/^(?:[^\r\n]+\r\n)*\r\n//; last }
            return undef if length $rest < $n + 2; $body .= substr $rest, 0, $n + 2, '';
            substr($body, -2) = ''; } }
    elsif (my $n = $h{'content-length'}) {
        return { refuse => $n =~ /^\d+$/ ? 413 : 400, h => {}, version => $version } if $n !~ /^\d+$/ || $n > $LIMIT; return undef if length $rest < $n;
        $body = substr $rest, 0, $n, ''; }
    ($c->{in}, $c->{continued}) = ($rest, 0); $target =~ s{^https?://[^/]+}{}; my ($path, $query) = split /\?/, $target, 2;
    return { method => $method, path => $path, query => ($query // '') =~ s/#.*//sr, version => $version, h => \%h, body => $body }; }
sub response ($r, $a, $close) {
    my ($text, %h) = ($a->{text} // '', %{ $a->{h} }, Date => strftime('%a, %d %b %Y %H:%M:%S GMT', gmtime), 'Cache-Control' => 'private');
    my ($chunked, $empty) = (choice('framing') eq 'chunked' && ($r->{version} // '') eq '1.1', $a->{status} =~ /^(204|304)$/);
    if (!$empty) { $chunked ? ($h{'Transfer-Encoding'} = 'chunked') : ($h{'Content-Length'} = length $text) }
    $h{Connection} = $close ? 'close' : 'keep-alive';
    my $head = join '', map { (choice('header-case') eq 'lower' ? lc : $_) . ": $h{$_}\r\n" } sort grep { defined $h{$_} } keys %h;
    $text = '' if $empty || ($r->{method} // '') eq 'HEAD';
    $text = ($text eq '' ? '' : sprintf("%x\r\n%s\r\n", length $text, $text)) . "0\r\n\r\n" if $chunked && !$empty && ($r->{method} // '') ne 'HEAD';
    return "HTTP/1.1 $a->{status} " . ($REASON{ $a->{status} } // 'Unknown') . "\r\n$head\r\n$text"; }
