#!/usr/bin/env bash
# s3rver, moto: a fake of S3 stores half of a file, another file, or a file with a wrong name
#
# Guess:     a fake may lack a feature, but what S3 promises for every upload holds: a body that breaks
#            off makes no object, one that contradicts its Content-MD5 is 400 (BadDigest), and
#            ${filename} in the key of a form is the name of the file.
# Happens:   s3rver responds 400 to a body that breaks off, and stores what came as a whole object. Both
#            store what contradicts its Content-MD5. s3rver keeps ${filename} as it stands, so each
#            upload replaces the one before.
# Versions:  s3rver 3.7.1, moto 5.2.5, boto3 1.44.8, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-29
# Who meets it: tests of uploads: a client that loses a connection, and looks whether the file arrived, is
#            told that it did.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install s3rver@3.7.1
install_python 'moto[server]==5.2.5' boto3==1.44.8

cat > finding.py <<'PY'
import base64
import hashlib
import http.client
import socket
import subprocess
import time
import urllib.parse

import boto3
import botocore.config
import requests

def break_off(url):
    """A PUT that announces 1,000 bytes, and ends after 400."""
    parts = urllib.parse.urlsplit(url)
    head = f'PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n'
    with socket.create_connection((parts.hostname, parts.port)) as connection:
        connection.sendall(f'{head}Content-Length: 1000\r\n\r\n'.encode() + b'x' * 400)
        # The server is to see a body before it sees its end.
        time.sleep(1)
        connection.shutdown(socket.SHUT_WR)
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status

def stored():
    for _ in range(10):
        found = client.list_objects_v2(Bucket='reports').get('Contents', [])
        if found:
            break
        time.sleep(0.5)
    for item in found:
        client.delete_object(Bucket='reports', Key=item['Key'])
    return ', '.join(f"{item['Key']} of {item['Size']} bytes" for item in found) or 'nothing'

for name, command in {
    's3rver': 'node --no-warnings node_modules/s3rver/bin/s3rver.js -s -d store -a 127.0.0.1 -p',
    'moto': 'python/bin/moto_server -H 127.0.0.1 -p',
}.items():
    with socket.create_server(('127.0.0.1', 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [*command.split(), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while True:
        try:
            socket.create_connection(('127.0.0.1', port)).close()
            break
        except OSError:
            time.sleep(0.1)
    client = boto3.client(
        's3',
        endpoint_url=f'http://127.0.0.1:{port}',
        region_name='us-east-1',
        aws_access_key_id='S3RVER',
        aws_secret_access_key='S3RVER',
        config=botocore.config.Config(s3={'addressing_style': 'path'}, signature_version='s3v4'),
    )
    client.create_bucket(Bucket='reports')
    url = client.generate_presigned_url('put_object', {'Bucket': 'reports', 'Key': 'report.csv'})
    print(f'{name}: 400 of 1,000 bytes: {break_off(url)}, stored', stored())
    digest = base64.b64encode(hashlib.md5(b'another file').digest()).decode()
    response = requests.put(url, b'a,b', headers={'Content-MD5': digest})
    print(f'{name}: the Content-MD5 of another file: {response.status_code}, stored', stored())
    post = client.generate_presigned_post('reports', 'run/${filename}')
    file = {'file': ('report.csv', b'a,b')}
    response = requests.post(post['url'], data=post['fields'], files=file)
    print(f'{name}: a form with the key run/${{filename}}: {response.status_code}, stored', stored())
    server.kill()
PY
play env -u http_proxy -u HTTP_PROXY python/bin/python finding.py
described <<'END'
s3rver: 400 of 1,000 bytes: 400, stored report.csv of 400 bytes
s3rver: the Content-MD5 of another file: 200, stored report.csv of 3 bytes
s3rver: a form with the key run/${filename}: 204, stored run/${filename} of 3 bytes
moto: 400 of 1,000 bytes: 400, stored nothing
moto: the Content-MD5 of another file: 200, stored report.csv of 3 bytes
moto: a form with the key run/${filename}: 204, stored run/report.csv of 3 bytes
END
