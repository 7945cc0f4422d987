#!/usr/bin/env bash
# Django, CherryPy, Bottle: of a form without Content-Length, all or part is lost
#
# Guess:     gunicorn and cheroot decode "Transfer-Encoding: chunked", so a form that a client sends
#            this way arrives as any other; else there is an error (411).
# Happens:   Django sees an empty form, without an error. CherryPy, also on its own server cheroot,
#            takes the first field, and drops the file behind it. Bottle decodes the chunks a second
#            time: 400. Flask reads it all. On waitress, which adds a Content-Length, all four do.
# Versions:  Django 5.2.19, CherryPy 18.10.0, bottle 0.13.4, Flask 3.1.3, gunicorn 27.0.1,
#            cheroot 11.1.2, waitress 3.0.2, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: clients that stream a form (fetch() of a generator, a proxy that does not buffer).
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
PIP_NO_COMPILE=1 install_python Django==5.2.19 CherryPy==18.10.0 bottle==0.13.4 Flask==3.1.3 \
  gunicorn==27.0.1 cheroot==11.1.2 waitress==3.0.2

cat > receivers.py <<'PY'
import bottle, cherrypy, django.conf, flask
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

def seen(form, files):
    return f"{form.get('comment')}{' + file' if files.get('file') is not None else ''}"

class Cherry:
    @cherrypy.expose
    def index(self, **form):
        return seen(form, form)

django.conf.settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=['*'], MIDDLEWARE=[])
urlpatterns = [path('', lambda request: HttpResponse(seen(request.POST, request.FILES)))]
receivers = {
    'Django': get_wsgi_application(),
    'CherryPy': cherrypy.Application(Cherry(), ''),
    'Bottle': bottle.Bottle(),
    'Flask': flask.Flask('receiver'),
}
cherrypy.config.update({'environment': 'embedded'})
receivers['Bottle'].post('/')(lambda: seen(bottle.request.forms, bottle.request.files))
receivers['Flask'].post('/')(lambda: seen(flask.request.form, flask.request.files))

def app(environ, start):
    return receivers[environ['PATH_INFO'][1:]]({**environ, 'PATH_INFO': '/'}, start)
PY
cat > finding.py <<'PY'
import http.client, os, re, subprocess, sys, threading
import cheroot.wsgi, waitress.server
from receivers import app, receivers

head = '--finding\r\nContent-Disposition: form-data; name='
form = f'{head}"comment"\r\n\r\nPassed\r\n{head}"file"; filename="report.csv"\r\n\r\na,b\r\n--finding--\r\n'

def post(port, name, body):
    client = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    client.request('POST', f'/{name}', body, {'Content-Type': 'multipart/form-data; boundary=finding'})
    response = client.getresponse()
    return f"{response.status} {response.read().decode() if response.status == 200 else ''}".strip()

command = [sys.executable, '-m', 'gunicorn', '-b', '127.0.0.1:0', 'receivers:app']
gunicorn = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
for line in gunicorn.stderr:
    if found := re.search(r'Listening at: http://127\.0\.0\.1:(\d+)', line):
        break
own = cheroot.wsgi.Server(('127.0.0.1', 0), app)
own.prepare()
other = waitress.server.create_server(app, host='127.0.0.1', port=0)
for run in [gunicorn.stderr.read, own.serve, other.run]:
    threading.Thread(target=run, daemon=True).start()
ports = {'gunicorn': int(found[1]), 'cheroot': own.bind_addr[1], 'waitress': int(other.effective_port)}
for name in receivers:
    print(f'{name}, with Content-Length:', *{post(port, name, form.encode()) for port in ports.values()})
    chunked = [f'{server} {post(port, name, iter([form.encode()]))}' for server, port in ports.items()]
    print('  in chunks:', ', '.join(chunked), flush=True)
gunicorn.terminate()
gunicorn.wait()
os._exit(0)  # The threads of the servers do not end by themselves.
PY
play python/bin/python -W ignore finding.py
described <<'END'
Django, with Content-Length: 200 Passed + file
  in chunks: gunicorn 200 None, cheroot 200 None, waitress 200 Passed + file
CherryPy, with Content-Length: 200 Passed + file
  in chunks: gunicorn 200 Passed, cheroot 200 Passed, waitress 200 Passed + file
Bottle, with Content-Length: 200 Passed + file
  in chunks: gunicorn 400, cheroot 400, waitress 200 Passed + file
Flask, with Content-Length: 200 Passed + file
  in chunks: gunicorn 200 Passed + file, cheroot 200 Passed + file, waitress 200 Passed + file
END
