# Types (types.json), relations and the data at start (seed.json). Rows are hashes: string keys are properties,
# symbol keys internals. In seed.json "_name" is an internal and "@table number" an identifier.
Type = Struct.new(:fields, :relations)
TYPES = JSON.parse(File.read("#{__dir__}/types.json")).transform_values { |t| Type.new(t['fields'], t['relations']) }
NULLABLE = %w[mail jobTitle name].freeze
COUNTERS = Hash.new(0)
DB = Hash.new { |tables, name| tables[name] = {} }
$revision = 0

def key_of(table, number)
  hex = Digest::MD5.hexdigest("#{table} #{number}")
  case choice('keys')
  when 'guid' then hex.sub(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '\1-\2-\3-\4-\5')
  when 'short' then "#{table[0]}#{number}"
  else "AAMk#{[[hex].pack('H*')].pack('m0').tr('+/', '-_')}"
  end
end

# A value of seed.json with its identifiers filled in.
def loaded(value)
  case value
  when Hash then value.to_h { |name, inner| [name.start_with?('_') ? name[1..].to_sym : name, loaded(inner)] }
  when Array then value.map { |inner| loaded(inner) }
  when /\A@(\w+) (\d+)\z/ then key_of($1, $2.to_i)
  else value
  end
end
def new_key(table) = key_of(table, COUNTERS[table] += 1)
def insert(table, row) = new_key(table.to_s).then { |key| DB[table][key] = { 'id' => key, rev: $revision += 1 }.merge(row) }
def live(table) = DB[table].values.reject { |row| row[:gone] }
def owned(table, owner_id) = live(table).select { |row| row[:owner] == owner_id }
def recipient(user) = { 'emailAddress' => { 'address' => user['mail'] || user[:address], 'name' => user['displayName'] } }
def stamp(time) = time.getutc.strftime('%Y-%m-%dT%H:%M:%SZ')
def moment(time) = { 'dateTime' => stamp(time), 'timeZone' => 'UTC' }

# Conversion between texts and HTML.
def to_html(text) = "<html><body>#{text.gsub('&', '&amp;').gsub('<', '&lt;').gsub('>', '&gt;')}</body></html>"
def to_text(html) = html.gsub(/<[^>]*>/, '').gsub('&lt;', '<').gsub('&gt;', '>').gsub('&nbsp;', ' ').gsub('&amp;', '&')
def preferred_body(body, wanted)
  return body if wanted.nil? || body['contentType'].to_s.downcase == wanted
  { 'contentType' => wanted, 'content' => wanted == 'html' ? to_html(body['content'].to_s) : to_text(body['content'].to_s) }
end

# The row or the rows that a relation leads to.
def related(row, name)
  case name
  when 'manager' then DB[:users][row[:manager]]
  when 'members' then row[:members].map { |id| DB[:users][id] }
  when 'events' then owned(:events, row[:owner])
  when 'children' then live(:items).select { |item| item.dig('parentReference', 'id') == row['id'] }
  else row[name.to_sym] || []
  end
end

seed = JSON.parse(File.read("#{__dir__}/seed.json"))
seed.each { |table, rows| rows.each { |row| insert(table.to_sym, loaded(row)) } }
COUNTERS['attachments'] = 1000
live(:messages).each { |row| row['body'] = preferred_body(row['body'], choice('seedBody')) }
ME = live(:users)[2]
