#!/usr/bin/env bash
# Apprise: --attach ends with 0 where it sends no files, even if the file is missing
#
# Guess:     to leave out the report that it was told to attach is an error, or at least a warning.
# Happens:   to Mattermost and Rocket.Chat, it only sends the text, ends with 0, and prints nothing,
#            also with -v. A missing file is an error for form:// and json://, but not for these.
# Versions:  apprise 2.3.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: jobs that send a report to several services by one command: some channels have the
#            text, and not the file.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python apprise==2.3.0

echo 'a,b' > report.csv
cat > finding.py <<'PY'
import http.server
import subprocess
import threading

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        received.append('text and file' if b'report.csv' in body else 'text')
        self.send_response(200)
        self.send_header('Content-Length', '2')
        self.end_headers()
        self.wfile.write(b'ok')

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
host = f'127.0.0.1:{server.server_port}'
services = {
    'form': f'form://{host}/',
    'JSON': f'json://{host}/',
    'Mattermost': f'mmost://{host}/' + 'a' * 32,
    'Rocket.Chat': f"rocket://{'a' * 20}/{'b' * 20}@{host}/%23general",
}
for name, url in services.items():
    for file in ['report.csv', 'missing.csv']:
        received = []
        command = ['python/bin/apprise', '-v', '--body', 'Passed', '--attach', file, url]
        result = subprocess.run(command, capture_output=True, text=True)
        message = 'an error' if result.stdout + result.stderr else 'nothing'
        print(f'{name}, {file}: exit code {result.returncode}, prints {message}, receives', *received or ['nothing'])
PY
play env -u http_proxy -u HTTP_PROXY python/bin/python finding.py
described <<'END'
form, report.csv: exit code 0, prints nothing, receives text and file
form, missing.csv: exit code 1, prints an error, receives nothing
JSON, report.csv: exit code 0, prints nothing, receives text and file
JSON, missing.csv: exit code 1, prints an error, receives nothing
Mattermost, report.csv: exit code 0, prints nothing, receives text
Mattermost, missing.csv: exit code 0, prints nothing, receives text
Rocket.Chat, report.csv: exit code 0, prints nothing, receives text
Rocket.Chat, missing.csv: exit code 0, prints nothing, receives text
END
