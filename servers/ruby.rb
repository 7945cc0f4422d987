# Servers of Ruby, for `npm run test:servers`: ruby ruby.rb puma
require 'json'
require 'securerandom'

PORT = Integer(ENV.fetch('PORT'))
LIMIT = 5_000_000
PATH = '/api/files.upload'
REFUSED = { ok: false, error: 'refused' }.freeze
$busy = false

def allowed?(header) = header == "Bearer #{ENV.fetch('TOKEN')}"

# Stores a file. Returns the status and the content of the response.
def receive(comment, channels, name, type, bytes)
  return [400, REFUSED] if name.to_s.empty?
  return [413, REFUSED] if bytes.bytesize > LIMIT

  if comment == 'busy' && !$busy
    $busy = true
    return [429, REFUSED]
  end
  raise 'no disk' if comment == 'throw'

  ts = SecureRandom.uuid
  File.binwrite("uploads/#{ts}", bytes)
  text = ->(value) { value.to_s.dup.force_encoding('UTF-8') }
  stored = { ts:, name: text[name], type:, comment: text[comment], channels: text[channels].split(',') }
  $stdout.puts(JSON.generate(stored))
  $stdout.flush
  exit!(1) if comment == 'exit'
  [200, { ok: true }]
end

# What Rack makes of a form.
def from_rack(fields)
  file = fields['file']
  file = {} unless file.is_a?(Hash)
  receive(fields['initial_comment'], fields['channels'], file[:filename], file[:type], file[:tempfile]&.read)
end

def puma
  require 'rack'
  require 'rack/handler/puma'
  app = lambda do |env|
    request = Rack::Request.new(env)
    status, body =
      if request.path != PATH then [404, { ok: false, error: 'unknown_method' }]
      elsif !allowed?(env['HTTP_AUTHORIZATION']) then [401, REFUSED]
      else from_rack(request.POST)
      end
    [status, { 'content-type' => 'application/json' }, [JSON.generate(body)]]
  end
  Rack::Handler::Puma.run(app, Host: '127.0.0.1', Port: PORT, Silent: true)
end

def thin
  require 'sinatra/base'
  require 'thin'
  app = Sinatra.new do
    set :environment, :production
    post PATH do
      status, body = allowed?(request.env['HTTP_AUTHORIZATION']) ? from_rack(request.POST) : [401, REFUSED]
      [status, { 'content-type' => 'application/json' }, JSON.generate(body)]
    end
  end
  Thin::Logging.silent = true
  Thin::Server.start('127.0.0.1', PORT, app, signals: false)
end

def webrick
  require 'webrick'
  server = WEBrick::HTTPServer.new(
    BindAddress: '127.0.0.1', Port: PORT, AccessLog: [], Logger: WEBrick::Log.new(File::NULL)
  )
  server.mount_proc(PATH) do |request, response|
    file = request.query['file']
    response.status, body =
      if !allowed?(request['authorization']) then [401, REFUSED]
      elsif file.nil? then [400, REFUSED]
      else
        receive(request.query['initial_comment'], request.query['channels'], file.filename,
                file['content-type'], file.to_s)
      end
    response.body = JSON.generate(body)
  end
  server.start
end

send(ARGV.fetch(0))
