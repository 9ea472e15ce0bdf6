# The query options: parsing, filtering, sorting, searching and shaping of rows.
Refused = Class.new(StandardError) { attr_accessor :status, :code }
def refuse(status, code, message)
  raise Refused.new(message).tap { |error| error.status, error.code = status.to_i, code }
end
def bad(message) = refuse(400, 'badRequest', message)
def unsupported(message) = refuse(choice('unsupportedStatus'), 'notSupported', message)
def missing(message = 'The item does not exist.') = refuse(404, 'itemNotFound', message)
def need_advanced(request)
  message = 'Advanced query capabilities are not available without the header ConsistencyLevel: eventual.'
  refuse(choice('advancedStatus'), 'advancedQueryNotAvailable', message) unless request.eventual?
end
TIMES = {} # timestamps that have been parsed
def parse_time(text)
  raise ArgumentError unless text.match?(/\A\d.*(Z|[+-]\d\d:\d\d)\z/i)
  TIMES[text] ||= Time.iso8601(text.upcase.sub(/(T\d\d:\d\d)(?=[Z+-])/, '\1:00'))
rescue ArgumentError
  bad("'#{text}' is not an ISO 8601 timestamp.")
end

# Splits at a separator that stands outside parentheses and quoted texts.
def split_outside(text, separator)
  piece = /(?:'[^']*'|(?<group>\((?:'[^']*'|[^()']|\g<group>)*\))|[^'()#{separator}])+/m
  parts = text.gsub(piece).map(&:strip)
  fits = parts.any? && parts.none?(&:empty?) && text.gsub(piece, '') == separator * (parts.size - 1)
  fits ? parts : bad("The list '#{text}' cannot be read.")
end

# Turns a $filter text into a function of a row. A node is [kind, function of env];
# env maps nil to the row and lambda variables to elements.
class Filter
  NAME = /[[:alpha:]_][[:alnum:]_]*/
  TOKENS = [[:text, /'(?:[^']|'')*'/], [:time, /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/i],
            [:guid, /\h{8}-\h{4}-\h{4}-\h{4}-\h{12}/], [:number, /-?\d+(?:\.\d+)?/],
            [:word, %r{#{NAME}(?:/#{NAME})*}], [:mark, /[(),:]/]].freeze
  OPERATORS = { 'eq' => :==, 'ne' => :!=, 'gt' => :>, 'ge' => :>=, 'lt' => :<, 'le' => :<= }.freeze
  TEXT_TESTS = { 'startswith' => :start_with?, 'endswith' => :end_with?, 'contains' => :include? }.freeze

  def initialize(type, request)
    @type, @request, @variables = type, request, { nil => type.fields }
  end
  def compile(text)
    text = text.gsub(/\bnot *\(([^()]+(?:\([^()]*\))?[^()]*?) (and|or) /, '(not (\1) \2 ') if fault?('filter-not-scope')
    scanner = StringScanner.new(text)
    @tokens = []
    until scanner.skip(/\s*/) && scanner.eos?
      kind, = TOKENS.find { |_, pattern| scanner.scan(pattern) }
      @tokens << [kind || bad("The filter cannot be read at '#{scanner.rest}'."), scanner.matched]
    end
    test = condition(any_of)
    bad("Unexpected '#{@tokens[0][1]}' in the filter.") if @tokens.any?
    ->(row) { test.({ nil => row }) }
  end

  # A property path as a node, with its schema as third element.
  def property(path)
    parts = path.split('/')
    variable = @variables.key?(parts[0]) ? parts.shift : nil
    schema = parts.inject(@variables[variable]) do |above, part|
      (above.is_a?(Hash) && above[part]) || bad("There is no property '#{path}' here.")
    end
    kind = { Hash => 'object', Array => 'list' }.fetch(schema.class, schema)
    read = ->(env) { parts.inject(env[variable]) { |value, part| value && value[part] } }
    [kind, kind == 'time' ? ->(env) { read.(env)&.then { |text| parse_time(text) } } : read, schema]
  end

  def take(kind, text) = @tokens[0] == [kind, text] && @tokens.shift
  def expect(mark) = take(:mark, mark) || bad("'#{mark}' expected in the filter.")
  def constant(kind, value) = [kind, ->(_) { value }]
  def condition(node) = node[0] == 'bool' ? node[1] : bad('A condition is expected in the filter.')
  def any_of = chain('or', :any?) { all_of }
  def all_of = chain('and', :all?) { negation }
  def chain(word, how)
    nodes = [yield]
    nodes << yield while take(:word, word)
    return nodes[0] if nodes.size == 1
    tests = nodes.map { |node| condition(node) }
    ['bool', ->(env) { tests.public_send(how) { |test| test.(env) } }]
  end
  def negation
    return comparison unless take(:word, 'not')
    test = condition(negation)
    ['bool', ->(env) { !test.(env) }]
  end
  def comparison
    left = operand
    operator = OPERATORS.keys.find { |name| take(:word, name) }
    operator ? compare(operator, left, operand) : left
  end
  def compare(operator, *nodes)
    kinds = nodes.map(&:first) - ['null']
    bad('Values of different types are compared.') if kinds.uniq.size > 1 || kinds.include?('list')
    bad('An object can only be compared with null.') if kinds == %w[object object]
    bad("'#{operator}' does not fit booleans.") if kinds.include?('bool') && !%w[eq ne].include?(operator)
    method = OPERATORS[operator]
    method = :> if fault?('filter-ge-border') && operator == 'ge' && kinds.include?('time')
    first, second = nodes.map { |node| folded(node) }
    return ['bool', ->(env) { first.(env).public_send(method, second.(env)) }] if %w[eq ne].include?(operator)
    ['bool', ->(env) { both(first.(env), second.(env)) { |a, b| a.public_send(method, b) } }]
  end

  def both(first, second) = !first.nil? && !second.nil? && yield(first, second)
  def lowered(read) = ->(env) { read.(env)&.downcase }
  def folded((kind, read)) = kind == 'string' && choice?('filterCase', 'insensitive') ? lowered(read) : read
  def operand
    kind, text = @tokens.shift
    case kind
    when :text, :guid then constant('string', text.gsub(/\A'|'\z/, '').gsub("''", "'"))
    when :time then constant('time', parse_time(text))
    when :number then constant('number', text.include?('.') ? text.to_f : text.to_i)
    when :word then named(text)
    else
      bad('The filter ends too early or has a misplaced mark.') unless text == '('
      any_of.tap { expect(')') }
    end
  end

  def named(text)
    return constant('bool', text == 'true') if %w[true false].include?(text)
    return constant('null', nil) if text == 'null'
    return property(text) unless take(:mark, '(')
    return any(text.delete_suffix('/any')) if text.end_with?('/any')
    name = text.downcase
    need_advanced(@request) if name == 'contains'
    return ['string', lowered(text_argument(')'))] if name == 'tolower'
    test = TEXT_TESTS[name] || unsupported("The function '#{text}' is not supported.")
    whole = text_argument(',')
    part = text_argument(')')
    ['bool', ->(env) { both(whole.(env), part.(env)) { |a, b| a.public_send(test, b) } }]
  end

  def text_argument(mark)
    node = operand.tap { expect(mark) }
    node[0] == 'string' ? folded(node) : bad('A text is expected in the function.')
  end
  def any(path)
    need_advanced(@request)
    relation = @type.relations[path]
    kind, read, schema = relation ? [relation[1], ->(env) { related(env[nil], path) }, [TYPES[relation[0]].fields]] : property(path)
    bad("'#{path}' is not a collection.") unless %w[list many].include?(kind)
    variable = @tokens.shift&.at(1).to_s
    bad('A variable is expected in any().') unless variable.match?(/\A#{NAME}\z/)
    expect(':')
    outside = @variables
    @variables = outside.merge(variable => schema[0])
    test = condition(any_of)
    @variables = outside
    expect(')')
    read = read.then { |all| ->(env) { all.(env).to_a.first(1) } } if fault?('filter-any-first')
    ['bool', ->(env) { read.(env).to_a.any? { |element| test.(env.merge(variable => element)) } }]
  end
end

# A list of [function of a row, 1 or -1].
def parse_order(text, type, request)
  keys = split_outside(text, ',').map do |part|
    path, direction, rest = part.split
    bad("'#{part}' cannot be sorted by.") if rest || ![nil, 'asc', 'desc'].include?(direction)
    kind, read, = Filter.new(type, request).property(path)
    bad("'#{path}' cannot be sorted by.") if %w[object list].include?(kind)
    [->(row) { sort_value(read.({ nil => row })) }, direction == 'desc' ? -1 : 1]
  end
  fault?('order-second-direction') ? keys.map { |key, _| [key, keys[0][1]] } : keys
end

def sort_value(value)
  return [choice?('nulls', 'low') ? -1 : 1, 0] if value.nil?
  value = { true => 1, false => 0 }.fetch(value, value)
  return [0, value] if choice?('collation', 'ordinal') || !value.is_a?(String)
  value = value.unicode_normalize(:nfd).gsub(/\p{Mn}/, '') if choice?('collation', 'folded')
  [0, value.downcase]
end

# Sorts by several keys; rows with equal keys keep their order.
def sort_rows(rows, keys)
  return rows if keys.empty?
  read, sign = keys[0]
  groups = rows.group_by { |row| read.(row) }.sort_by(&:first)
  (sign == 1 ? groups : groups.reverse).flat_map { |_, equal| sort_rows(equal, keys.drop(1)) }
end
def parse_search(text, type)
  form = /"((?:[^"\\]|\\.)*)"/m
  bad('$search has the form "property:term" OR "property:term".') unless text.match?(/\A\s*#{form}(\s+OR\s+#{form})*\s*\z/)
  terms = text.scan(form).map do |(inner)|
    name, term = inner.gsub(/\\(.)/m, '\1').split(':', 2).map(&:strip)
    bad('A term of $search has the form property:term.') if term.to_s.empty?
    bad("'#{name}' cannot be searched.") if [nil, 'bool', 'time', 'number'].include?(type.fields[name])
    [name, search_pattern(term)]
  end
  terms.each { |each| each[0] = terms[0][0] } if fault?('search-first-property')
  ->(row) { terms.any? { |name, pattern| texts(name, row[name]).any? { |value| value.match?(pattern) } } }
end
def search_pattern(term)
  text = Regexp.escape(term)
  { 'word' => /(?<![[:alnum:]])#{text}(?![[:alnum:]])/i, 'prefix' => /(?<![[:alnum:]])#{text}/i }
    .fetch(choice('searchMatch'), /#{text}/i)
end
def texts(name, value)
  value = preferred_body(value, 'text')['content'] if name == 'body'
  value = value.values if value.is_a?(Hash)
  value.is_a?(Array) ? value.flat_map { |inner| texts(nil, inner) } : [value].grep(String)
end
def parse_select(text, type)
  names = split_outside(text, ',')
  unknown = names - type.fields.keys - type.relations.keys - ['*']
  bad("There is no property '#{unknown[0]}' to select.") if unknown.any? && choice?('selectUnknown', 'refuse')
  names.include?('*') ? type.fields.keys : names
end
def parse_expand(text, type, request, depth)
  unsupported("$expand goes deeper than #{choice('expandDepth')}.") if depth > choice('expandDepth').to_i
  split_outside(text, ',').map do |part|
    name, inner = part.match(/\A(\w+)(?:\((.*)\))?\z/m)&.captures
    target, many = type.relations[name] || unsupported("There is no relation '#{part}' to expand.")
    pairs = inner ? split_outside(inner, ';').map { |option| option.split('=', 2).map(&:strip) } : []
    bad("The options of '#{name}' cannot be read.") if pairs.any? { |pair| pair.size != 2 }
    known = %w[$select $expand] + (many == 'many' ? %w[$filter $orderby $top $skip $count] : [])
    options = parse_options(pairs, TYPES[target], request, known, nil, depth)
    options[:select] &&= options[:select].first(1) if fault?('expand-nested-comma')
    [name, target, many, options]
  end
end

# Reads the options of a request (or of one expanded relation) into a hash. `known` lists what is supported.
def parse_options(pairs, type, request, known, collection, depth = 0)
  pairs.each_with_object({}) do |(name, text), options|
    next if !name.start_with?('$') && depth.zero? && choice?('customOption', 'ignore')
    unsupported("The option '#{name}' is not supported here.") unless known.include?(name)
    key = name.delete_prefix('$').to_sym
    bad("The option '#{name}' is given twice.") if options.key?(key)
    options[key] = case key
                   when :select then parse_select(text, type)
                   when :expand then parse_expand(text, type, request, depth + 1)
                   when :filter then Filter.new(type, request).compile(text)
                   when :orderby then parse_order(text, type, request)
                   when :skip, :top then check_number(key, text, most_items(collection))
                   when :count then %w[true false].include?(text) ? text == 'true' : bad('$count must be true or false.')
                   when :search then need_advanced(request) || parse_search(text, type)
                   else text
                   end
  end
end

def most_items(collection) = CHOICES.fetch("topMax.#{collection}", 999).to_i
def check_number(key, text, most)
  number = text.match?(/\A\d{1,9}\z/) ? text.to_i : bad("$#{key} must be a whole number.")
  fits = key == :skip || ((number.positive? || choice?('topZero', 'empty')) && (number <= most || choice?('topOver', 'clamp')))
  fits ? number : bad("$top must be between 1 and #{most}.")
end
def apply_options(rows, options)
  [options[:filter], options[:search]].compact.each { |test| rows = rows.select { |row| test.(row) } }
  options[:orderby] ? sort_rows(rows, options[:orderby]) : rows
end

# The JSON object of a row.
def shape(row, type_name, options, request)
  answer = TYPES[type_name].fields.to_h { |name, _| [name, row[name]] }
  answer['body'] = preferred_body(answer['body'], request.body_type) if answer['body']
  if (wanted = options[:select])
    answer = choice?('unselected', 'null') ? answer.to_h { |k, v| [k, wanted.include?(k) ? v : nil] } : answer.slice(*wanted)
  end
  options.fetch(:expand, []).each { |expansion| add_relation(answer, row, expansion, request) }
  answer
end

def add_relation(answer, row, (name, target, many, options), request)
  found = related(row, name)
  if many == 'one'
    found = nil if fault?('expand-shared-once') && found && request.seen.include?(found['id'])
    request.seen << found['id'] if found
    answer[name] = found && shape(found, target, options, request) if found || choice?('noManager', 'null')
    return
  end
  found = apply_options(found, options)
  answer["#{name}@odata.count"] = found.size if options[:count]
  found = found.drop(options[:skip] || 0).first(options[:top] || found.size)
  answer[name] = found.map { |each| shape(each, target, options, request) }
end
