#!/usr/bin/env bash
# pyTelegramBotAPI: after it sent a file, requests sends "report 1.csv" to any server as "report"
#
# Guess:     a bot's library decides how its own uploads look, not those of the rest of the program.
# Happens:   its first upload replaces, in urllib3, the function that writes the name of a file: from
#            then on, no upload by requests in this process has the quotes. A blank or ; or = ends the
#            name for the server, and the ending is lost. No error, no warning.
# Versions:  pyTelegramBotAPI 4.37.1, requests 2.34.2, urllib3 2.8.0, werkzeug 3.1.9, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: scripts that send one report to several services. Which of them gets the right name
#            depends on the order.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python pyTelegramBotAPI==4.37.1 requests==2.34.2 urllib3==2.8.0 werkzeug==3.1.9

cat > finding.py <<'PY'
import http.server
import io
import re
import threading
import requests
import telebot
from werkzeug.wrappers import Request

class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        form = Request({
            'REQUEST_METHOD': 'POST',
            'CONTENT_TYPE': self.headers['Content-Type'],
            'CONTENT_LENGTH': str(len(body)),
            'wsgi.input': io.BytesIO(body),
        })
        sent = re.search(rb'filename=[^\r]*', body)[0].decode()
        print(f'  {sent}, read as:', *[repr(file.filename) for file in form.files.values()])
        self.send_response(200)
        self.end_headers()
        result = b'{"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}}'
        self.wfile.write(b'{"ok": true, "result": ' + result + b'}')

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f'http://127.0.0.1:{server.server_port}'

def upload():
    for name in ['report.csv', 'report 1.csv', 'a;b.csv', 'a=b.csv']:
        requests.post(url, files={'file': (name, b'a,b')})

print('requests, telebot is imported')
upload()
print('telebot')
telebot.apihelper.API_URL = url + '/bot{0}/{1}'
report = io.BytesIO(b'a,b')
report.name = 'report 1.csv'
telebot.TeleBot('1:token', threaded=False).send_document(1, report)
print('requests, telebot has sent a file')
upload()
PY
play env -u http_proxy -u HTTP_PROXY -u all_proxy -u ALL_PROXY python/bin/python finding.py
described <<'END'
requests, telebot is imported
  filename="report.csv", read as: 'report.csv'
  filename="report 1.csv", read as: 'report 1.csv'
  filename="a;b.csv", read as: 'a;b.csv'
  filename="a=b.csv", read as: 'a=b.csv'
telebot
  filename=report 1.csv, read as: 'report'
requests, telebot has sent a file
  filename=report.csv, read as: 'report.csv'
  filename=report 1.csv, read as: 'report'
  filename=a;b.csv, read as: 'a'
  filename=a=b.csv, read as: 'a'
END
