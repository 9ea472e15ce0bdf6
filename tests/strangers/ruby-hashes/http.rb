# HTTP over TCPServer: one thread for each connection, one request at a time.
# Percent-decoding of a path segment or of a query part (there + is a blank).
def decoded(text, plus: false)
  text = text.tr('+', ' ') if plus
  text = text.b.gsub(/%(\h\h)/) { $1.hex.chr }.force_encoding('UTF-8')
  text.valid_encoding? ? text : bad('The address is not valid UTF-8.')
end

Request = Struct.new(:verb, :path, :query, :headers, :body) do
  def eventual? = headers['consistencylevel'].to_s.casecmp?('eventual')
  def body_type = headers['prefer'].to_s[/(?<![\w-])(?:[\w-]+\.)?body-content-type\s*=\s*"?(text|html)\b/i, 1]&.downcase
  def seen = (@seen ||= [])
  def segments = path.chomp('/').split('/', -1).drop(1).map { |segment| decoded(segment) }
  def pairs
    parts = query.split('&').reject(&:empty?).map { |pair| pair.partition('=').values_at(0, 2) }
    @pairs ||= parts.map { |pair| pair.map { |part| decoded(part, plus: true) } }
  end
end
def read_request(socket)
  verb, address, version = socket.gets("\n", 65_536).to_s.split
  return unless version.to_s.start_with?('HTTP/1')
  headers = { 'connection' => version == 'HTTP/1.0' ? 'close' : 'keep-alive', 'host' => '127.0.0.1' }
  while (line = socket.gets("\n", 65_536).to_s.strip) != ''
    name, value = line.split(':', 2).map(&:strip)
    headers.merge!(name.downcase => value.to_s) { |_, was, now| name.casecmp?('prefer') ? "#{was}, #{now}" : now }
  end
  path, query = address.sub(%r{\Ahttps?://[^/]*}i, '').split('?', 2)
  Request.new(verb, path, query.to_s, headers, read_body(socket, headers))
end

def read_body(socket, headers)
  return socket.read(headers['content-length'].to_i).to_s unless headers['transfer-encoding'].to_s.casecmp?('chunked')
  body = +''
  while (size = socket.gets.to_s.hex).positive? do body << socket.read(size + 2)[0, size] end
  socket.gets && body
end
def write_answer(socket, request, status, headers, body)
  text = body.is_a?(String) ? body : JSON.generate(body)
  text = '' if body.nil? || request.verb == 'HEAD'
  headers['Content-Type'] = body.is_a?(String) ? 'text/plain' : 'application/json; charset=utf-8' if body
  headers['Content-Length'] = text.bytesize unless [204, 304].include?(status)
  headers['Connection'] = request.headers['connection']
  lines = ["HTTP/1.1 #{status} #{status < 400 ? 'OK' : 'Refused'}", *headers.map { |name, value| "#{name}: #{value}" }]
  socket.write("#{lines.join("\r\n")}\r\n\r\n".b + text.b)
end

LOCK = Mutex.new
def serve(socket)
  socket.binmode.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
  while (request = read_request(socket))
    write_answer(socket, request, *LOCK.synchronize { Service.new(request).answer })
    break if request.headers['connection'].casecmp?('close')
  end
rescue SystemCallError, IOError # the client has gone
ensure
  socket.close
end

def listen
  server = TCPServer.new('127.0.0.1', ENV.fetch('PORT', '0').to_i)
  puts "listening on http://127.0.0.1:#{server.addr[1]}"
  $stdout.flush
  loop { Thread.new(server.accept) { |socket| serve(socket) } }
end
