#!/usr/bin/env bash
# FastAPI: an empty field of a form is a missing one
#
# Guess:     comment: str = Form() takes '' as the empty text that was sent.
# Happens:   422, "Field required" with the input null, and a field with a default gets the default.
#            A blank is a value, and so is '' in a query.
# Versions:  fastapi 0.165.0, starlette 1.10.0, python-multipart 0.0.34, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: clients that send every field of a form, and users who clear a text: the old default
#            comes back.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python fastapi==0.165.0 starlette==1.10.0 python-multipart==0.0.34 httpx==0.28.1

cat > finding.py <<'PY'
from fastapi import FastAPI, Form
from fastapi.testclient import TestClient

app = FastAPI()

@app.post('/required')
def required(comment: str = Form()):
    return comment

@app.post('/default')
def default(comment: str = Form('Nightly report')):
    return comment

@app.get('/query')
def query(comment: str):
    return comment

client = TestClient(app)
for path in ['/required', '/default']:
    for value in ['', ' ']:
        response = client.post(path, files={'comment': (None, value)})
        body = response.json()
        detail = body['detail'][0]['msg'] if response.status_code == 422 else repr(body)
        print(f'{path} {value!r}: {response.status_code} {detail}')
print(f"/query '': {client.get('/query?comment=').json()!r}")
PY
play python/bin/python -W ignore finding.py
described <<'END'
/required '': 422 Field required
/required ' ': 200 ' '
/default '': 200 'Nightly report'
/default ' ': 200 ' '
/query '': ''
END
