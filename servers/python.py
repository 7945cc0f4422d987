"""Servers of Python, for `npm run test:servers`: python python.py flask"""

import json
import os
import sys
import uuid

TOKEN, PORT = os.environ["TOKEN"], int(os.environ["PORT"])
LIMIT = 5_000_000
PATH = "/api/files.upload"
REFUSED = {"ok": False, "error": "refused"}
os.makedirs("uploads", exist_ok=True)
busy = False


def allowed(header):
    return header == f"Bearer {TOKEN}"


def receive(fields, name, type, content):
    """Stores a file. Returns the status and the JSON of the response."""
    global busy
    if not name:
        return 400, REFUSED
    comment = fields.get("initial_comment", "")
    if comment == "busy" and not busy:
        busy = True
        return 429, REFUSED
    ts = str(uuid.uuid4())
    with open(f"uploads/{ts}", "wb") as file:
        file.write(content)
    stored = {"ts": ts, "name": name, "type": type, "comment": comment}
    print(json.dumps({**stored, "channels": fields["channels"].split(",")}), flush=True)
    if comment == "exit":
        os._exit(1)
    return 200, {"ok": True}


def http_server():
    from email.parser import BytesParser
    from email.policy import HTTP
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            status, body = self.answer()
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def answer(self):
            length = int(self.headers["Content-Length"])
            content = self.rfile.read(length)
            if not allowed(self.headers["Authorization"]):
                return 401, REFUSED
            if self.path != PATH:
                return 404, {"ok": False, "error": "unknown_method"}
            if length > LIMIT:
                return 413, REFUSED
            if len(content) < length:
                return 400, REFUSED
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            parts = {
                part.get_param("name", header="content-disposition"): part
                for part in BytesParser(policy=HTTP).parsebytes(head + content).iter_parts()
            }
            file = parts.pop("file")
            fields = {name: part.get_payload(decode=True).decode() for name, part in parts.items()}
            content = file.get_payload(decode=True)
            return receive(fields, file.get_filename(), file.get_content_type(), content)

    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()


def litestar():
    import uvicorn
    from litestar import Litestar, Request, Response, post

    @post(PATH, request_max_body_size=LIMIT, status_code=200)
    async def upload(request: Request) -> Response:
        if not allowed(request.headers.get("authorization")):
            return Response(REFUSED, status_code=401)
        form = dict(await request.form())
        file = form.pop("file", None)
        if file is None:
            return Response(REFUSED, status_code=400)
        status, body = receive(form, file.filename, file.content_type, await file.read())
        return Response(body, status_code=status)

    uvicorn.run(Litestar([upload]), port=PORT)


def django():
    import uvicorn
    from django.conf import settings
    from django.core.asgi import get_asgi_application
    from django.http import JsonResponse
    from django.urls import path

    def upload(request):
        if not allowed(request.headers.get("Authorization")):
            return JsonResponse(REFUSED, status=401)
        file = request.FILES.get("file")
        if file is None:
            return JsonResponse(REFUSED, status=400)
        if file.size > LIMIT:
            return JsonResponse(REFUSED, status=413)
        status, body = receive(request.POST, file.name, file.content_type, file.read())
        return JsonResponse(body, status=status)

    urls = (path(PATH[1:], upload),)
    settings.configure(ROOT_URLCONF=urls, ALLOWED_HOSTS=["*"], SECRET_KEY="made up")
    uvicorn.run(get_asgi_application(), port=PORT)


def flask():
    from flask import Flask, request

    app = Flask("flask")
    app.config["MAX_CONTENT_LENGTH"] = LIMIT

    @app.post(PATH)
    def upload():
        if not allowed(request.headers.get("Authorization")):
            return REFUSED, 401
        file = request.files.get("file")
        if file is None:
            return REFUSED, 400
        status, body = receive(request.form, file.filename, file.content_type, file.read())
        return body, status

    app.run(port=PORT)


def aiohttp():
    from aiohttp import web

    async def upload(request):
        if not allowed(request.headers.get("Authorization")):
            return web.json_response(REFUSED, status=401)
        form = dict(await request.post())
        file = form.pop("file", None)
        if file is None:
            return web.json_response(REFUSED, status=400)
        status, body = receive(form, file.filename, file.content_type, file.file.read())
        return web.json_response(body, status=status)

    app = web.Application(client_max_size=LIMIT)
    app.router.add_post(PATH, upload)
    web.run_app(app, host="127.0.0.1", port=PORT, print=None)


def tornado():
    import asyncio
    from tornado.web import Application, RequestHandler

    class Upload(RequestHandler):
        def post(self):
            status, body = self.answer()
            self.set_status(status)
            self.write(body)

        def answer(self):
            if not allowed(self.request.headers.get("Authorization")):
                return 401, REFUSED
            if "file" not in self.request.files:
                return 400, REFUSED
            [file] = self.request.files["file"]
            names = self.request.body_arguments
            fields = {name: self.get_body_argument(name, strip=False) for name in names}
            return receive(fields, file.filename, file.content_type, file.body)

    async def main():
        app = Application([(PATH.replace(".", r"\."), Upload)])
        app.listen(PORT, "127.0.0.1", max_buffer_size=LIMIT)
        await asyncio.Event().wait()

    asyncio.run(main())


globals()[sys.argv[1]]()
