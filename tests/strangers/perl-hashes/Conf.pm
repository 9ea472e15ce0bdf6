package Conf;    # what may legally differ (choices) and which single mistake is switched on (fault)
use v5.36;
use JSON::PP ();
use Exporter 'import';
our @EXPORT = qw(choice fault describe);

# name | subjects (default other than the first value: subject=value) | values | meaning; without subjects: one choice
my $CHOICES = <<'END';
page            | users | 12,100,25,5 | items on a page when $top is absent
page            | groups members | 100,5,3 | items on a page when $top is absent
page            | messages | 10,25,7 | items on a page when $top is absent
page            | driveItems | 200,6,3 | items on a page when $top is absent
page            | delta | 100,10,7 | items on a page of change tracking
max             | users groups messages driveItems | 999,100,50 | largest page that $top can ask for
over-max        | users groups messages driveItems | clamp,reject | $top above the largest page: smaller pages or 400
top             | users groups messages=page driveItems | result,page,cut | $top=n: n items in all; page size with more behind the next link; n items in all but cut into default pages
top-zero        | users groups messages | empty,reject | $top=0: empty list or 400
skip            | users groups | supported,refused | $skip accepted or refused with an error
next            | users groups messages=skip driveItems | skiptoken,skip,opaque | next link: options repeated and a $skiptoken, $skip, or one token holding everything
count-pages     | | every,first | @odata.count on every page or on the first one only
count-gate      | | combined,always | $count=true on users and groups without the header: refused only with $filter/$search/$orderby, or always
gate            | messages driveItems | free,gated | contains, $search and lambdas need ConsistencyLevel outside the directory too
case            | users groups messages=sensitive driveItems=sensitive | insensitive,sensitive | letter case in comparing and sorting text
nulls           | users driveItems | first,last | place of null in ascending order
order           | users groups driveItems | stored,name,id | order without $orderby
order           | messages | newest,stored | order without $orderby
ids             | users groups messages=opaque driveItems=number | guid,opaque,number | form of identifiers
etag            | users groups | none,weak,strong | entity tags
etag            | messages driveItems=strong | weak,strong | entity tags
etag-malformed  | | reject,nomatch | malformed entity tag in a condition: 400, or a tag that matches nothing
select-unknown  | users groups messages driveItems | reject,ignore | unknown name in $select
select-key      | messages driveItems | always,omit | id in the answer though $select does not name it
fields          | users | all,core | without $select: every field, or without department, accountEnabled, assignedLicenses
fields          | messages | full,interface | without $select: every field, or only those of the interface document
body-unknown    | users groups messages | reject,ignore | unknown property in a request body
body-readonly   | users groups messages | ignore,reject | read-only property in a request body
enum-case       | | tolerant,strict | letter case of enumeration values in request bodies
group-required  | | four,name,none | what a new group must have: displayName, mailEnabled, mailNickname, securityEnabled; displayName; nothing
group-duplicate | | 400,409,accept | new group with a mailNickname in use
group-nickname  | | checked,free | characters of mailNickname are checked
message-date    | | kept,server | receivedDateTime given in a new message
message-read    | | true,false | isRead of a new message that does not say
minimal         | | honoured,ignored | Prefer: return=minimal
maxpagesize     | | ignored,honoured | Prefer: odata.maxpagesize
expand-depth    | | 2,3,1 | levels of $expand
expand-null     | | null,absent | expanded single relation that points to nothing
manager-none    | | 404,204 | reading the manager of a user who has none
search          | users groups messages | prefix,word,substring | how a search term matches words
search-order    | | served,refused | $search with $orderby on messages
search-filter   | | served,refused | $search with $filter on messages
drive-filter    | | supported,refused | $filter on drive items
drive-count     | | supported,refused | $count on drive items
drive-root      | | excluded,included | the root folder is listed under /me/drive/items
file-children   | | empty,404,400 | children of an item that is no folder
reminder-window | | overlap,start | event overlaps the window, or starts in it
delta-nulls     | | null,omit | null fields in change tracking
delta-token     | | 410,400 | token that is unknown
member-order    | | directory,request | order of the answer of checkMemberObjects
member-missing  | | false,reject | getMemberGroups without securityEnabledOnly
upn             | | accepted,refused | users reachable by userPrincipalName too
unknown-path    | | 404,400 | path that does not exist
unsupported     | | 400,501 | option, function or operator that is not supported
media           | | 415,400 | body that is not declared as JSON
accept          | | lenient,strict | Accept without JSON: answered all the same, or 406
error-codes     | | graph,plain | spelling of error codes
error-inner     | | innerError,innererror,absent | inner error object
challenge       | | plain,realm,error | WWW-Authenticate of a 401
context         | | present,absent | @odata.context
types           | | members,everywhere | @odata.type on mixed collections only, or on every item
content-type    | | graph,utf8,bare | spelling of the JSON media type
odata-version   | | 4.0,4.01 | OData-Version header
header-case     | | canonical,lower | letter case of response header names
framing         | | length,chunked | Content-Length or chunked answers
json            | | utf8,ascii,pretty | writing of JSON
time            | users messages driveItems | trim,millis,ticks | digits of fractions of a second: none needed, at least 3, 7
keyword-case    | | any,lower | operators in capitals
dollarless      | | ignored,honoured | system options without $: custom options (no effect), or honoured as in 4.01
quoted-dates    | | cast,reject | timestamp in quotes compared with a timestamp
plus            | | space,literal | plus sign in a query string
batch-order     | | request,reverse | order of answers in a batch
location        | | absolute,path | Location of a created item
END

my $FAULTS = <<'END';
filter-ne-null        | filter         | ne with a text drops the rows whose value is null
filter-precedence     | filter         | and/or are evaluated from left to right
filter-date-text      | filter         | timestamps are compared as text, so fractions and offsets go wrong
order-second-desc     | order          | desc is ignored on every sort key but the first
order-after-paging    | order          | the page is cut first and sorted afterwards
next-off-by-one       | paging         | the next link starts one item too late
next-loses-filter     | paging         | the next link does not carry $filter
select-item-ignored   | single items   | $select has no effect on single messages and groups
nested-select-ignored | select         | $select inside $expand has no effect
expand-lost-in-select | expand         | an expanded relation is missing when $select does not name it
count-ignores-filter  | count          | @odata.count and /$count count all rows, whatever the filter
search-first-term     | search         | only the first of several terms joined with OR is searched
gate-nested-contains  | consistency    | contains inside parentheses is served without ConsistencyLevel
manager-select        | singletons     | $select has no effect on /me/manager and /me/calendar
create-false-lost     | creates        | false in a new group or message is taken as missing and becomes true
patch-resets          | updates        | PATCH of a message puts an omitted importance back to normal
delete-readable       | deletes        | a deleted item leaves the list but can still be read by its id
delete-if-match       | entity tags    | DELETE does not look at If-Match
etag-stays            | entity tags    | the entity tag of a message stays the same after PATCH
members-direct        | actions        | membership through a nested group is overlooked
order-unknown-ignored | errors         | unknown property in $orderby is ignored instead of refused
auth-prefix           | authentication | a token that only begins with the right one is accepted
batch-headers         | batches        | headers of the requests in a batch are dropped
delta-select          | delta          | $select is forgotten in change tracking
prefer-single         | headers        | Prefer body-content-type works on lists but not on a single message
END

my (@list, %value, @faults);
for (split /\n/, $CHOICES) {
    my ($name, $subjects, $values, $meaning) = split /\s*\|\s*/; my @values = split /,/, $values;
    for my $s ($subjects =~ /\S/ ? split(/ /, $subjects) : ('')) {
        my ($subject, $default) = split /=/, $s; my $full = $subject ? "$name.$subject" : $name;
        push @list, { name => $full, values => [@values], default => $default // $values[0], meaning => $meaning }; $value{$full} = $default // $values[0]; } }
for (split /\n/, $FAULTS) { my ($n, $a, $m) = split /\s*\|\s*/; push @faults, { name => $n, area => $a, meaning => $m } }

my $given = JSON::PP::decode_json($ENV{CHOICES} || '{}');
for my $n (keys %$given) {
    my ($c) = grep { $_->{name} eq $n } @list or die "unknown choice $n\n"; grep { $_ eq $given->{$n} } @{ $c->{values} } or die "illegal value for choice $n\n";
    $value{$n} = $given->{$n}; }
my $fault = $ENV{FAULT} // ''; die "unknown fault $fault\n" if $fault ne '' && !grep { $_->{name} eq $fault } @faults;

sub choice { my ($n) = @_; return $value{$n} // die "no choice $n" }
sub has    { return exists $value{ $_[0] } }
sub fault  { return $fault eq $_[0] }
sub describe {
    return JSON::PP->new->utf8->canonical->pretty->encode(
        { language => 'Perl', store => 'hashes in memory', choices => \@list, faults => \@faults }); }
1;
