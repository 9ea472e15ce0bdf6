# The HTTP service: paths, reads, writes and operations. http.rb has the connection loop.
%w[digest json socket strscan time].each { |library| require library }
Encoding.default_external = Encoding::UTF_8
%w[choices data query http].each { |file| require_relative file }

# Answers one request with [status, headers, body].
class Service
  LIST_OPTIONS = %w[$select $filter $orderby $expand $top $skip $count $search $skiptoken].freeze
  ORDERS = { 'name' => 'displayName', 'id' => 'id', 'newest' => 'receivedDateTime desc', 'oldest' => 'receivedDateTime' }.freeze

  def initialize(request)
    @request, @base = request, "http://#{request.headers['host']}"
  end
  def answer
    authenticate
    version, *path = @request.segments
    target = version == 'v1.0' ? route(path) : missing('There is nothing at this path.')
    handler = target[@request.verb]
    refuse(choice('methodStatus'), 'methodNotAllowed', 'This path does not have this method.') unless handler
    applied = @request.body_type && @request.path.include?('/messages') && choice?('preferenceApplied', 'yes')
    more = applied ? { 'Preference-Applied' => "body-content-type=\"#{@request.body_type}\"" } : {}
    handler.call.tap { |_, headers, _| headers.merge!(more) }
  rescue Refused => e
    more = { 401 => { 'WWW-Authenticate' => 'Bearer' }, 405 => { 'Allow' => target&.keys&.grep(String)&.join(', ') } }
    [e.status, more.fetch(e.status, {}), { error: { code: e.code, message: e.message.scrub } }]
  rescue StandardError, SystemStackError => e
    warn e.full_message
    [500, {}, { error: { code: 'internalError', message: 'Something went wrong.' } }]
  end

  def authenticate
    return if fault?('auth-actions-open') && @request.path.match?(/(getMemberGroups|checkMemberObjects)\z/)
    token = @request.headers['authorization'].to_s[/\ABearer +(\S+) *\z/i, 1]
    refuse(401, 'unauthenticated', 'Valid credentials are needed.') if token != ENV.fetch('TOKEN', 'token')
  end
  def find(table, key, owner = nil)
    bad('The key is malformed.') if key.match?(/[[:cntrl:]<>*|"]/) && choice?('malformedKey', '400')
    row = DB[table][key]
    row.nil? || row[:gone] || (owner && row[:owner] != owner['id']) ? missing : row
  end
  def collection(*of, **more) = { collection: of, 'GET' => -> { list(*of) }, **more }
  def item(type, name, row, *more)
    writes = { patch: ['PATCH', -> { update(type, name, row) }], delete: ['DELETE', -> { delete(name, row) }] }
    { 'GET' => -> { show(type, name, row) } }.merge(writes.slice(*more).values.to_h)
  end
  def route(path)
    case path
    in [*above, '$count'] if above.any?
      type, name, rows = route(above)[:collection] || missing
      { 'GET' => -> { count(type, name, rows) } }
    in ['users'] then collection('user', 'users', live(:users))
    in ['users', 'delta' | 'delta()'] then { 'GET' => -> { list('user', 'users', live(:users), delta: true) } }
    in ['groups'] then collection('group', 'groups', live(:groups), 'POST' => -> { create_group })
    in ['groups', key] then item('group', 'groups', find(:groups, key), :delete, *(:patch if choice?('patch.groups', 'on')))
    in ['groups', key, 'members'] then collection('user', 'members', related(find(:groups, key), 'members'))
    in ['me'] then item('user', 'users', ME, :patch)
    in ['me', *rest] then user_route(ME, rest)
    in ['drive', *] then user_route(ME, path)
    in ['users', key] then item('user', 'users', find(:users, key), *(:patch if choice?('patch.users', 'on')))
    in ['users', key, *rest] then user_route(find(:users, key), rest)
    else missing('There is nothing at this path.')
    end
  end

  def user_route(user, path)
    case path
    in ['manager'] then item('user', 'users', related(user, 'manager') || missing('There is no manager.'))
    in ['calendar'] then item('calendar', 'calendars', owned(:calendars, user['id'])[0])
    in ['events'] then collection('event', 'events', owned(:events, user['id']))
    in ['messages'] then collection('message', 'messages', messages(user), 'POST' => -> { create_message(user) })
    in ['messages', key] then item('message', 'messages', find(:messages, key, user), :patch, :delete)
    in ['mailFolders'] then collection('folder', 'folders', owned(:folders, user['id']))
    in ['mailFolders', key, 'messages'] then collection('message', 'messages', messages(user, find(:folders, key, user)))
    in ['drive', 'items'] then collection('item', 'items', owned(:items, user['id']).reject { |row| row[:root] })
    in ['drive', 'items', key] then item('item', 'items', drive_item(user, key))
    in ['drive', 'items', key, 'children'] then collection('item', 'items', related(drive_item(user, key), 'children'))
    in ['drive', 'root', *rest] then user_route(user, ['drive', 'items', 'root', *rest])
    in ['getMemberGroups'] then { 'POST' => -> { get_member_groups(user) } }
    in ['checkMemberObjects'] then { 'POST' => -> { check_member_objects(user) } }
    in [/\AreminderView(\(.*\))?\z/ => view] then { 'GET' => -> { list_reminders(user, view) } }
    else missing('There is nothing at this path.')
    end
  end

  def drive_item(user, key) = key == 'root' ? owned(:items, user['id']).find { |row| row[:root] } : find(:items, key, user)
  def messages(user, folder = nil)
    rows = fault?('delete-still-listed') ? DB[:messages].values : live(:messages)
    rows.select { |row| row[:owner] == user['id'] && (folder.nil? || row[:folder] == folder['id']) }
  end

  # Reading
  def supported(name, options) = options.reject { |option| CHOICES["#{option.delete('$')}.#{name}"] == 'off' }
  def list(type, name, rows, delta: false, parameters: [])
    known = supported(name, LIST_OPTIONS)
    known = known - %w[$search $orderby $skip] + ['$deltatoken'] if delta
    options = parse_options(@request.pairs.reject { |key, _| parameters.include?(key) }, TYPES[type], @request, known, name)
    rule = options[:filter] || options[:search] ? %w[always filtered] : %w[always]
    need_advanced(@request) if options[:count] && rule.include?(CHOICES["count.#{name}"])
    since = options[:deltatoken] && numbers_of(options[:deltatoken])[0]
    rows = rows.select { |row| row[:rev] > since } if since
    order = ORDERS[CHOICES["order.#{name}"]]
    rows = sort_rows(rows, parse_order(order, TYPES[type], @request)) if order
    rows = apply_options(rows, options)
    # where this page begins, how many items may still follow ($top), the revision at which a delta began
    position, left, upto = options[:skiptoken] ? numbers_of(options[:skiptoken]) : [options[:skip] || 0, nil, $revision]
    left ||= options[:top] if choice?('top', 'limit') && !delta
    size = options[:top] ? [options[:top], most_items(name)].min : CHOICES.fetch("pageSize.#{name}", 100).to_i
    page = rows.drop(position).first([size, left].compact.min)
    answer = context(name)
    answer['@odata.count'] = rows.size if options[:count] && !(fault?('count-beside-select') && options[:select])
    answer['value'] = page.map { |row| shape(row, type, options, @request) }
    position += page.size
    left -= page.size if left
    if page.any? && position < rows.size && left != 0
      skip = choice?('nextLink', 'skip') && known.include?('$skip')
      added = skip ? { '$skip' => position, '$top' => left }.compact : { '$skiptoken' => token(position, left, upto) }
      answer['@odata.nextLink'] = link(['$skip'], added)
    elsif delta
      answer['@odata.deltaLink'] = link(['$skiptoken'], '$deltatoken' => token(upto))
    end
    [200, {}, answer]
  end

  def token(*numbers) = [numbers.join('.')].pack('m0').tr('+/', '-_').delete('=')
  def numbers_of(token)
    text = token.tr('-_', '+/').unpack1('m')
    bad('The token of the link is not valid.') unless text.match?(/\A\d+(\.\d*\.\d+)?\z/)
    text.split('.').map { |part| part.empty? ? nil : part.to_i }
  end
  def link(dropped, added)
    dropped += ['$orderby'] if fault?('paging-order-lost')
    special = fault?('paging-link-encoding') ? %r{[^A-Za-z0-9\-._~$;,/?:@&=+#]}n : /[^A-Za-z0-9\-._~$]/n
    pairs = @request.pairs.reject { |name, _| dropped.include?(name) || added.key?(name) } + added.to_a
    pairs.map! { |pair| pair.map { |text| text.to_s.b.gsub(special) { |byte| format('%%%02X', byte.ord) } }.join('=') }
    "#{@base}#{@request.path}?#{pairs.join('&')}"
  end
  def count(type, name, rows)
    need_advanced(@request) if name == 'users' && choice?('countPath', 'header')
    options = parse_options(@request.pairs, TYPES[type], @request, supported(name, %w[$filter $search]), name)
    [200, {}, apply_options(rows, options).size.to_s]
  end
  def show(type, name, row)
    options = parse_options(@request.pairs, TYPES[type], @request, supported(name, %w[$select $expand]), name)
    return [304, { 'ETag' => tag(row) }, nil] if !options[:expand] && tag_listed?('if-none-match', row)
    options.delete(:expand) if fault?('item-expand-beside-select') && options[:select]
    one(200, type, name, row, options)
  end
  def one(status, type, name, row, options = {})
    more = { 'ETag' => tag(row) }
    more['Location'] = "#{@base}#{@request.path.chomp('/')}/#{row['id']}" if @request.verb == 'POST'
    [status, more, context("#{name}/$entity").merge(shape(row, type, options, @request))]
  end
  def context(name) = choice?('context', 'yes') ? { '@odata.context' => "#{@base}/v1.0/$metadata##{name}" } : {}
  def tag(row)
    hash = Digest::MD5.hexdigest("#{row['id']} #{row[:rev] unless fault?('item-etag-stuck')}")[0, 16]
    choice?('etag', 'weak') ? "W/\"#{hash}\"" : "\"#{hash}\""
  end
  def tag_listed?(header, row)
    listed, mine = [@request.headers[header].to_s, tag(row)].map { |text| text.gsub(%r{W/|["\s]}, '').split(',') }
    listed == ['*'] || (listed & mine).any?
  end
  def list_reminders(user, view)
    names = %w[startDateTime endDateTime]
    given = @request.pairs.to_h.merge(view.scan(/(\w+)='([^']*)'/).to_h)
    from, to = names.map { |name| parse_time(given[name].to_s.delete("'")) }
    window = choice?('reminderEnd', 'inclusive') ? from..to : from...to
    timed = choice?('reminderTime', 'fire') ? 'reminderFireTime' : 'eventStartTime'
    rows = owned(:events, user['id']).flat_map { |event| event['reminderMinutesBeforeStart'] ? reminders(event) : [] }
    rows = rows.select { |row| window.cover?(parse_time(row[timed]['dateTime'])) }.sort_by { |row| row[timed]['dateTime'] }
    list('reminder', 'reminders', rows, parameters: names)
  end

  def reminders(event)
    every, times = event['recurrence']&.values || [0, 1]
    times.times.map do |n|
      start, finish = %w[start end].map { |name| parse_time(event[name]['dateTime']) + n * every * 86_400 }
      { 'eventId' => event['id'], 'eventSubject' => event['subject'], 'eventStartTime' => moment(start),
        'eventEndTime' => moment(finish), 'reminderFireTime' => moment(start - event['reminderMinutesBeforeStart'] * 60) }
    end
  end

  # Writing
  def object
    JSON.parse(@request.body.dup.force_encoding('UTF-8')).then { |value| value.is_a?(Hash) ? value : bad('Not an object.') }
  rescue JSON::ParserError, EncodingError
    bad('The body is not valid JSON.')
  end

  # The known properties of a written object, checked. The id of an item (top) is never taken over.
  def clean(value, schema, top: false)
    value.each_with_object({}) do |(name, inner), out|
      next if name.include?('@')
      bad('The id cannot be written.') if name == 'id' && top && choice?('idInBody', 'refuse')
      bad("There is no property '#{name}' to write.") if !schema.key?(name) && choice?('unknownField', 'refuse')
      out[name] = checked(name, inner, schema[name]) if schema.key?(name) && !(top && name == 'id')
    end
  end
  def checked(name, value, kind)
    return nil if value.nil? && (NULLABLE.include?(name) || (kind == 'string' && choice?('nullText', 'accept')))
    types = { 'string' => [String], 'time' => [String], 'bool' => [true, false], 'number' => [Numeric] }
    bad("The value of '#{name}' has the wrong type.") if types.fetch(kind, [kind.class]).none? { |type| type === value }
    bad("The value of '#{name}' is not valid UTF-8.") if value.is_a?(String) && !value.valid_encoding?
    return clean(value, kind) if kind.is_a?(Hash)
    return value.map { |inner| checked(name, inner, kind[0]) } if kind.is_a?(Array)
    return value if kind != 'time' || parse_time(value).utc? && value.end_with?('Z')
    parse_time(value).getutc.iso8601(value[/\.(\d+)/, 1].to_s.size)
  end

  def create_message(user)
    fields, relations = *TYPES['message']
    given = clean(object.except(*relations.keys), fields, top: true)
    lists = relations.to_h { |name, (type, _)| [name.to_sym, checked(name, object.fetch(name, []), [TYPES[type].fields])] }
    lists[:attachments].each { |file| file.store('id', new_key('attachments')) }
    given['toRecipients'] &&= given['toRecipients'].first(1) if fault?('create-one-recipient')
    row = { 'subject' => '', 'body' => { 'contentType' => 'text', 'content' => '' }, 'toRecipients' => [],
            'from' => recipient(user), 'receivedDateTime' => stamp(Time.now), 'isRead' => choice?('createdRead', 'true'),
            'importance' => 'normal', owner: user['id'], folder: owned(:folders, user['id'])[0]['id'] }
    store(:messages, 'message', merged(row.merge(lists), given))
  end

  def create_group
    given = clean(object, TYPES['group'].fields, top: true)
    lacking = TYPES['group'].fields.keys - ['id'] - given.keys
    bad("The new group lacks #{lacking.join(', ')}.") if choice?('groupFields', 'required') && lacking.any?
    given['securityEnabled'] ||= true if fault?('create-false-lost')
    row = { 'displayName' => '', 'mailEnabled' => false, 'mailNickname' => '', 'securityEnabled' => true, members: [] }
    store(:groups, 'group', row.merge(given))
  end
  def store(table, type, row) = one(choice("createStatus.#{table}").to_i, type, table, insert(table, row))

  # A body keeps the parts that are not given; every other property is replaced.
  def merged(row, changes) = row.merge(changes) { |name, was, now| name == 'body' ? was.merge(now) : now }
  def check_match(row)
    fits = @request.headers['if-match'].nil? || tag_listed?('if-match', row)
    refuse(412, 'preconditionFailed', 'The item has another entity tag.') unless fits
  end
  def update(type, name, row)
    check_match(row) unless fault?('update-ifmatch-ignored')
    changes = clean(object, TYPES[type].fields, top: true)
    changes.compact! if fault?('update-null-ignored')
    row.replace(merged(row, changes)).store(:rev, $revision += 1)
    one(200, type, name, row)
  end
  def delete(name, row)
    check_match(row)
    row.store(:gone, true)
    [choice("deleteStatus.#{name}").to_i, {}, nil]
  end

  # Operations
  def member_groups(user, groups) = groups.select { |group| group[:members].include?(user['id']) }
  def result(ids) = [200, {}, choice?('memberList', 'bare') ? ids : context('Collection(Edm.String)').merge('value' => ids)]
  def get_member_groups(user)
    flag = object.fetch('securityEnabledOnly', choice?('memberFlag', 'false') ? false : nil)
    bad('securityEnabledOnly must be true or false.') unless [true, false].include?(flag)
    groups = member_groups(user, fault?('delete-membership-stays') ? DB[:groups].values : live(:groups))
    result(groups.select { |group| !flag || group['securityEnabled'] }.map { |group| group['id'] })
  end
  def check_member_objects(user)
    ids = object['ids']
    bad('ids must be a list of texts.') unless ids.is_a?(Array) && ids.all?(String)
    known = member_groups(user, live(:groups)).map { |group| group['id'] }
    result(fault?('operation-check-stops') ? ids.take_while { |id| known.include?(id) } : ids.uniq & known)
  end
end

ARGV.include?('--describe') ? puts(JSON.generate(describe)) : listen
