package Data;    # types, the store (hashes in memory) and its seed
use v5.36;
use utf8; use Conf; use JSON::PP (); use Digest::MD5 'md5_hex'; use MIME::Base64 'encode_base64';
use Time::Local 'timegm'; use POSIX 'strftime'; use Encode 'encode_utf8';
use Exporter 'import';
our @EXPORT = qw(%TYPE $ME nav_of new_id now_text date_key date_out touch prop_of users groups messages_of insert remove by_id changed_since clock);

# ? nullable, * collection, ! read-only, ~ beyond the interface document; navigation: ^ cannot be expanded
my %DECL = (
    user => ['users', 'id:str! displayName:str givenName:str?~ surname:str mail:str? userPrincipalName:str!~ jobTitle:str? department:str'
      . ' officeLocation:str mobilePhone:str?~ businessPhones:str*~ accountEnabled:bool assignedLicenses:license* createdDateTime:date!~',
      'manager=user directReports=user* memberOf=directoryObject* messages=message*^ mailFolders=mailFolder*^ calendar=calendar^'
      . ' calendars=calendar*^ events=event*^ drive=drive^'],
    group => ['groups', 'id:str! displayName:str description:str?~ mailEnabled:bool mailNickname:str securityEnabled:bool mail:str?!~'
      . ' groupTypes:str*~ createdDateTime:date!~', 'members=directoryObject* memberOf=directoryObject*'],
    message => ['messages', 'id:str! subject:str? body:itemBody? bodyPreview:str!~ toRecipients:recipient* ccRecipients:recipient*~'
      . ' from:recipient? receivedDateTime:date isRead:bool importance:importance isDraft:bool!~ hasAttachments:bool!~'
      . ' categories:str*~ parentFolderId:str!~ createdDateTime:date!~ lastModifiedDateTime:date!~',
      'attachments=attachment* singleValueExtendedProperties=extendedProperty*'],
    mailFolder => ['messages', 'id:str! displayName:str parentFolderId:str? childFolderCount:int totalItemCount:int',
      'childFolders=mailFolder* messages=message*'],
    attachment => ['messages', 'id:str! name:str contentType:str? size:int isInline:bool', ''], extendedProperty => ['messages', 'id:str value:str?', ''],
    calendar => ['messages', 'id:str! name:str color:str hexColor:str? canEdit:bool isDefaultCalendar:bool owner:emailAddress?', 'events=event*'],
    event => ['messages', 'id:str! subject:str body:itemBody? start:zoned end:zoned location:location? isAllDay:bool importance:importance'
      . ' createdDateTime:date organizer:recipient? attendees:recipient* reminderMinutesBeforeStart:int', ''],
    reminder => ['messages', 'eventId:str eventSubject:str? eventStartTime:zoned eventEndTime:zoned eventLocation:location? reminderFireTime:zoned changeKey:str?', ''],
    drive => ['driveItems', 'id:str! name:str driveType:str', 'items=driveItem*^ root=driveItem'],
    driveItem => ['driveItems', 'id:str! name:str description:str? size:int createdDateTime:date lastModifiedDateTime:date webUrl:str'
      . ' file:file? folder:folder? parentReference:itemReference? eTag:str? cTag:str?', 'children=driveItem* thumbnails=thumbnailSet*'],
    thumbnailSet => ['driveItems', 'id:str small:thumbnail? medium:thumbnail? large:thumbnail?', ''],
    license => ['users', 'skuId:guid disabledPlans:guid*'], emailAddress => ['messages', 'name:str? address:str?'],
    recipient => ['messages', 'emailAddress:emailAddress?'], itemBody => ['messages', 'contentType:bodyType content:str?'],
    zoned => ['messages', 'dateTime:str timeZone:str?'], location => ['messages', 'displayName:str?'],
    file => ['driveItems', 'mimeType:str?'], folder => ['driveItems', 'childCount:int?'], thumbnail => ['driveItems', 'url:str? width:int? height:int?'],
    itemReference => ['driveItems', 'driveId:str? id:str? path:str?'], );
our %TYPE;
while (my ($name, $d) = each %DECL) {
    my %t = (name => $name, set => $d->[0], entity => scalar(defined $d->[2]), order => []);
    for (split ' ', $d->[1]) {
        my ($p, $type, $flags) = /^(\w+):(\w+)(.*)$/; push @{ $t{order} }, $p;
        $t{props}{$p} = { name => $p, type => $type, null => !!($flags =~ /\?/), many => !!($flags =~ /\*/), fixed => !!($flags =~ /!/), extra => !!($flags =~ /~/) }; }
    for (split ' ', $d->[2] // '') {
        my ($p, $type, $flags) = /^(\w+)=(\w+)(.*)$/; $t{navs}{$p} = { type => $type, many => !!($flags =~ /\*/), expand => !($flags =~ /\^/) }; }
    $TYPE{$name} = \%t; }
$TYPE{directoryObject} = { name => 'directoryObject', set => 'users', entity => 1, props => { %{ $TYPE{group}{props} }, %{ $TYPE{user}{props} } },
    navs => { %{ $TYPE{group}{navs} }, manager => $TYPE{user}{navs}{manager} } };
sub prop_of { my ($type, $p) = @_; return $TYPE{$type}{props}{$p} }

# ---- the store: one hash per kind, and the order of insertion
my (%rows, %order, $serial, $clock); our $ME;
sub clock { return $clock // 0 }
sub touch { my ($e) = @_; $e->{_version}++; $e->{_changed} = ++$clock; return $e }
sub insert { my ($e) = @_; my $k = $e->{_type}; touch($e); push @{ $order{$k} }, $e->{id}; return $rows{$k}{ $e->{id} } = $e }
sub remove ($e) {
    @{ $order{ $e->{_type} } } = grep { $_ ne $e->{id} } @{ $order{ $e->{_type} } }; delete $rows{ $e->{_type} }{ $e->{id} } unless fault('delete-readable');
    return if $e->{_type} ne 'group';
    for my $g (groups()) { $g->{_members} = [grep { $_ ne $e->{id} } @{ $g->{_members} }] } }
sub by_id { my ($kind, $id) = @_; return $rows{$kind}{$id} }
sub all { my ($kind) = @_; return map { $rows{$kind}{$_} } @{ $order{$kind} // [] } }
sub changed_since { my ($n) = @_; return grep { $_->{_changed} > $n } users() }
sub arranged ($set, @rows) {
    my $how = choice("order.$set"); my $p = $how eq 'name' ? ($set eq 'driveItems' ? 'name' : 'displayName') : 'id';
    return $how eq 'stored' ? @rows : $how eq 'newest' ? sort { date_key($b->{receivedDateTime}) cmp date_key($a->{receivedDateTime}) } @rows
      : sort { $a->{$p} cmp $b->{$p} } @rows; }
sub users { return arranged('users', all('user')) }
sub groups { return arranged('groups', all('group')) }
sub messages_of { my ($u, $folder) = @_; return arranged('messages', grep { $_->{_owner} eq $u && (!$folder || $_->{parentFolderId} eq $folder) } all('message')) }
sub owned { my ($kind, $u) = @_; return grep { $_->{_owner} eq $u } all($kind) }
sub objects { return grep { $_ } map { by_id('user', $_) || by_id('group', $_) } @_ }

my %NAV = (
    'user.manager' => sub { $_[0]{_manager} && by_id('user', $_[0]{_manager}) },
    'user.directReports' => sub { my $u = shift; grep { ($_->{_manager} // '') eq $u->{id} } users() },
    'user.messages' => sub { messages_of($_[0]{id}) }, 'user.events' => sub { owned('event', $_[0]{id}) },
    'user.mailFolders' => sub { grep { !defined $_->{parentFolderId} } owned('mailFolder', $_[0]{id}) },
    'user.calendars' => sub { owned('calendar', $_[0]{id}) }, 'user.calendar' => sub { (owned('calendar', $_[0]{id}))[0] },
    'user.drive' => sub { (owned('drive', $_[0]{id}))[0] }, 'group.members' => sub { objects(@{ $_[0]{_members} }) },
    'mailFolder.childFolders' => sub { my $f = shift; grep { ($_->{parentFolderId} // '') eq $f->{id} } all('mailFolder') },
    'mailFolder.messages' => sub { messages_of($_[0]{_owner}, $_[0]{id}) }, 'message.attachments' => sub { @{ $_[0]{_attachments} // [] } },
    'message.singleValueExtendedProperties' => sub { @{ $_[0]{_extended} // [] } },
    'calendar.events' => sub { my $c = shift; grep { $_->{_calendar} eq $c->{id} } all('event') },
    'drive.root' => sub { my $d = shift; (grep { $_->{_root} } owned('driveItem', $d->{_owner}))[0] },
    'drive.items' => sub { arranged('driveItems', grep { choice('drive-root') eq 'included' || !$_->{_root} } owned('driveItem', $_[0]{_owner})) },
    'driveItem.children' => sub { my $f = shift; arranged('driveItems', grep { ($_->{_parent} // '') eq $f->{id} } owned('driveItem', $f->{_owner})) },
    'driveItem.thumbnails' => sub { @{ $_[0]{_thumbnails} // [] } }, );
$NAV{'user.memberOf'} = $NAV{'group.memberOf'} = sub { my $o = shift; grep { grep { $_ eq $o->{id} } @{ $_->{_members} } } groups() };
sub nav_of { my ($e, $name) = @_; my $f = $NAV{"$e->{_type}.$name"} or return; return $f->($e) }

# ---- identifiers and time
sub new_id ($set, $seed = undef) {
    my ($n, $h) = (++$serial, md5_hex(encode_utf8("$set/" . ($seed // rand) . "/" . $serial))); my $form = choice("ids.$set");
    return ($set eq 'driveItems' ? '01DRV' . uc substr($h, 0, 8) . '!' : '7') . (1000 + $n * 7) if $form eq 'number';
    return 'AAMk' . (encode_base64(pack('H*', $h), '') =~ tr{/}{-}r) if $form eq 'opaque' && ($h = substr($h, 0, 26) . 'fbef00');
    return join '-', unpack 'A8 A4 A4 A4 A12', $h; }
sub now_text { return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime) }
sub date_key ($t) {    # sortable text for a timestamp, undef when malformed
    return undef unless defined $t && $t =~ /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?(Z|[+-]\d\d:\d\d)$/i;
    my ($y, $mo, $d, $h, $mi, $s, $frac, $zone) = ($1, $2, $3, $4, $5, $6 // 0, $7 // '', $8);
    my $epoch = eval { timegm($s > 59 ? 59 : $s, $mi, $h, $d, $mo - 1, $y) } // return undef;
    $epoch -= ($1 . '1') * ($2 * 3600 + $3 * 60) if $zone =~ /^([+-])(\d\d):(\d\d)$/;
    return sprintf('%012d', $epoch + 70_000_000_000) . '.' . substr($frac . '0' x 12, 0, 12); }
sub date_out ($t, $set) {
    my $key = date_key($t) // return $t; my ($epoch, $frac) = split /\./, $key; my $form = choice('time.' . ($set eq 'groups' ? 'users' : $set)); $frac =~ s/0+$//;
    $frac .= '0' x (3 - length $frac) if $form eq 'millis' && length $frac < 3; $frac = substr($frac . '0' x 7, 0, 7) if $form eq 'ticks';
    return strftime('%Y-%m-%dT%H:%M:%S', gmtime($epoch - 70_000_000_000)) . ($frac ne '' ? ".$frac" : '') . 'Z'; }

# ---- the seed
my ($T, $F) = (JSON::PP::true, JSON::PP::false);
my @PEOPLE = (    # displayName|surname|jobTitle|department|office|mail (- = none)
    "Adele Vance|Vance|Retail Manager|Retail|18/2111|adele", "Siobhán O'Brien|O'Brien|Auditor|Finance|12/1110|siobhan", 'Łukasz Żak|Żak|Engineer|Engineering|B-204|lukasz',
    'Björk Guðmundsdóttir|Guðmundsdóttir|Designer|Design|B-101|bjork', 'Diego Siciliani|Siciliani|HR Manager|HR|14/1108|diego', 'Ola Berg|Berg|-|Design|B-101|ola',
    'anna schmidt|schmidt|Engineer|Engineering|B-205|anna.schmidt', 'Anna Schmidt|Schmidt|Engineer|Engineering|B-206|anna2', 'Zoë Müller|Müller|engineer|Engineering|B-207|zoe',
    'Lee Gu|Gu|Director|Manufacturing|23/3101|lee', "D'Arcy Quinn|Quinn|-|Legal|20/1109|darcy", '李 明|李|Analyst|Finance|12/1111|-', 'Conference Room Rainier|Rainier|-|Facilities|R-1|room.rainier',
    'Conference Room Adams|Adams|-|Facilities|R-2|room.adams', 'Grady Archie|Archie|Designer|R&D|19/2109|grady', 'Henrietta Mueller|Mueller|Developer|R&D|18/1106|henrietta',
    'Isaiah Langer|Langer|Sales Rep|Sales|20/1101|isaiah', 'Johanna Lorenz|Lorenz|Senior Engineer|Engineering|23/2102|johanna', 'Joni Sherman|Sherman|Paralegal|Legal|20/1109|joni',
    'Lidia Holloway|Holloway|Product Manager|Engineering|20/2107|lidia', 'Lynne Robbins|Robbins|Planner|Retail|20/1104|lynne', 'Megan Bowen|Bowen|Auditor|Finance|12/1110|megan',
    'Miriam Graham|Graham|VP Marketing|Marketing|131/2103|miriam', 'Nestor Wilke|Wilke|Director|Operations|36/2121|nestor', 'Patti Fernandez|Fernandez|President|Executive|15/1102|patti',
    'Pradeep Gupta|Gupta|Accountant|Finance|98/2202|-', 'Raúl Razo|Razo|Sales Rep|Sales|21/1111|raul', 'Alex Wilber|Wilber|Marketing Assistant|Marketing|131/1104|alex',
    'Test 100% (temp)|(temp)|-|IT|-1|-', 'Debra Berger|Berger|Administrative Assistant|Executive|18/2107|debra');
my @SKU = qw(184efa21-98c3-4e5d-95ab-d07053a96e67 f30db892-07e9-47e9-837c-80727f46fd3d c7df2760-2c81-4ef7-b578-5b5392b571df); my @u;
for my $i (0 .. $#PEOPLE) {
    my ($name, $sur, $job, $dep, $office, $mail) = split /\|/, $PEOPLE[$i]; my $upn = ($mail eq '-' ? "user$i" : $mail) . '@contoso.example';
    my @sku = $i % 4 == 3 ? () : $i % 4 == 0 ? @SKU[0, 1] : ($SKU[$i % 3]);
    push @u, insert({ _type => 'user', id => new_id('users', $upn), displayName => $name, surname => $sur, givenName => $i % 6 == 5 ? undef : (split ' ', $name)[0],
        mail => $mail eq '-' ? undef : $upn, userPrincipalName => $upn, jobTitle => $job eq '-' ? undef : $job, department => $dep, officeLocation => $office,
        mobilePhone => $i % 3 ? undef : "+1 412 555 01" . (10 + $i), businessPhones => $i % 2 ? [] : ["+1 206 555 0" . (100 + $i)], accountEnabled => $i % 5 == 4 ? $F : $T,
        assignedLicenses => [map { { skuId => $_, disabledPlans => [] } } @sku], createdDateTime => sprintf('20%02d-%02d-%02dT08:%02d:00%sZ', 15 + $i % 9, 1 + $i % 12, 1 + $i % 28, $i,
            ('', '.5', '.25', '.123')[$i % 4]) }); }
$ME = $u[21]{id};
for my $i (0 .. $#u) { $u[$i]{_manager} = $i == 24 ? undef : $i == 21 ? $u[22]{id} : $u[$i % 5 ? 22 : 24]{id} }
my @g;
for (['All Staff', 'allstaff', 1, 0], ['Engineering', 'engineering', 0, 1], ["Finance & Auditors' Club", 'finance', 1, 1], ['Projet Été', 'projetete', 0, 1], ['Empty Group', 'empty', 0, 0],
    ['Security Readers', 'secreaders', 0, 1], ['Announcements', 'announce', 1, 0], ['engineering leads', 'englead', 0, 1]) {
    my ($name, $nick, $mail, $sec) = @$_;
    push @g, insert({ _type => 'group', id => new_id('groups', $nick), displayName => $name, description => $mail ? "$name (mail)" : undef, mailEnabled => $mail ? $T : $F, mailNickname => $nick,
        securityEnabled => $sec ? $T : $F, mail => $mail ? "$nick\@contoso.example" : undef, groupTypes => $mail ? ['Unified'] : [], createdDateTime => '2019-0' . (1 + @g) . '-11T10:00:00Z' }); }
my @members = ([map { "u$_" } 0 .. 11, 21], [qw(u2 u6 u7 u8 u17 u19 g7)], [qw(u1 u11 u21 u25)], [qw(u3 u5)], [], [qw(g2 u9)], [qw(g0 g2 u22)], [qw(u17)]);
for my $i (0 .. $#g) { $g[$i]{_members} = [map { /^u(\d+)/ ? $u[$1]{id} : $g[substr $_, 1]{id} } @{ $members[$i] }] }
my @SUBJECT = ('Quarterly budget review', "Re: Jordan's offer", 'Café opening', 'Project Alpha status', 'Lunch?', 'Ünïcode test', 'Invoice 4711', 'Re: Project Alpha status', 'Security alert', 'weekly digest');
sub recipient { my ($u) = @_; return { emailAddress => { name => $u->{displayName}, address => $u->{mail} // $u->{userPrincipalName} } } }
sub mailbox ($o, $count) {
    my %folder;
    for (['Inbox'], ['Drafts'], ['Sent Items'], ['Archive'], ['Projects', 'Inbox'], ['Alpha', 'Projects']) {
        my ($name, $in) = @$_;
        $folder{$name} = insert({ _type => 'mailFolder', _owner => $o->{id}, id => new_id('messages', $name), displayName => $name, parentFolderId => $in ? $folder{$in}{id} : undef }); }
    for my $i (0 .. $count - 1) {
        my $from = $u[($i * 7 + 3) % 30]; my $date = sprintf '2024-%02d-%02dT%02d:15:30%sZ', 1 + $i % 11, 1 + ($i * 5) % 28, $i % 24, ('', '.5', '.25', '')[$i % 4];
        $date = '2024-03-05T09:15:30Z' if $i % 10 == 4; my $text = "Hello,\nthis is note no. $i about \x{201c}$SUBJECT[$i % 10]\x{201d}.";
        my $at = $i % 6 ? [] : [map { { _type => 'attachment', id => new_id('messages', "a$i$_"), name => "file $_.pdf", contentType => 'application/pdf', size => 1000 + $i * $_, isInline => $F } } 1 .. 1 + $i % 4];
        insert({ _type => 'message', _owner => $o->{id}, id => new_id('messages', "m$i"), subject => $SUBJECT[$i % 10] . ($i > 29 ? " ($i)" : ''),
            body => $i % 3 ? { contentType => 'html', content => '<html><body><p>' . $text =~ s/\n/<br>/r . '</p></body></html>' } : { contentType => 'text', content => $text },
            bodyPreview => $text, toRecipients => [recipient($o), $i % 4 ? () : recipient($u[($i + 5) % 30])], ccRecipients => [], from => recipient($from), receivedDateTime => $date,
            isRead => $i % 3 ? $T : $F, importance => ('normal', 'high', 'normal', 'low')[$i % 4], isDraft => $F, categories => $i % 5 ? [] : ['Red'], hasAttachments => @$at ? $T : $F,
            parentFolderId => $folder{ ('Inbox', 'Inbox', 'Projects', 'Alpha', 'Sent Items')[$i % 5] }{id}, createdDateTime => $date, lastModifiedDateTime => $date, _attachments => $at,
            _extended => $i % 9 ? [] : [{ _type => 'extendedProperty', id => "String {$SKU[0]} Name Colour", value => 'Green' }] }); }
    for my $f (values %folder) { $f->{childFolderCount} = () = nav_of($f, 'childFolders'); $f->{totalItemCount} = () = nav_of($f, 'messages'); }
    for my $c ('Calendar', 'Réunions', 'Birthdays') {
        my $cal = insert({ _type => 'calendar', _owner => $o->{id}, id => new_id('messages', $c), name => $c, color => 'auto', hexColor => $c eq 'Calendar' ? '' : undef, canEdit => $T,
            isDefaultCalendar => $c eq 'Calendar' ? $T : $F, owner => recipient($o)->{emailAddress} });
        for my $i (0 .. ($c eq 'Calendar' ? 11 : $c eq 'Birthdays' ? -1 : 2)) {
            my $day = sprintf '2024-06-%02d', 1 + $i * 2; my %z = (timeZone => 'UTC');
            insert({ _type => 'event', _owner => $o->{id}, _calendar => $cal->{id}, id => new_id('messages', "e$i"), subject => "$SUBJECT[$i % 10] meeting", body => undef,
                start => { dateTime => "${day}T10:00:00.0000000", %z }, end => { dateTime => "${day}T11:30:00.0000000", %z }, location => $i % 3 ? { displayName => 'Room ' . $i % 4 } : undef,
                isAllDay => $F, importance => 'normal', createdDateTime => '2024-05-01T12:00:00Z', organizer => recipient($u[$i]), attendees => [recipient($o)], reminderMinutesBeforeStart => 15 }); } }
    my $drive = insert({ _type => 'drive', _owner => $o->{id}, id => new_id('driveItems', 'drive'), name => 'OneDrive', driveType => 'business' });
    my %dir = ('' => undef);
    for my $p ('/', '/Documents', '/Documents/Reports', '/Pictures', '/Empty folder', '/notes.txt', '/Budget 2024.xlsx', '/budget 2023.xlsx', "/Documents/Jordan's CV.docx", '/Documents/Übersicht.docx',
        '/Documents/big video.mp4', (map { "/Documents/Reports/report-$_.pdf" } 1 .. 8), map { "/Pictures/photo$_.jpg" } 1 .. 5) {
        my ($in, $name) = $p =~ m{^(.*)/([^/]*)$}; my $up = $dir{ $p eq '/' ? 'none' : $in eq '' ? '/' : $in }; my ($ext) = $name =~ /\.(\w+)$/; my $n = keys %dir;
        my $e = insert({ _type => 'driveItem', _owner => $o->{id}, _root => $p eq '/', _parent => $up && $up->{id}, id => new_id('driveItems', $p), name => $p eq '/' ? 'root' : $name,
            description => $n % 3 ? undef : "About $name", size => $p =~ /big/ ? 5_368_709_120 : $ext ? 1024 * ($n % 7) : 0, createdDateTime => '2023-01-02T03:04:05Z',
            lastModifiedDateTime => sprintf('2023-0%d-10T10:00:00%sZ', 1 + $n % 9, $n % 2 ? '.75' : ''), webUrl => "https://contoso.example/drive" . ($p =~ s/ /%20/gr),
            file => $ext ? { mimeType => $ext eq 'jpg' ? 'image/jpeg' : 'application/octet-stream' } : undef, folder => $ext ? undef : { childCount => 0 },
            parentReference => $up && { driveId => $drive->{id}, id => $up->{id}, path => "/drive/root:$in" } });
        $e->{_thumbnails} = [{ _type => 'thumbnailSet', id => '0', map { $_->[0] => { url => "https://contoso.example/t/$n/$_->[0]", width => $_->[1], height => $_->[1] } } ['small', 96], ['medium', 176], ['large', 800] }]
          if ($ext // '') eq 'jpg';
        $up->{folder}{childCount}++ if $up; $dir{$p} = $e; } }
mailbox(@$_) for [$u[21], 44], [$u[0], 10], [$u[1], 6], [$u[24], 0]; 1;
