// Servers of Node and Bun, for `npm run test:servers`: node node.js multer
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [name] = process.argv.slice(2)
const { PORT, TOKEN } = process.env
const limit = 5_000_000
const path = '/api/files.upload'
const refused = { ok: false, error: 'refused' }
mkdirSync('uploads', { recursive: true })

let busy = false
/** Stores a file. Returns the status and the JSON of the response. */
function receive(fields, file) {
  if (!file?.name) return [400, refused]
  const comment = fields.initial_comment ?? ''
  if (comment === 'busy' && !busy) {
    busy = true
    return [429, refused]
  }
  const ts = randomUUID()
  writeFileSync(`uploads/${ts}`, file.bytes)
  const { name, type } = file
  console.log(JSON.stringify({ ts, name, type, comment, channels: fields.channels.split(',') }))
  if (comment === 'exit') process.exit(1)
  return [200, { ok: true }]
}

/** Without it, busboy reads names as Latin-1. */
const defParamCharset = 'utf8'
const isAllowed = (header) => header === `Bearer ${TOKEN}`

/** @param read a middleware, or a function that returns fields and file */
async function express(read, middleware = []) {
  const app = (await import('express')).default()
  app.use(({ headers }, response, next) =>
    isAllowed(headers.authorization) ? next() : response.status(401).json(refused),
  )
  app.post(path, middleware, async (request, response) => {
    const [status, json] = receive(...(await read(request)))
    response.status(status).json(json)
  })
  app.listen(PORT)
}

const first = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([key, [value]]) => [key, value]))

const fromDisk = (file) =>
  file && {
    name: file.originalFilename,
    type: file.mimetype ?? file.headers['content-type'],
    bytes: readFileSync(file.filepath ?? file.path),
  }

async function fromForm(form) {
  const file = form.get('file')
  const bytes = file?.size >= 0 ? Buffer.from(await file.arrayBuffer()) : undefined
  return [Object.fromEntries(form), bytes && { name: file.name, type: file.type, bytes }]
}

const servers = {
  async multer() {
    const { default: multer } = await import('multer')
    const read = ({ body, file }) => [
      body ?? {},
      file && { name: file.originalname, type: file.mimetype, bytes: file.buffer },
    ]
    await express(read, [multer({ defParamCharset, limits: { fileSize: limit } }).single('file')])
  },
  async busboy() {
    const { default: busboy } = await import('busboy')
    await express(async (request) => {
      const parser = busboy({
        defParamCharset,
        headers: request.headers,
        limits: { fileSize: limit },
      })
      const fields = {}
      let file
      parser.on('field', (key, value) => {
        fields[key] = value
      })
      parser.on('file', (_, stream, { filename, mimeType }) => {
        const chunks = []
        stream.on('data', (chunk) => chunks.push(chunk))
        stream.on('error', () => {})
        stream.on('limit', () =>
          parser.destroy(Object.assign(new Error('too large'), { status: 413 })),
        )
        stream.on('end', () => {
          file = { name: filename, type: mimeType, bytes: Buffer.concat(chunks) }
        })
      })
      const { promise, resolve, reject } = Promise.withResolvers()
      request.pipe(parser).on('close', resolve).on('error', reject)
      request.on('aborted', () => reject(new Error('aborted')))
      await promise
      return [fields, file]
    })
  },
  async formidable() {
    const { default: formidable } = await import('formidable')
    await express(async (request) => {
      const [fields, files] = await formidable({ maxFileSize: limit })
        .parse(request)
        .catch((error) => {
          throw Object.assign(error, { status: error.httpCode })
        })
      return [first(fields), fromDisk(files.file?.[0])]
    })
  },
  async multiparty() {
    const { default: multiparty } = await import('multiparty')
    await express(async (request) => {
      const { promise, resolve, reject } = Promise.withResolvers()
      new multiparty.Form({ maxFilesSize: limit }).parse(request, (error, fields, files) =>
        error ? reject(error) : resolve([first(fields), fromDisk(files.file?.[0])]),
      )
      return await promise
    })
  },
  async 'express-fileupload'() {
    const { default: upload } = await import('express-fileupload')
    const read = ({ body, files }) => {
      const file = files?.file
      return [body ?? {}, file && { name: file.name, type: file.mimetype, bytes: file.data }]
    }
    await express(read, [
      upload({ defParamCharset, limits: { fileSize: limit }, abortOnLimit: true }),
    ])
  },
  async fastify() {
    const app = (await import('fastify')).default({ bodyLimit: 100_000_000 })
    await app.register(import('@fastify/multipart'), { limits: { fileSize: limit } })
    app.addHook('onRequest', async ({ headers }, reply) =>
      isAllowed(headers.authorization) ? undefined : reply.code(401).send(refused),
    )
    app.post(path, async (request, reply) => {
      const part = await request.file()
      const bytes = await part?.toBuffer()
      const fields = Object.entries(part?.fields ?? {}).map(([key, { value }]) => [key, value])
      const file = part && { name: part.filename, type: part.mimetype, bytes }
      const [status, json] = receive(Object.fromEntries(fields), file)
      return reply.code(status).send(json)
    })
    await app.listen({ port: Number(PORT), host: '127.0.0.1' })
  },
  async hono() {
    const [{ Hono }, { bodyLimit }, { serve }] = await Promise.all(
      ['hono', 'hono/body-limit', '@hono/node-server'].map((name) => import(name)),
    )
    const app = new Hono()
    app.use(async (context, next) =>
      isAllowed(context.req.header('authorization')) ? await next() : context.json(refused, 401),
    )
    app.post(path, bodyLimit({ maxSize: limit }), async (context) => {
      const [status, json] = receive(...(await fromForm(await context.req.formData())))
      return context.json(json, status)
    })
    serve({ fetch: app.fetch, port: Number(PORT) })
  },
  async 'koa-body'() {
    const [{ default: koa }, { koaBody }] = await Promise.all([import('koa'), import('koa-body')])
    const app = new koa()
    app.use(async (context, next) => {
      if (!isAllowed(context.headers.authorization)) context.throw(401)
      if (context.path !== path) context.throw(404)
      await next()
    })
    app.use(koaBody({ multipart: true, formidable: { maxFileSize: limit } }))
    app.use((context) => {
      const { body, files } = context.request
      const [status, json] = receive(body, fromDisk(files?.file))
      context.status = status
      context.body = json
    })
    createServer(app.callback()).listen(PORT)
  },
  bun() {
    globalThis.Bun.serve({
      port: PORT,
      maxRequestBodySize: limit,
      async fetch(request) {
        if (!isAllowed(request.headers.get('authorization')))
          return Response.json(refused, { status: 401 })
        if (new URL(request.url).pathname !== path) return Response.json(refused, { status: 404 })
        const form = await request.formData().catch(() => new FormData())
        const [status, json] = receive(...(await fromForm(form)))
        return Response.json(json, { status })
      },
    })
  },
}
await servers[name]()
